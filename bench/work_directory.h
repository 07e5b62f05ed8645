// SPDX-License-Identifier: GPL-2.0-or-later
// A directory for one run: mount points, and the image if it is built. Removed
// at the end, with what lies in it.
//
// Thread-safety: belongs to one thread.
#ifndef FUSEXFS_BENCH_WORK_DIRECTORY_H_
#define FUSEXFS_BENCH_WORK_DIRECTORY_H_

#include <string>

#include "absl/status/statusor.h"

namespace fusexfs::bench {

class WorkDirectory {
 public:
  // A new directory below `parent`.
  static absl::StatusOr<WorkDirectory> Make(const std::string& parent);
  WorkDirectory(WorkDirectory&& other) noexcept;
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory();

  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  // The path of a new directory in it.
  absl::StatusOr<std::string> MakeDirectory(const std::string& name) const;

 private:
  explicit WorkDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty once moved from
};

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_WORK_DIRECTORY_H_
