// SPDX-License-Identifier: GPL-2.0-or-later
// What a door does with system calls, whoever answers them.
//
// Thread-safety: as Door.
#ifndef FUSEXFS_BENCH_POSIX_DOOR_H_
#define FUSEXFS_BENCH_POSIX_DOOR_H_

#include <string>

#include "bench/door.h"

namespace fusexfs::bench {

class PosixDoor : public Door {
 public:
  explicit PosixDoor(std::string mount_point);
  ~PosixDoor() override;

  absl::StatusOr<TreeSum> Walk(
      absl::FunctionRef<void(const std::string&, uint64_t)> visit) override;
  absl::Status OpenFile(const std::string& path) override;
  absl::StatusOr<uint64_t> ReadAt(uint64_t offset,
                                  ondisk::MutableBytes into) override;
  void CloseFile() override;
  absl::StatusOr<ExtentCount> Fiemap(const std::string& path) override;

 protected:
  const std::string& mount_point() const { return mount_point_; }
  // All extents of an open file.
  virtual absl::StatusOr<ExtentCount> FiemapOf(int fd) = 0;

 private:
  const std::string mount_point_;
  int file_ = -1;
};

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_POSIX_DOOR_H_
