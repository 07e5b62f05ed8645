// SPDX-License-Identifier: GPL-2.0-or-later
// Extents of a fork: the packed 128-bit record, and what an inode says about
// them.
//
// A record maps a run of file blocks to a run of disk blocks of one AG:
//   bit 127        unwritten: allocated, but reads as zeros
//   bits 126..73   first file block (54 bits)
//   bits 72..21    first disk block, an FsBlock (52 bits)
//   bits 20..0     length in blocks (21 bits)
//
// Thread-safety: plain values and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (xfs_bmbt_rec),
// xfs_bmap_btree.c, xfs_bmap.c, xfs_inode_fork.c.
#ifndef FUSEXFS_LIBONDISK_EXTENTS_H_
#define FUSEXFS_LIBONDISK_EXTENTS_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint64_t kMaxExtentLength = (uint64_t{1} << 21) - 1;
inline constexpr uint64_t kMaxExtentStart = (uint64_t{1} << 54) - 1;
// The last file block that a record may reach.
inline constexpr uint64_t kMaxFileBlock = kMaxExtentStart + kMaxExtentLength;

enum class Fork : uint8_t { kData, kAttribute };

// As it stands on disk, in inodes and in btree leaves.
struct DiskExtent {
  Be64 high;
  Be64 low;
};
static_assert(sizeof(DiskExtent) == 16 && alignof(DiskExtent) == 1);

struct ExtentRecord {
  FileBlock start;
  FsBlock block;
  uint32_t count = 0;  // blocks
  bool unwritten = false;

  FileBlock end() const { return start + count; }
  friend bool operator==(const ExtentRecord&, const ExtentRecord&) = default;
};

ExtentRecord UnpackExtent(const DiskExtent& disk);
// REQUIRES: each value fits its bits.
DiskExtent PackExtent(const ExtentRecord& record);

// The length is not zero, the file range ends in time, the disk range lies in
// one AG past its headers (on the data device; `realtime` leaves that check
// out), and only a data fork has unwritten extents.
void VerifyExtent(const Geometry& geometry, Fork fork, bool realtime,
                  const ExtentRecord& record, Checker& check);

// ---- the root of an extent btree in an inode (BmbtRoot, btree_block.h) ----

// Level and count, and that the inode needs a btree at all. `fork_bytes` is the
// whole fork; `extents` and `nblocks` are what the inode says of itself.
// Where the pointers lead is checked when they are followed (VerifyBmbtRoot):
// the kernel lets an inode with a bad pointer be stat'ed, and so do we.
void VerifyExtentRoot(const Geometry& geometry, Bytes fork_bytes,
                      uint64_t extents, uint64_t nblocks, Checker& check);

// Adds to `into` one part for `count` records at the start of `fork_bytes`, or
// for the btree root there; `offset` is where the fork starts in the inode.
void ExplainExtents(const Geometry& geometry, Bytes fork_bytes, uint64_t offset,
                    uint64_t count, Explanation& into);
void ExplainExtentRoot(const Geometry& geometry, Bytes fork_bytes,
                       uint64_t offset, Explanation& into);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_EXTENTS_H_
