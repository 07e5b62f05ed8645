// SPDX-License-Identifier: GPL-2.0-or-later
// The shape of one image, as its superblock gives it, and every conversion
// between addresses. Nothing else does arithmetic on them.
//
// Invariants: made only by GeometryFromSuperblock (superblock.h), which has
// checked each value, so shifts are below 64, divisors are not zero, and the
// products of counts and sizes do not overflow 64 bits.
// Thread-safety: immutable after construction.
// Source: kernel fs/xfs/libxfs/xfs_sb.c, xfs_format.h.
#ifndef FUSEXFS_LIBONDISK_GEOMETRY_H_
#define FUSEXFS_LIBONDISK_GEOMETRY_H_

#include <cstdint>

#include "libondisk/features.h"
#include "libondisk/types.h"

namespace ondisk {

struct Geometry {
  Features features;

  uint32_t block_size = 0;            // bytes
  uint32_t sector_size = 0;           // bytes
  uint32_t inode_size = 0;            // bytes
  uint32_t directory_block_size = 0;  // bytes
  uint32_t inodes_per_block = 0;
  uint8_t block_log = 0;
  uint8_t sector_log = 0;
  uint8_t inode_log = 0;
  uint8_t inodes_per_block_log = 0;
  uint8_t directory_block_log = 0;
  uint8_t ag_block_log = 0;  // bits of an AgBlock within an FsBlock

  uint32_t ag_count = 0;
  uint32_t ag_blocks = 0;    // blocks of every AG but the last
  uint64_t data_blocks = 0;  // of the data device

  uint64_t log_start = 0;  // FsBlock; 0 means an external log
  uint32_t log_blocks = 0;
  uint32_t log_sector_size = 0;  // bytes
  uint32_t log_stripe_unit = 0;  // bytes; 0 or 1: none

  InodeNumber root_inode;
  InodeNumber metadata_root_inode;  // metadir images only
  InodeNumber realtime_bitmap_inode;
  InodeNumber realtime_summary_inode;
  InodeNumber user_quota_inode;
  InodeNumber group_quota_inode;
  InodeNumber project_quota_inode;
  uint32_t inode_alignment = 0;         // blocks
  uint32_t sparse_inode_alignment = 0;  // blocks
  uint8_t inode_max_percent = 0;
  uint64_t realtime_blocks = 0;

  Uuid uuid{};       // as users see it
  Uuid meta_uuid{};  // as metadata carries it

  // ---- sizes ----
  uint32_t AgSize(AgNumber ag) const {  // blocks; REQUIRES: ag < ag_count
    return ag.value + 1 < ag_count
               ? ag_blocks
               : static_cast<uint32_t>(data_blocks -
                                       uint64_t{ag_blocks} * (ag_count - 1));
  }
  uint32_t blocks_per_directory_block() const {
    return directory_block_size >> block_log;
  }
  uint64_t data_bytes() const { return data_blocks << block_log; }
  uint32_t sectors_per_block_log() const {
    return block_log - kDiskAddressShift;
  }
  // Bits of an AgInode.
  uint32_t ag_inode_log() const {
    return uint32_t{ag_block_log} + inodes_per_block_log;
  }

  // ---- validity ----
  bool IsValid(AgNumber ag) const { return ag.value < ag_count; }
  bool IsValid(AgNumber ag, AgBlock block) const {
    return ag.value < ag_count && block.value < AgSize(ag);
  }
  // A block that may hold more than the AG's own four header sectors.
  bool IsValidPayload(AgNumber ag, AgBlock block) const {
    return IsValid(ag, block) && block.value > AgflBlock().value;
  }
  bool IsValid(FsBlock block) const {
    return (block.value >> ag_block_log) < ag_count &&
           IsValid(AgOf(block), AgBlockOf(block));
  }
  bool IsValidPayload(FsBlock block) const {
    return (block.value >> ag_block_log) < ag_count &&
           IsValidPayload(AgOf(block), AgBlockOf(block));
  }
  // [block, block + count) lies within one AG, past its headers.
  bool IsValidExtent(FsBlock block, uint64_t count) const {
    return count > 0 && IsValidPayload(block) &&
           count <= AgSize(AgOf(block)) - AgBlockOf(block).value;
  }
  // Says that the number could name an inode, not that one is allocated there.
  bool IsValid(InodeNumber inode) const {
    return (inode.value >> ag_inode_log()) < ag_count &&
           IsValidPayload(AgOf(inode), AgBlockOf(inode));
  }

