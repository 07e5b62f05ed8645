// SPDX-License-Identifier: GPL-2.0-or-later
// The front door of the engine: open an image, and one method per operation
// that a POSIX filesystem has. The FUSE daemon, the tools and the benchmarks
// use only this and libondisk.
//
// Errors: absl::Status as libondisk/status.h makes them; every errno is the one
// that the kernel's XFS gives for the same call. Corruption of one inode never
// harms another, except that inodes are read by the cluster: one bad inode
// header there spoils its neighbours too, as in the kernel.
// Thread-safety: every method may be called from any number of threads.
#ifndef FUSEXFS_FUSEXFS_FILESYSTEM_H_
#define FUSEXFS_FUSEXFS_FILESYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/device/device.h"
#include "fusexfs/file/fiemap.h"
#include "fusexfs/file/read.h"
#include "fusexfs/names/directory_read.h"
#include "fusexfs/names/parents.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

struct MountOptions {
  bool read_only = false;
  bool no_recovery = false;           // norecovery: mount despite a dirty log
  uint64_t cache_bytes = 256u << 20;  // cache=: buffers and inodes together
  std::string refcount_strategy = "locked";  // refcount=
};

struct Timestamp {
  int64_t seconds = 0;
  uint32_t nanoseconds = 0;
};

// What stat(2) and statx(2) say of an inode, and a little more.
struct Attributes {
  ondisk::InodeNumber inode;
  uint32_t generation = 0;
  uint32_t mode = 0;  // type and permissions, as st_mode
  uint32_t links = 0;
  uint32_t user = 0;
  uint32_t group = 0;
  uint32_t project = 0;
  uint32_t device_major = 0;
  uint32_t device_minor = 0;
  uint64_t size = 0;        // bytes
  uint64_t blocks = 0;      // 512-byte units, as st_blocks
  uint32_t block_size = 0;  // st_blksize
  Timestamp access, modify, change;
  std::optional<Timestamp> birth;     // V3 inodes
  uint16_t flags = 0;                 // di_flags
  uint64_t flags2 = 0;                // di_flags2
  uint32_t extent_size_hint = 0;      // blocks
  uint32_t cow_extent_size_hint = 0;  // blocks
  uint64_t data_extents = 0;
  uint32_t attribute_extents = 0;
  bool has_attribute_fork = false;  // FS_XFLAG_HASATTR
};

struct FilesystemStatistics {  // the numbers of statfs(2)
  uint32_t block_size = 0;
  uint64_t blocks = 0, blocks_free = 0, blocks_available = 0;
  uint64_t files = 0, files_free = 0;
  uint64_t filesystem_id = 0;
  uint32_t name_max = 255;
};

class Filesystem {
 public:
  // Opens an image. `log_device` is null for an internal log. Refuses what it
  // must (see DESIGN.md, "Unknown features") before anything is touched.
  static absl::StatusOr<std::unique_ptr<Filesystem>> Mount(
      std::unique_ptr<Device> data_device, std::unique_ptr<Device> log_device,
      const MountOptions& options);
  ~Filesystem();

  const ondisk::Geometry& geometry() const;
  const Device& data_device() const;
  ondisk::InodeNumber root() const;
  // "bit 30 (0x40000000)" and the like: ro-compat features of the image that
  // this program does not know, so that it may only read. Empty if there are
  // none.
  std::string UnknownRoCompatFeatures() const;

  // ---- names ----
  // The inode that `name` in `directory` leads to; nothing if there is no such
  // name. "." and ".." are answered. ENOTDIR, ENAMETOOLONG.
  absl::StatusOr<std::optional<ondisk::InodeNumber>> Lookup(
      ondisk::InodeNumber directory, std::string_view name);
  // Walks "/a/b/c" from the root without following symlinks. ENOENT.
  absl::StatusOr<ondisk::InodeNumber> LookupPath(std::string_view path);
  // Calls `visit` for each entry from `cookie` on (0: the start) until it
  // returns false. "." and ".." come first. Cookies are unique and below 2^31,
  // and stay valid while the entry exists.
  absl::Status ReadDirectory(
      ondisk::InodeNumber directory, uint64_t cookie,
      absl::FunctionRef<bool(const DirectoryEntry&)> visit);
  absl::StatusOr<std::string> ReadLink(ondisk::InodeNumber inode);
  // Every (parent, name) pair of an inode. EOPNOTSUPP without parent pointers.
  absl::StatusOr<std::vector<ParentName>> Parents(ondisk::InodeNumber inode);
  // Every path of an inode from the root, sorted; walked up by parent pointers.
  absl::StatusOr<std::vector<std::string>> Paths(ondisk::InodeNumber inode);

  // ---- attributes ----
  // Whether the inode btree says that the inode is in use: for numbers that did
  // not come from a directory (file handles, command lines).
  absl::StatusOr<bool> IsAllocated(ondisk::InodeNumber inode);
  absl::StatusOr<Attributes> GetAttributes(ondisk::InodeNumber inode);
  // The value of an extended attribute by its system-call name ("user.x",
  // "system.posix_acl_access", ...). ENODATA, EOPNOTSUPP (unknown namespace).
  absl::StatusOr<std::string> GetXattr(ondisk::InodeNumber inode,
                                       std::string_view name);
  // Names as listxattr(2) gives them, each NUL-terminated. `trusted`: whether
  // the caller may see trusted.*.
  absl::StatusOr<std::string> ListXattrs(ondisk::InodeNumber inode,
                                         bool trusted);
  absl::StatusOr<FilesystemStatistics> Statistics();
  std::string VolumeLabel() const;

  // ---- data ----
  // Bytes read (short only at the end of the file). EISDIR and the like.
  absl::StatusOr<uint64_t> Read(ondisk::InodeNumber inode, uint64_t offset,
                                ondisk::MutableBytes into);
  // The same range as segments, cut at the end of the file ("map this range of
  // this file": splicing, iomap). Cleared and filled; at most `most_segments`.
  absl::Status MapForRead(ondisk::InodeNumber inode, uint64_t offset,
                          uint64_t length, size_t most_segments,
                          std::vector<FileSegment>& segments);
  // lseek(2)'s SEEK_DATA and SEEK_HOLE. ENXIO.
  absl::StatusOr<uint64_t> SeekData(ondisk::InodeNumber inode, uint64_t offset);
  absl::StatusOr<uint64_t> SeekHole(ondisk::InodeNumber inode, uint64_t offset);

  // What the kernel's FIEMAP answers for [start, start + length): calls `visit`
  // for each extent in order until it returns false.
  absl::Status Fiemap(ondisk::InodeNumber inode, uint64_t start,
                      uint64_t length, FiemapFork fork,
                      absl::FunctionRef<bool(const FiemapExtent&)> visit);

  // ---- strategies and caches ----
  std::string_view refcount_strategy() const;
  // Drops what nobody uses from all caches (cold measurements).
  void DropCaches();
  std::string StatisticsText() const;  // cache counters, for people

 private:
  struct Impl;
  static absl::StatusOr<std::unique_ptr<Impl>> MountImpl(
      std::unique_ptr<Device> data_device, std::unique_ptr<Device> log_device,
      const MountOptions& options);
  explicit Filesystem(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILESYSTEM_H_
