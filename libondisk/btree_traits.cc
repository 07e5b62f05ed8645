// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/btree_traits.h"

#include <algorithm>

#include "libondisk/btree_block.h"
#include "libondisk/btree_records.h"

namespace ondisk {
namespace {

constexpr BtreeTraits kTraits[kBtreeKinds] = {
    {BtreeKind::kBnobt, "bnobt",
     "Free space of an allocation group, ordered by block.", 0x41425442,
     0x41423342, 8, 8, false, false},
    {BtreeKind::kCntbt, "cntbt",
     "Free space of an allocation group, ordered by length.", 0x41425443,
     0x41423343, 8, 8, false, false},
    {BtreeKind::kInobt, "inobt",
     "Inode chunks of an allocation group: 64 inodes to a record.", 0x49414254,
     0x49414233, 16, 4, false, false},
    {BtreeKind::kFinobt, "finobt",
     "Those inode chunks that have an unused inode.", 0x46494254, 0x46494233,
     16, 4, false, false},
    {BtreeKind::kRmapbt, "rmapbt",
     "Who owns each block of an allocation group.", 0, 0x524d4233, 24, 20,
     false, true},
    {BtreeKind::kRefcountbt, "refcountbt",
     "How many files share a run of blocks, where more than one does.", 0,
     0x52334643, 12, 4, false, false},
    {BtreeKind::kBmbt, "bmbt",
     "Where the blocks of one file are; its root is in the inode.", 0x424d4150,
     0x424d4133, 16, 8, true, false},
};

uint64_t DivideRoundUp(uint64_t value, uint64_t divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

// Levels of a tree of `records` records whose blocks are half full.
uint32_t LevelsForRecords(const BtreeLayout& layout, uint64_t records) {
  uint64_t blocks = DivideRoundUp(records, layout.max_records / 2);
  uint32_t levels = 1;
  for (; blocks > 1; ++levels) {
    blocks = DivideRoundUp(blocks, layout.max_pointers / 2);
  }
  return levels;
}

// Levels of the deepest tree that fits into `space` blocks: half-full nodes,
// and a root with only two pointers.
uint32_t LevelsForSpace(const BtreeLayout& layout, uint64_t space) {
  uint64_t level_blocks = 2;
  uint64_t left = space - 1;
  uint32_t levels = 1;
  for (; level_blocks < left; ++levels) {
    left -= level_blocks;
    level_blocks *= layout.max_pointers / 2;
  }
  return levels;
}

uint32_t MaxLevels(const BtreeLayout& layout, const Geometry& geometry) {
  const uint64_t ag_blocks = geometry.ag_blocks;
  switch (layout.kind) {
    case BtreeKind::kBnobt:
    case BtreeKind::kCntbt:  // every second block free
      return LevelsForRecords(layout, (ag_blocks + 1) / 2);
    case BtreeKind::kInobt:
    case BtreeKind::kFinobt:
      return LevelsForRecords(
          layout, DivideRoundUp(uint64_t{1} << geometry.ag_inode_log(),
                                kInodesPerChunk));
    case BtreeKind::kRmapbt:  // a shared block has any number of owners
      return geometry.features.reflink ? LevelsForSpace(layout, ag_blocks)
                                       : LevelsForRecords(layout, ag_blocks);
    case BtreeKind::kRefcountbt:
      return LevelsForRecords(layout, ag_blocks);
    case BtreeKind::kBmbt: {
      const uint64_t extents = geometry.features.nrext64
                                   ? (uint64_t{1} << 48) - 1
                                   : (uint64_t{1} << 31) - 1;
      return LevelsForRecords(layout, extents) + 1;  // the root in the inode
    }
  }
  return 1;
}

}  // namespace

const BtreeTraits& TraitsOf(BtreeKind kind) {
  return kTraits[static_cast<size_t>(kind)];
}

std::optional<BtreeKind> BtreeKindByName(std::string_view name) {
  for (const BtreeTraits& traits : kTraits) {
    if (traits.name == name) return traits.kind;
  }
  return std::nullopt;
}

bool HasBtree(BtreeKind kind, const Features& features) {
  switch (kind) {
    case BtreeKind::kFinobt:
      return features.finobt;
    case BtreeKind::kRmapbt:
      return features.rmapbt;
    case BtreeKind::kRefcountbt:
      return features.reflink;
    default:
      return true;
  }
}

BtreeLayout BtreeLayout::Of(BtreeKind kind, const Geometry& geometry) {
  const BtreeTraits& traits = TraitsOf(kind);
  BtreeLayout layout{};
  layout.kind = kind;
  layout.crc = geometry.features.crc;
  layout.magic = layout.crc ? traits.magic_v5 : traits.magic_v4;
  layout.block_size = geometry.block_size;
  if (traits.long_pointers) {
    layout.header_size =
        layout.crc ? sizeof(BtreeLongHeader) : kBtreeLongV4Size;
  } else {
    layout.header_size =
        layout.crc ? sizeof(BtreeShortHeader) : kBtreeShortV4Size;
  }
  layout.record_size = traits.record_size;
  layout.key_size = traits.key_size;
  layout.key_slot = traits.key_size * (traits.overlapping ? 2u : 1u);
  layout.pointer_size = traits.long_pointers ? 8 : 4;
  const uint32_t room = layout.block_size - layout.header_size;
  layout.max_records = room / layout.record_size;
  layout.max_pointers = room / (layout.key_slot + layout.pointer_size);
  layout.max_levels = MaxLevels(layout, geometry);
  return layout;
}

}  // namespace ondisk