  // ---- conversions (REQUIRE valid addresses) ----
  AgNumber AgOf(FsBlock block) const {
    return AgNumber(static_cast<uint32_t>(block.value >> ag_block_log));
  }
  AgBlock AgBlockOf(FsBlock block) const {
    return AgBlock(static_cast<uint32_t>(block.value &
                                         ((uint64_t{1} << ag_block_log) - 1)));
  }
  FsBlock ToFsBlock(AgNumber ag, AgBlock block) const {
    return FsBlock(uint64_t{ag.value} << ag_block_log | block.value);
  }
  DiskAddress ToDiskAddress(AgNumber ag, AgBlock block) const {
    return DiskAddress((uint64_t{ag.value} * ag_blocks + block.value)
                       << sectors_per_block_log());
  }
  DiskAddress ToDiskAddress(FsBlock block) const {
    return ToDiskAddress(AgOf(block), AgBlockOf(block));
  }
  // Byte offset on the data device.
  uint64_t ToByteOffset(FsBlock block) const {
    return ToDiskAddress(block).value << kDiskAddressShift;
  }
  // REQUIRES: the address lies within the data device.
  FsBlock ToFsBlock(DiskAddress address) const {
    const uint64_t linear = address.value >> sectors_per_block_log();
    return ToFsBlock(AgNumber(static_cast<uint32_t>(linear / ag_blocks)),
                     AgBlock(static_cast<uint32_t>(linear % ag_blocks)));
  }
  bool IsValid(DiskAddress address) const {
    return (address.value >> sectors_per_block_log()) < data_blocks;
  }

  AgNumber AgOf(InodeNumber inode) const {
    return AgNumber(static_cast<uint32_t>(inode.value >> ag_inode_log()));
  }
  AgInode AgInodeOf(InodeNumber inode) const {
    return AgInode(static_cast<uint32_t>(
        inode.value & ((uint64_t{1} << ag_inode_log()) - 1)));
  }
  AgBlock AgBlockOf(InodeNumber inode) const {
    return AgBlock(AgInodeOf(inode).value >> inodes_per_block_log);
  }
  // Index of the inode within its block.
  uint32_t IndexInBlock(InodeNumber inode) const {
    return static_cast<uint32_t>(inode.value & (inodes_per_block - 1));
  }
  InodeNumber ToInodeNumber(AgNumber ag, AgInode inode) const {
    return InodeNumber(uint64_t{ag.value} << ag_inode_log() | inode.value);
  }

  // ---- the four headers of each AG: one sector each ----
  DiskAddress SuperblockAddress(AgNumber ag) const { return AgSector(ag, 0); }
  DiskAddress AgfAddress(AgNumber ag) const { return AgSector(ag, 1); }
  DiskAddress AgiAddress(AgNumber ag) const { return AgSector(ag, 2); }
  DiskAddress AgflAddress(AgNumber ag) const { return AgSector(ag, 3); }
  // The block that the last of the four headers lies in.
  AgBlock AgflBlock() const { return AgBlock((3u << sector_log) >> block_log); }

 private:
  DiskAddress AgSector(AgNumber ag, uint32_t index) const {
    return ToDiskAddress(ag, AgBlock(0)) +
           (uint64_t{index} << (sector_log - kDiskAddressShift));
  }
};

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_GEOMETRY_H_
