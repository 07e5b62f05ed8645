// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/btree_traits.h"

#include "gtest/gtest.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

Geometry WithBlockLog(Geometry geometry, uint8_t block_log) {
  geometry.block_log = block_log;
  geometry.block_size = 1u << block_log;
  return geometry;
}

// Offsets as xfs_db names them ("daddr N; type X; print -o"), by arithmetic on
// the format description: header, then entries of a fixed size.
TEST(BtreeLayout, MatchesTheBlocksOfTheSampleImage) {
  const Geometry g = SampleGeometry();
  const BtreeLayout bno = BtreeLayout::Of(BtreeKind::kBnobt, g);
  EXPECT_EQ(bno.magic, 0x41423342u);
  EXPECT_EQ(bno.header_size, 56u);
  EXPECT_EQ(bno.max_records, 121u);
  EXPECT_EQ(bno.max_pointers, 80u);

  // The sample's refcountbt splits with 80 records in a leaf; its rmapbt with
  // 40 (xfs_db: minleafrecs and maxleafrecs of the btree geometry).
  EXPECT_EQ(BtreeLayout::Of(BtreeKind::kRefcountbt, g).max_records, 80u);
  const BtreeLayout rmap = BtreeLayout::Of(BtreeKind::kRmapbt, g);
  EXPECT_EQ(rmap.max_records, 40u);
  EXPECT_EQ(rmap.max_pointers, 22u);
  EXPECT_EQ(rmap.KeyOffset(1), 96u);
  EXPECT_EQ(rmap.HighKeyOffset(0), 76u);
  EXPECT_EQ(rmap.PointerOffset(0), 936u);

  const BtreeLayout bmbt = BtreeLayout::Of(BtreeKind::kBmbt, g);
  EXPECT_EQ(bmbt.max_records, 59u);
  EXPECT_EQ(bmbt.pointer_size, 8u);
  EXPECT_EQ(bmbt.HighKeyOffset(3), bmbt.KeyOffset(3));
}

TEST(BtreeLayout, V4HasShortHeadersAndItsOwnMagicNumbers) {
  const Geometry g = SampleGeometryV4();
  const BtreeLayout ino = BtreeLayout::Of(BtreeKind::kInobt, g);
  EXPECT_EQ(ino.magic, 0x49414254u);
  EXPECT_EQ(ino.header_size, 16u);
  EXPECT_EQ(ino.max_records, 63u);
  EXPECT_EQ(BtreeLayout::Of(BtreeKind::kBmbt, g).header_size, 24u);
  EXPECT_EQ(BtreeLayout::Of(BtreeKind::kRmapbt, g).magic, 0u);
}

TEST(BtreeLayout, EveryBlockFitsItsEntriesAtEveryBlockSize) {
  for (uint8_t log = 9; log <= 16; ++log) {
    for (const Geometry& base : {SampleGeometry(), SampleGeometryV4()}) {
      const Geometry g = WithBlockLog(base, log);
      for (uint32_t kind = 0; kind < kBtreeKinds; ++kind) {
        const BtreeLayout l = BtreeLayout::Of(static_cast<BtreeKind>(kind), g);
        EXPECT_LE(l.RecordOffset(l.max_records), l.block_size);
        EXPECT_GT(l.RecordOffset(l.max_records + 1), l.block_size);
        EXPECT_LE(l.PointerOffset(l.max_pointers), l.block_size);
        EXPECT_EQ(l.KeyOffset(l.max_pointers), l.PointerOffset(0));
        EXPECT_GE(l.max_pointers, 4u);  // half of it branches
        EXPECT_GE(l.max_levels, 1u);
        EXPECT_LE(l.max_levels, 16u);
      }
    }
  }
}

// The limits that the kernel computes (xfs_btree_compute_maxlevels and
// xfs_btree_space_to_height), worked out by hand for 32768 blocks of 1 KiB;
// half-full blocks:
//   bnobt: 16384 records, 60 to a leaf: 274 leaves, 40 to a node: 7, 1
//   refcountbt: 32768 records, 40 to a leaf: 820 leaves, 60 to a node: 14, 1
//   inobt: 2^16 inodes are 1024 chunks, 30 to a leaf: 35 leaves, 60 to a node:
//   1 rmapbt with reflink: levels of 1, 2, 22, 242, 2662, 29282 blocks
TEST(BtreeLayout, DepthLimitsAreTheKernels) {
  const Geometry g = SampleGeometry();
  EXPECT_EQ(BtreeLayout::Of(BtreeKind::kBnobt, g).max_levels, 3u);
  EXPECT_EQ(BtreeLayout::Of(BtreeKind::kRefcountbt, g).max_levels, 3u);
  EXPECT_EQ(BtreeLayout::Of(BtreeKind::kInobt, g).max_levels, 2u);
  EXPECT_EQ(BtreeLayout::Of(BtreeKind::kRmapbt, g).max_levels, 6u);
}

TEST(BtreeTraits, NamesLeadToKindsAndBack) {
  for (uint32_t i = 0; i < kBtreeKinds; ++i) {
    const auto kind = static_cast<BtreeKind>(i);
    EXPECT_EQ(TraitsOf(kind).kind, kind);
    EXPECT_EQ(BtreeKindByName(TraitsOf(kind).name), kind);
  }
  EXPECT_FALSE(BtreeKindByName("bno"));
}

TEST(BtreeTraits, ImagesHaveTheTreesOfTheirFeatures) {
  Features none;
  EXPECT_TRUE(HasBtree(BtreeKind::kBnobt, none));
  EXPECT_FALSE(HasBtree(BtreeKind::kFinobt, none));
  EXPECT_FALSE(HasBtree(BtreeKind::kRmapbt, none));
  EXPECT_FALSE(HasBtree(BtreeKind::kRefcountbt, none));
  EXPECT_TRUE(HasBtree(BtreeKind::kRefcountbt, SampleGeometry().features));
}

}  // namespace
}  // namespace ondisk
