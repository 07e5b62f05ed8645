// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/stat.h"

#include <sys/sysmacros.h>

#include "fusexfs/fuse/context.h"

namespace fusexfs {

namespace {

// The kernel's device numbers have 12 bits for the major number, XFS's field
// has 14: the kernel's XFS drops the upper two, and so do we.
constexpr uint32_t kMajorMask = 0xfff;

timespec ToTimespec(const Timestamp& time) {
  timespec result{};
  result.tv_sec = time.seconds;
  result.tv_nsec = time.nanoseconds;
  return result;
}

statx_timestamp ToStatxTime(const Timestamp& time) {
  statx_timestamp result{};
  result.tv_sec = time.seconds;
  result.tv_nsec = time.nanoseconds;
  return result;
}

}  // namespace

struct stat ToStat(const Attributes& attributes) {
  struct stat result {};
  result.st_ino = attributes.inode.value;
  result.st_mode = attributes.mode;
  result.st_nlink = attributes.links;
  result.st_uid = attributes.user;
  result.st_gid = attributes.group;
  result.st_rdev =
      makedev(attributes.device_major & kMajorMask, attributes.device_minor);
  result.st_size = static_cast<off_t>(attributes.size);
  result.st_blksize = attributes.block_size;
  result.st_blocks = static_cast<blkcnt_t>(attributes.blocks);
  result.st_atim = ToTimespec(attributes.access);
  result.st_mtim = ToTimespec(attributes.modify);
  result.st_ctim = ToTimespec(attributes.change);
  return result;
}

fuse_entry_param ToEntry(const NodeIds& nodes, const Attributes& attributes) {
  fuse_entry_param entry{};
  entry.ino = nodes.NodeOf(attributes.inode);
  entry.generation =
      nodes.GenerationOf(attributes.inode, attributes.generation);
  entry.attr = ToStat(attributes);
  entry.attr_timeout = kForever;
  entry.entry_timeout = kForever;
  return entry;
}

struct statx ToStatx(const Attributes& attributes) {
  struct statx result {};
  result.stx_mask = STATX_BASIC_STATS;
  result.stx_ino = attributes.inode.value;
  result.stx_mode = static_cast<uint16_t>(attributes.mode);
  result.stx_nlink = attributes.links;
  result.stx_uid = attributes.user;
  result.stx_gid = attributes.group;
  result.stx_rdev_major = attributes.device_major & kMajorMask;
  result.stx_rdev_minor = attributes.device_minor;
  result.stx_size = attributes.size;
  result.stx_blksize = attributes.block_size;
  result.stx_blocks = attributes.blocks;
  result.stx_atime = ToStatxTime(attributes.access);
  result.stx_mtime = ToStatxTime(attributes.modify);
  result.stx_ctime = ToStatxTime(attributes.change);
  if (attributes.birth.has_value()) {
    result.stx_mask |= STATX_BTIME;
    result.stx_btime = ToStatxTime(*attributes.birth);
  }
  return result;
}

}  // namespace fusexfs
