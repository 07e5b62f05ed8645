// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/inode_core.h"

#include <algorithm>

namespace ondisk {
namespace {

// Device numbers stand at the start of the data fork in System V's encoding:
// 14 bits major, 18 bits minor.
constexpr int kMinorBits = 18;
constexpr uint32_t kMajorMask = 0x3fff;

}  // namespace

InodeCore DecodeInode(InodeNumber number, Bytes inode) {
  const auto& disk = View<DiskInode>(inode);
  InodeCore core;
  core.number = number;
  core.version = disk.version;
  core.data_format = static_cast<ForkFormat>(disk.format);
  core.attribute_format = static_cast<ForkFormat>(disk.aformat);
  core.mode = disk.mode.value();
  core.uid = disk.uid.value();
  core.gid = disk.gid.value();
  if (disk.version == 1) {
    core.nlink = disk.onlink.value();
  } else {
    core.nlink = disk.nlink.value();
    core.projid =
        uint32_t{disk.projid_hi.value()} << 16 | disk.projid_lo.value();
  }
  core.generation = disk.gen.value();
  core.size = disk.size.value();
  core.nblocks = disk.nblocks.value();
  core.flags = disk.flags.value();
  core.extsize = disk.extsize.value();
  core.next_unlinked = AgInode(disk.next_unlinked.value());
  if (disk.version >= 3) {
    core.flags2 = disk.flags2.value();
    core.cowextsize = disk.cowextsize.value();
    core.changecount = disk.changecount.value();
    core.lsn = Lsn(disk.lsn.value());
    if (core.is_metadata()) core.metadata_type = disk.onlink.value();
  }
  const bool bigtime = (core.flags2 & kInodeFlag2Bigtime) != 0;
  core.atime = DecodeTimestamp(disk.atime.value(), bigtime);
  core.mtime = DecodeTimestamp(disk.mtime.value(), bigtime);
  core.ctime = DecodeTimestamp(disk.ctime.value(), bigtime);
  if (disk.version >= 3) {
    core.crtime = DecodeTimestamp(disk.crtime.value(), bigtime);
  }
  core.data_extents = DataExtentCount(disk);
  core.attribute_extents = AttributeExtentCount(disk);

  const uint32_t start = InodeCoreSize(disk.version);
  const auto end = static_cast<uint32_t>(inode.size());
  // Within the inode even where nothing was verified (ExplainInode).
  const uint32_t split = std::min(start + disk.forkoff * 8u, end);
  core.data_fork_offset = static_cast<uint16_t>(start);
  core.data_fork_size =
      static_cast<uint16_t>(disk.forkoff == 0 ? end - start : split - start);
  if (disk.forkoff != 0) {
    core.attribute_fork_offset = static_cast<uint16_t>(split);
    core.attribute_fork_size = static_cast<uint16_t>(end - split);
  }
  if (core.is_device() && Within(inode, start, sizeof(Be32))) {
    const uint32_t device = View<Be32>(inode, start).value();
    core.device_major = device >> kMinorBits & kMajorMask;
    core.device_minor = device & ((1u << kMinorBits) - 1);
  }
  return core;
}

}  // namespace ondisk
