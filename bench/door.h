// SPDX-License-Identifier: GPL-2.0-or-later
// bench/: experiments that run the same work through several doors into one
// image and compare what it costs.
//
// A Door is one way to the files of an image:
//   engine   the library, in this process
//   mount    a fusexfs mount, through system calls
//   kernel   the kernel's XFS on a loop device, through system calls
// All read only. The work is the same to the letter: each door is asked the
// same questions in the same order and must give the same answers.
//
// Thread-safety: a door belongs to one thread.
#ifndef FUSEXFS_BENCH_DOOR_H_
#define FUSEXFS_BENCH_DOOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libondisk/types.h"

namespace fusexfs::bench {

// What a walk saw. Equal trees give equal values, whatever the order of names.
struct TreeSum {
  uint64_t entries = 0;
  uint64_t bytes = 0;   // sizes of regular files
  uint64_t inodes = 0;  // inode numbers, added up

  friend bool operator==(const TreeSum&, const TreeSum&) = default;
};

class Door {
 public:
  virtual ~Door() = default;
  virtual std::string_view name() const = 0;

  // Opens the image afresh: the door itself has nothing in memory. (What the
  // system caches is dropped by DropSystemCaches.)
  virtual absl::Status Open() = 0;
  virtual absl::Status Close() = 0;

  // Reads every directory and asks for the attributes of every name. `visit`
  // gets each regular file: its path from the root ("/a/b"), and its size.
  virtual absl::StatusOr<TreeSum> Walk(
      absl::FunctionRef<void(const std::string& path, uint64_t size)>
          visit) = 0;

  // One file at a time is open for reading.
  virtual absl::Status OpenFile(const std::string& path) = 0;
  virtual absl::StatusOr<uint64_t> ReadAt(uint64_t offset,
                                          ondisk::MutableBytes into) = 0;
  virtual void CloseFile() = 0;

  // Opens the file, maps all of it, closes it: extents, and of those, shared.
  struct ExtentCount {
    uint64_t extents = 0;
    uint64_t shared = 0;
  };
  virtual absl::StatusOr<ExtentCount> Fiemap(const std::string& path) = 0;

  // CPU time that processes other than this one spent for this door, in
  // milliseconds since some fixed moment.
  virtual double ServerCpuMs() const { return 0; }
};

std::unique_ptr<Door> MakeEngineDoor(std::string image);
// `mount_point` is a directory of its own. `fusexfs` is the program.
std::unique_ptr<Door> MakeMountDoor(std::string image, std::string mount_point,
                                    std::string fusexfs);
std::unique_ptr<Door> MakeKernelDoor(std::string image,
                                     std::string mount_point);

// Empties the page, dentry and inode caches of the whole system. EACCES if that
// is not allowed.
absl::Status DropSystemCaches();

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_DOOR_H_
