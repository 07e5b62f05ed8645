// SPDX-License-Identifier: GPL-2.0-or-later
// Attribute leaf blocks: entries by hash at the front, names and local values
// from the back, free runs in between.
//
// A leaf is one filesystem block, whatever the directory block size. It may be
// empty (a crash between making it and filling it). Equal hashes may span
// several leaves.
//
// Thread-safety: pure functions on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_attr_leaf.c.
#ifndef FUSEXFS_LIBONDISK_ATTRIBUTE_LEAF_H_
#define FUSEXFS_LIBONDISK_ATTRIBUTE_LEAF_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "libondisk/attribute.h"
#include "libondisk/checker.h"
#include "libondisk/da_btree.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint16_t kAttributeLeafMagicV4 = 0xfbee;
inline constexpr uint16_t kAttributeLeafMagicV5 = 0x3bee;
inline constexpr size_t kAttributeFreemapCount = 3;

struct AttributeFreemap {
  Be16 base;
  Be16 size;
};
static_assert(sizeof(AttributeFreemap) == 4);

struct AttributeLeafHeader {
  DaBlockInfo info;
  Be16 count;
  Be16 usedbytes;  // of names and values
  Be16 firstused;  // where they begin; 0 stands for 65536
  uint8_t holes;   // free space that the freemap does not know
  uint8_t pad1;
  AttributeFreemap freemap[kAttributeFreemapCount];
};
static_assert(sizeof(AttributeLeafHeader) == 32);

struct Attribute3LeafHeader {
  Da3BlockInfo info;
  Be16 count;
  Be16 usedbytes;
  Be16 firstused;
  uint8_t holes;
  uint8_t pad1;
  AttributeFreemap freemap[kAttributeFreemapCount];
  Be32 pad2;
};
static_assert(sizeof(Attribute3LeafHeader) == 80);

struct AttributeLeafEntry {
  Be32 hashval;
  Be16 nameidx;  // offset in the block of the name structure
  uint8_t flags;
  uint8_t pad2;
};
static_assert(sizeof(AttributeLeafEntry) == 8);

// Flag LOCAL: name, then value, follow.
struct AttributeLocalName {
  Be16 valuelen;
  uint8_t namelen;
};
static_assert(sizeof(AttributeLocalName) == 3);

// Otherwise: the name follows, the value is at fork block `valueblk`.
struct AttributeRemoteName {
  Be32 valueblk;
  Be32 valuelen;
  uint8_t namelen;
};
static_assert(sizeof(AttributeRemoteName) == 9);

void VerifyAttributeLeaf(const Geometry& geometry, DiskAddress address,
                         Bytes block, Checker& check);

struct AttributeLeafView {
  uint32_t forw = 0;
  uint32_t back = 0;
  std::span<const AttributeLeafEntry> entries;
};
// REQUIRES a verified block; the count is cut to what fits all the same.
AttributeLeafView ViewAttributeLeaf(const Features& features, Bytes block);
// The attribute of an entry; an empty name if it does not fit the block.
AttributeView AttributeOf(const AttributeLeafEntry& entry, Bytes block);

// Index of the first entry whose hash is not below `hash`; size() if none.
size_t FindAttributeEntry(std::span<const AttributeLeafEntry> entries,
                          uint32_t hash);

Explanation ExplainAttributeLeaf(const Geometry& geometry, DiskAddress address,
                                 Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_ATTRIBUTE_LEAF_H_
