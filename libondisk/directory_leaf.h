// SPDX-License-Identifier: GPL-2.0-or-later
// Directory leaf blocks: name hash -> place of the entry.
//
// "leaf1" is the single leaf of a leaf-form directory: at its end stand the
// longest free run of each data block ("bests") and their count. "leafn" is one
// of many under da nodes (node form); it has no such table. A leaf's entries
// are in ascending hash order; removed ones may stay as stale, address 0.
//
// Thread-safety: pure functions on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_dir2_leaf.c.
#ifndef FUSEXFS_LIBONDISK_DIRECTORY_LEAF_H_
#define FUSEXFS_LIBONDISK_DIRECTORY_LEAF_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "libondisk/checker.h"
#include "libondisk/da_btree.h"
#include "libondisk/directory_data.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint16_t kDirectoryLeaf1MagicV4 = 0xd2f1;
inline constexpr uint16_t kDirectoryLeaf1MagicV5 = 0x3df1;
inline constexpr uint16_t kDirectoryLeafNMagicV4 = 0xd2ff;
inline constexpr uint16_t kDirectoryLeafNMagicV5 = 0x3dff;
inline constexpr uint16_t kNullDirectoryOffset = 0xffff;  // in bests

struct DirectoryLeafHeader {
  DaBlockInfo info;
  Be16 count;  // entries, stale ones included
  Be16 stale;
};
static_assert(sizeof(DirectoryLeafHeader) == 16);

struct Directory3LeafHeader {
  Da3BlockInfo info;
  Be16 count;
  Be16 stale;
  Be32 pad;
};
static_assert(sizeof(Directory3LeafHeader) == 64);

struct DirectoryLeafTail {
  Be32 bestcount;  // of the bests (Be16) that stand before it
};
static_assert(sizeof(DirectoryLeafTail) == 4);

void VerifyDirectoryLeaf1(const Geometry& geometry, DiskAddress address,
                          Bytes block, Checker& check);
void VerifyDirectoryLeafN(const Geometry& geometry, DiskAddress address,
                          Bytes block, Checker& check);

struct DirectoryLeafView {
  uint32_t forw = 0;
  uint32_t back = 0;
  uint16_t stale = 0;
  std::span<const DirectoryLeafEntry> entries;
  std::span<const Be16> bests;  // leaf1 only
};
// REQUIRES a verified block; counts are cut to what fits all the same.
DirectoryLeafView ViewDirectoryLeaf(const Features& features, Bytes block);

// Index of the first entry whose hash is not below `hash`; size() if none.
size_t FindLeafEntry(std::span<const DirectoryLeafEntry> entries,
                     uint32_t hash);

// Both kinds, by magic.
Explanation ExplainDirectoryLeaf(const Geometry& geometry, DiskAddress address,
                                 Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DIRECTORY_LEAF_H_
