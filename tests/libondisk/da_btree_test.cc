// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/da_btree.h"

#include <gtest/gtest.h>

#include "libondisk/da_explain.h"
#include "libondisk/directory.h"
#include "tests/support/fork_block.h"
#include "tests/support/lie.h"

namespace ondisk {
namespace {

using fusexfs::ForkBlock;

constexpr size_t kCrc = offsetof(Da3BlockInfo, crc);

ForkBlock Node() {
  return fusexfs::GoldenForkBlock("tiny-v5", "directories/node", Fork::kData,
                                  kDirectoryLeafOffset / 4096);
}

// Values by xfs_db 6.13: `dblock 8388608`, `p nhdr`, `p nbtree`.
TEST(DaNode, ShowsWhatXfsDbShows) {
  const ForkBlock block = Node();
  const DaNodeView node = ViewDaNode(block.geometry, block.bytes);
  EXPECT_EQ(node.level, 1);
  ASSERT_EQ(node.entries.size(), 8u);
  EXPECT_EQ(node.entries[0].hashval.value(), 0x219c9cdcu);
  EXPECT_EQ(node.entries[0].before.value(), 8388610u);
  EXPECT_EQ(node.entries[7].hashval.value(), 0xfdbd4d15u);
}

TEST(DaNode, PicksTheChildThatMayHoldAHash) {
  const ForkBlock block = Node();
  const DaNodeView node = ViewDaNode(block.geometry, block.bytes);
  EXPECT_EQ(FindDaChild(node, 0), 0u);
  EXPECT_EQ(FindDaChild(node, 0x219c9cdc), 0u);
  EXPECT_EQ(FindDaChild(node, 0x219c9cdd), 1u);
  EXPECT_EQ(FindDaChild(node, 0xffffffff), 7u);
}

TEST(DaNode, CatchesLies) {
  ExpectLiesCaught(Node(), kCrc, VerifyDaNode,
                   {
                       {"magic", 8, 2, 0xfebe, "magic"},
                       {"blkno", 16, 8, 8, "blkno"},
                       {"uuid", 32, 2, 0x1111, "uuid"},
                       {"level 9", 58, 2, 9, "level"},
                       {"level 0", 58, 2, 0, "level"},
                       {"count 0", 56, 2, 0, "count"},
                       {"count too large", 56, 2, 505, "count"},
                       {"hash order", 64 + 8, 4, 1, "btree[1].hashval"},
                   });
}

TEST(DaNode, KnowsItsOwner) {
  const ForkBlock block = Node();
  Checker right("b", Where{}), wrong("b", Where{});
  VerifyDaOwner(block.geometry, block.bytes, block.owner, right);
  VerifyDaOwner(block.geometry, block.bytes, InodeNumber(5), wrong);
  EXPECT_FALSE(right.failed());
  EXPECT_TRUE(wrong.failed());
}

TEST(DaNode, SurvivesDamageToEveryByte) {
  ExpectEveryByteSurvived(Node(), kCrc, VerifyDaNode, ExplainDaNode);
}

TEST(DaExplain, GoesByTheMagicNumber) {
  const ForkBlock block = Node();
  const auto all = ExplainDaBlock(block.geometry, block.address, block.bytes);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->structure, "da node");
  EXPECT_EQ(ValueOf(*all, "btree[7].before"), "8388615");
  EXPECT_EQ(DaBlockSize(block.geometry, block.bytes, true),
            block.geometry.directory_block_size);
  const std::vector<uint8_t> zeros(4096);
  EXPECT_FALSE(ExplainDaBlock(block.geometry, block.address, zeros));
  EXPECT_FALSE(DaBlockSize(block.geometry, zeros, true));
}

}  // namespace
}  // namespace ondisk
