// SPDX-License-Identifier: GPL-2.0-or-later
// One block of a btree: header, then records (a leaf, level 0) or keys and
// pointers (a node).
//
// Invariants: a BtreeBlock is a view of a block that VerifyBtreeBlock has
// passed; then counts fit the block and pointers lie within the image.
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (struct xfs_btree_block),
// xfs_btree.c.
#ifndef FUSEXFS_LIBONDISK_BTREE_BLOCK_H_
#define FUSEXFS_LIBONDISK_BTREE_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/btree_traits.h"
#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

struct BtreeShortHeader {  // trees within one AG
  Be32 magic;
  Be16 level;
  Be16 numrecs;
  Be32 leftsib;  // AgBlock; all ones: none
  Be32 rightsib;
  // From here on V5 only.
  Be64 blkno;  // DiskAddress of this block
  Be64 lsn;
  Uuid uuid;
  Be32 owner;  // AG number
  Le32 crc;
};
static_assert(sizeof(BtreeShortHeader) == 56);
static_assert(offsetof(BtreeShortHeader, blkno) == 16);
static_assert(offsetof(BtreeShortHeader, owner) == 48);

struct BtreeLongHeader {  // bmbt
  Be32 magic;
  Be16 level;
  Be16 numrecs;
  Be64 leftsib;  // FsBlock; all ones: none
  Be64 rightsib;
  // From here on V5 only.
  Be64 blkno;
  Be64 lsn;
  Uuid uuid;
  Be64 owner;  // inode number
  Le32 crc;
  Be32 pad;
};
static_assert(sizeof(BtreeLongHeader) == 72);
static_assert(offsetof(BtreeLongHeader, blkno) == 24);
static_assert(offsetof(BtreeLongHeader, owner) == 56);

inline constexpr size_t kBtreeShortV4Size = offsetof(BtreeShortHeader, blkno);
inline constexpr size_t kBtreeLongV4Size = offsetof(BtreeLongHeader, blkno);
inline constexpr size_t kBtreeShortCrcOffset = offsetof(BtreeShortHeader, crc);
inline constexpr size_t kBtreeLongCrcOffset = offsetof(BtreeLongHeader, crc);

extern const FieldTable kBtreeShortFields, kBtreeLongFields;

// A view of one block.
class BtreeBlock {
 public:
  // REQUIRES: both outlive the view.
  BtreeBlock(Bytes block, const BtreeLayout& layout)
      : block_(block), layout_(layout) {}

  uint32_t level() const { return header().level.value(); }
  uint32_t count() const { return header().numrecs.value(); }
  bool is_leaf() const { return level() == 0; }

  // The neighbours on the same level: AgBlock or FsBlock by the kind of the
  // tree; kNullFsBlock (for both kinds) if there is none.
  uint64_t left() const;
  uint64_t right() const;
  // V5: inode number (bmbt) or AG number.
  uint64_t owner() const;

  // All REQUIRE i < layout.MaxEntries(level()).
  Bytes Record(uint32_t i) const {
    return block_.subspan(layout_.RecordOffset(i), layout_.record_size);
  }
  Bytes LowKey(uint32_t i) const {
    return block_.subspan(layout_.KeyOffset(i), layout_.key_size);
  }
  Bytes HighKey(uint32_t i) const {
    return block_.subspan(layout_.HighKeyOffset(i), layout_.key_size);
  }
  uint64_t Pointer(uint32_t i) const {  // AgBlock or FsBlock
    const uint32_t offset = layout_.PointerOffset(i);
    return layout_.pointer_size == 4 ? View<Be32>(block_, offset).value()
                                     : View<Be64>(block_, offset).value();
  }

  const BtreeLayout& layout() const { return layout_; }
  Bytes bytes() const { return block_; }

 private:
  const BtreeShortHeader& header() const {  // the part common to both forms
    return View<BtreeShortHeader>(block_);
  }

  Bytes block_;
  const BtreeLayout& layout_;
};

// Checks a whole block read from `address`: CRC, magic, UUID, self-address,
// owner (the AG; for bmbt that one is named), level, count, siblings, and that
// each pointer of a node leads into the AG (or image), past its headers. What
// records and keys say is for their readers (btree_records.h).
void VerifyBtreeBlock(Bytes block, BtreeKind kind, const Geometry& geometry,
                      DiskAddress address, Checker& check);

// What only a walker knows of a verified block: the level below its parent, and
// for bmbt the inode.
void VerifyBtreeLevel(const BtreeBlock& block, uint32_t level, Checker& check);
void VerifyBmbtOwner(const BtreeBlock& block, InodeNumber owner,
                     Checker& check);

// ---- the root of a bmbt: at the start of an inode's fork ----
struct BmbtRootHeader {
  Be16 level;
  Be16 numrecs;
};
static_assert(sizeof(BmbtRootHeader) == 4);

extern const FieldTable kBmbtRootFields;

class BmbtRoot {
 public:
  explicit BmbtRoot(Bytes fork) : fork_(fork) {}

  uint32_t level() const { return View<BmbtRootHeader>(fork_).level.value(); }
  uint32_t count() const { return View<BmbtRootHeader>(fork_).numrecs.value(); }
  // Keys fill the front, pointers start behind the room for this many keys.
  uint32_t max_pointers() const {
    return static_cast<uint32_t>((fork_.size() - sizeof(BmbtRootHeader)) / 16);
  }
  // Both REQUIRE i < max_pointers().
  uint64_t Key(uint32_t i) const {  // file block
    return View<Be64>(fork_, sizeof(BmbtRootHeader) + i * 8).value();
  }
  uint64_t Pointer(uint32_t i) const {  // FsBlock
    return View<Be64>(fork_, sizeof(BmbtRootHeader) + (max_pointers() + i) * 8)
        .value();
  }

 private:
  Bytes fork_;
};

// Checks the root in `fork` (all bytes of the fork): level at least 1, count
// from 1 to what fits, each pointer within the image.
void VerifyBmbtRoot(Bytes fork, const Geometry& geometry, Checker& check);

Explanation ExplainBtreeBlock(Bytes block, BtreeKind kind,
                              const Geometry& geometry, DiskAddress address);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_BTREE_BLOCK_H_
