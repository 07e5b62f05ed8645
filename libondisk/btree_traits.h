// SPDX-License-Identifier: GPL-2.0-or-later
// What tells the seven btrees of XFS apart: names, magic numbers, sizes of
// records, keys and pointers, and what fits into a block.
//
//   bnobt       free space by block            AGF
//   cntbt       free space by length           AGF
//   inobt       inode chunks                   AGI
//   finobt      inode chunks with free inodes  AGI
//   rmapbt      who owns each block            AGF
//   refcountbt  shared and staged blocks       AGF
//   bmbt        a file's extents               root in the inode, long pointers
//
// Thread-safety: constants and values.
// Source: kernel fs/xfs/libxfs/xfs_format.h, xfs_btree.c.
#ifndef FUSEXFS_LIBONDISK_BTREE_TRAITS_H_
#define FUSEXFS_LIBONDISK_BTREE_TRAITS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "libondisk/geometry.h"

namespace ondisk {

enum class BtreeKind : uint8_t {
  kBnobt,
  kCntbt,
  kInobt,
  kFinobt,
  kRmapbt,
  kRefcountbt,
  kBmbt,
};
inline constexpr uint32_t kBtreeKinds = 7;

struct BtreeTraits {
  BtreeKind kind;
  std::string_view name;
  std::string_view about;  // one sentence for a student
  uint32_t magic_v4;       // 0: V5 only
  uint32_t magic_v5;
  uint8_t record_size;  // bytes
  uint8_t key_size;     // bytes
  bool long_pointers;   // 64-bit FsBlock instead of 32-bit AgBlock
  bool overlapping;     // a node's slot holds a low and a high key
};

const BtreeTraits& TraitsOf(BtreeKind kind);
std::optional<BtreeKind> BtreeKindByName(std::string_view name);
// Whether an image with these features has such a tree.
bool HasBtree(BtreeKind kind, const Features& features);

// Where things are in a block of one kind of tree, on one image. Indexes are
// 0-based (xfs_db counts from 1).
struct BtreeLayout {
  BtreeKind kind;
  uint32_t magic;
  uint32_t block_size;    // bytes
  uint32_t header_size;   // bytes
  uint32_t record_size;   // bytes
  uint32_t key_size;      // bytes of one key
  uint32_t key_slot;      // bytes of a node's slot: one key, or low and high
  uint32_t pointer_size;  // bytes: 4 or 8
  uint32_t max_records;   // in a leaf
  uint32_t max_pointers;  // in a node
  uint32_t max_levels;    // a deeper tree cannot be
  bool crc;

  static BtreeLayout Of(BtreeKind kind, const Geometry& geometry);

  uint32_t MaxEntries(uint32_t level) const {
    return level == 0 ? max_records : max_pointers;
  }
  // Byte offsets in the block.
  uint32_t RecordOffset(uint32_t i) const {
    return header_size + i * record_size;
  }
  uint32_t KeyOffset(uint32_t i) const { return header_size + i * key_slot; }
  // The high key of an overlapping tree; the only key of another.
  uint32_t HighKeyOffset(uint32_t i) const {
    return KeyOffset(i) + key_slot - key_size;
  }
  uint32_t PointerOffset(uint32_t i) const {
    return header_size + max_pointers * key_slot + i * pointer_size;
  }
};

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_BTREE_TRAITS_H_
