// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_leaf.h"

#include <gtest/gtest.h>

#include "tests/support/fork_block.h"
#include "tests/support/lie.h"

namespace ondisk {
namespace {

using fusexfs::ForkBlock;
using fusexfs::GoldenForkBlock;

constexpr size_t kCrc = offsetof(Da3BlockInfo, crc);
constexpr uint64_t kLeafStart = kDirectoryLeafOffset / 4096;

ForkBlock Leaf1() {
  return GoldenForkBlock("tiny-v5", "directories/leaf", Fork::kData,
                         kLeafStart);
}
ForkBlock LeafN() {
  return GoldenForkBlock("tiny-v5", "directories/node", Fork::kData,
                         kLeafStart + 1);
}

// Values by xfs_db 6.13: `dblock 8388608`, `p lhdr`, `p lents`, `p lbests`.
TEST(DirectoryLeaf1, ShowsWhatXfsDbShows) {
  const ForkBlock block = Leaf1();
  const auto leaf = ViewDirectoryLeaf(block.geometry.features, block.bytes);
  EXPECT_EQ(leaf.forw, 0u);
  EXPECT_EQ(leaf.stale, 0);
  ASSERT_EQ(leaf.entries.size(), 302u);
  EXPECT_EQ(leaf.entries[2].hashval.value(), 0x545214cu);
  EXPECT_EQ(leaf.entries[2].address.value(), 0x394u);
  ASSERT_EQ(leaf.bests.size(), 3u);
  EXPECT_EQ(leaf.bests[0].value(), 8);
  EXPECT_EQ(leaf.bests[2].value(), 0x1e0);
}

TEST(DirectoryLeaf, FindsTheFirstEntryNotBelowAHash) {
  const ForkBlock block = Leaf1();
  const auto entries =
      ViewDirectoryLeaf(block.geometry.features, block.bytes).entries;
  EXPECT_EQ(FindLeafEntry(entries, 0), 0u);
  EXPECT_EQ(FindLeafEntry(entries, 0x172e), 1u);
  EXPECT_EQ(FindLeafEntry(entries, 0x172f), 2u);
  EXPECT_EQ(FindLeafEntry(entries, 0xffffffff), entries.size());
}

TEST(DirectoryLeaf1, CatchesLies) {
  ExpectLiesCaught(
      Leaf1(), kCrc, VerifyDirectoryLeaf1,
      {
          {"leafn's magic", 8, 2, kDirectoryLeafNMagicV5, "magic"},
          {"blkno", 16, 8, 8, "blkno"},
          {"bestcount too small", 4092, 4, 1, "ents[2].address"},
          {"bestcount huge", 4092, 4, 5000, "bestcount"},
          {"bestcount past 2^31", 4092, 4, 0xffffffff, "bestcount"},
          {"count", 56, 2, 5000, "count"},
          {"stale", 58, 2, 1, "stale"},
          {"address behind bests", 64 + 7 * 8 + 4, 4, 0x7fffff,
           "ents[7].address"},
          {"hash order", 64 + 7 * 8, 4, 1, "ents[7].hashval"},
      });
}

TEST(DirectoryLeafN, CatchesLies) {
  ExpectLiesCaught(LeafN(), kCrc, VerifyDirectoryLeafN,
                   {
                       {"leaf1's magic", 8, 2, kDirectoryLeaf1MagicV5, "magic"},
                       {"count", 56, 2, 505, "count"},
                       {"stale", 58, 2, 7, "stale"},
                       {"hash order", 64 + 8, 4, 0, "ents[1].hashval"},
                       {"uuid", 32, 4, 0, "uuid"},
                   });
}

TEST(DirectoryLeaf, SurvivesDamageToEveryByte) {
  ExpectEveryByteSurvived(Leaf1(), kCrc, VerifyDirectoryLeaf1,
                          [](const Geometry& g, DiskAddress a, Bytes b) {
                            // Damage to the magic changes what it is taken for.
                            return ExplainDirectoryLeaf(g, a, b);
                          });
  ExpectEveryByteSurvived(LeafN(), kCrc, VerifyDirectoryLeafN,
                          ExplainDirectoryLeaf);
}

TEST(DirectoryLeaf, IsExplainedEntryByEntry) {
  const ForkBlock block = Leaf1();
  const Explanation all =
      ExplainDirectoryLeaf(block.geometry, block.address, block.bytes);
  EXPECT_TRUE(all.AllChecksHold());
  EXPECT_EQ(ValueOf(all, "magic"), "0x3df1");
  EXPECT_EQ(ValueOf(all, "count"), "302");
  EXPECT_EQ(ValueOf(all, "ents[2].address"), "916");
  EXPECT_EQ(ValueOf(all, "bests[2]"), "480");
  EXPECT_EQ(ValueOf(all, "bestcount"), "3");
}

TEST(DirectoryLeafV4, IsReadWithTheShortHeader) {
  const ForkBlock block =
      GoldenForkBlock("tiny-v4", "directories/leaf", Fork::kData, kLeafStart);
  EXPECT_EQ(FirstField(VerifyDirectoryLeaf1, block, block.bytes), "none");
  const auto leaf = ViewDirectoryLeaf(block.geometry.features, block.bytes);
  EXPECT_EQ(leaf.entries.size(), 302u);
}

}  // namespace
}  // namespace ondisk
