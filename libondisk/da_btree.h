// SPDX-License-Identifier: GPL-2.0-or-later
// The B+tree that directories and attribute forks share ("da": directory and
// attribute), keyed by name hash: the block header that all its blocks open
// with, and its intermediate nodes.
//
// Leaves are directory_leaf.h and attribute_leaf.h. Blocks of one level form a
// list (forw, back); entries are in ascending hash order, and equal hashes may
// span several blocks, so that a search goes on along forw. Trees are at most
// kDaMaxDepth levels high. An intermediate node's entry holds the greatest hash
// of the block it leads to.
//
// Thread-safety: pure functions and plain views on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_da_btree.c.
#ifndef FUSEXFS_LIBONDISK_DA_BTREE_H_
#define FUSEXFS_LIBONDISK_DA_BTREE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint16_t kDaNodeMagicV4 = 0xfebe;
inline constexpr uint16_t kDaNodeMagicV5 = 0x3ebe;
// Levels above the leaves; a node's level is 1 to this.
inline constexpr uint32_t kDaMaxDepth = 5;

// V4 header of every block in the tree.
struct DaBlockInfo {
  Be32 forw;  // fork block of the next one on this level, 0: none
  Be32 back;
  Be16 magic;
  Be16 pad;
};
static_assert(sizeof(DaBlockInfo) == 12);

// V5: the same, and who and where the block is.
struct Da3BlockInfo {
  Be32 forw;
  Be32 back;
  Be16 magic;
  Be16 pad;
  Le32 crc;
  Be64 blkno;  // DiskAddress of the block itself
  Be64 lsn;
  Uuid uuid;
  Be64 owner;  // inode number
};
static_assert(sizeof(Da3BlockInfo) == 56);
static_assert(offsetof(Da3BlockInfo, crc) == 12);
static_assert(offsetof(Da3BlockInfo, owner) == 48);

struct DaNodeHeader {
  DaBlockInfo info;
  Be16 count;
  Be16 level;
};
static_assert(sizeof(DaNodeHeader) == 16);

struct Da3NodeHeader {
  Da3BlockInfo info;
  Be16 count;
  Be16 level;
  Be32 pad;
};
static_assert(sizeof(Da3NodeHeader) == 64);

struct DaNodeEntry {
  Be32 hashval;  // greatest hash below
  Be32 before;   // fork block of the child
};
static_assert(sizeof(DaNodeEntry) == 8);

// The magic number at byte 8 of a block of the tree, whatever it is. REQUIRES:
// at least sizeof(DaBlockInfo) bytes.
uint16_t DaMagic(Bytes block);
// Whether the magic is that of a node, of either version.
bool IsDaNode(Bytes block);
uint32_t DaForward(Bytes block);  // REQUIRES the same

// Checks of the common header: magic, and for V5 checksum, UUID and own
// address. Returns false if the rest of the block must not be looked at (too
// short, wrong magic).
bool VerifyDaBlockInfo(const Geometry& geometry, DiskAddress address,
                       Bytes block, uint16_t magic_v4, uint16_t magic_v5,
                       Checker& check);

// V5 only: the block belongs to `owner`. REQUIRES a verified block.
void VerifyDaOwner(const Geometry& geometry, Bytes block, InodeNumber owner,
                   Checker& check);

// An intermediate node, of a directory or an attribute fork.
void VerifyDaNode(const Geometry& geometry, DiskAddress address, Bytes block,
                  Checker& check);

struct DaNodeView {
  uint32_t forw = 0;
  uint32_t back = 0;
  uint16_t level = 0;
  std::span<const DaNodeEntry> entries;
};
// REQUIRES: VerifyDaNode held. The count is cut to what fits the block all the
// same.
DaNodeView ViewDaNode(const Geometry& geometry, Bytes block);

// Index of the first entry whose hash is not below `hash`: the child where a
// search for `hash` begins; the last entry if all are below.
size_t FindDaChild(const DaNodeView& node, uint32_t hash);

extern const FieldTable kDaBlockInfoFields;   // V4
extern const FieldTable kDa3BlockInfoFields;  // V5
// Rows of the common header, V4 or V5.
void ExplainDaBlockInfo(const Geometry& geometry, Bytes block,
                        Explanation& into);
Explanation ExplainDaNode(const Geometry& geometry, DiskAddress address,
                          Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DA_BTREE_H_
