// Extents of a fork: the packed 128-bit record, and the root of an extent
// btree inside an inode.
//
// A record maps a run of file blocks to a run of disk blocks of one AG:
//   bit 127        unwritten: allocated, but reads as zeros
//   bits 126..73   first file block (54 bits)
//   bits 72..21    first disk block, an FsBlock (52 bits)
//   bits 20..0     length in blocks (21 bits)
//
// An inode's btree root ("bmdr block") is a header of four bytes, then keys,
// then pointers. The pointer array starts behind as many keys as the fork could
// hold, not behind those that it holds: its place depends on the fork's size.
// (The tree's other blocks are ordinary long btree blocks.)
//
// Thread-safety: plain values and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (xfs_bmbt_rec, xfs_bmdr_block),
// xfs_bmap_btree.c, xfs_bmap.c.
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

// ---- the root of an extent btree in an inode ----

struct ExtentRootHeader {
  Be16 level;    // of the root; at least 1
  Be16 numrecs;  // keys and pointers in use
};
static_assert(sizeof(ExtentRootHeader) == 4);

extern const FieldTable kExtentRootTable;

// Keys that fit a root in a fork of `fork_bytes`. 0 if there is no room.
constexpr uint32_t ExtentRootCapacity(uint32_t fork_bytes) {
  return fork_bytes < sizeof(ExtentRootHeader)
             ? 0
             : static_cast<uint32_t>((fork_bytes - sizeof(ExtentRootHeader)) /
                                     (2 * sizeof(Be64)));
}
// The highest level that a root may have, for this block size and counter size.
uint32_t MaxExtentRootLevel(const Geometry& geometry, Fork fork);

// Reads a root that VerifyExtentRoot has accepted.
class ExtentRoot {
 public:
  explicit ExtentRoot(Bytes fork) : fork_(fork) {}
  uint32_t level() const { return View<ExtentRootHeader>(fork_).level.value(); }
  uint32_t count() const {
    return View<ExtentRootHeader>(fork_).numrecs.value();
  }
  // The first file block behind pointer i. REQUIRES: i < count().
  FileBlock key(uint32_t i) const {
    return FileBlock(View<Be64>(fork_, KeyOffset(i)).value());
  }
  FsBlock pointer(uint32_t i) const {
    return FsBlock(View<Be64>(fork_, PointerOffset(i)).value());
  }
  size_t KeyOffset(uint32_t i) const {
    return sizeof(ExtentRootHeader) + size_t{i} * sizeof(Be64);
  }
  size_t PointerOffset(uint32_t i) const {
    const auto bytes = static_cast<uint32_t>(fork_.size());
    return KeyOffset(ExtentRootCapacity(bytes)) + size_t{i} * sizeof(Be64);
  }

 private:
  Bytes fork_;
};

// Level, count, ascending keys, pointers into payload blocks. `fork_bytes` is
// the whole fork; `extents` and `nblocks` are what the inode says of itself.
void VerifyExtentRoot(const Geometry& geometry, Fork fork, Bytes fork_bytes,
                      uint64_t extents, uint64_t nblocks, Checker& check);

// Adds to `into` one part for `count` records at the start of `fork_bytes`, or
// for the btree root there; `offset` is where the fork starts in the inode.
void ExplainExtents(const Geometry& geometry, Bytes fork_bytes, uint64_t offset,
                    uint64_t count, Explanation& into);
void ExplainExtentRoot(const Geometry& geometry, Bytes fork_bytes,
                       uint64_t offset, Explanation& into);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_EXTENTS_H_
