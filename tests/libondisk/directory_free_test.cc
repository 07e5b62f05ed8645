// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_free.h"

#include <gtest/gtest.h>

#include "tests/support/fork_block.h"
#include "tests/support/lie.h"

namespace ondisk {
namespace {

using fusexfs::ForkBlock;

constexpr size_t kCrc = offsetof(Directory3BlockHeader, crc);
constexpr uint64_t kFreeStart = kDirectoryFreeOffset / 4096;

ForkBlock FreeBlock() {
  return fusexfs::GoldenForkBlock("tiny-v5", "directories/node", Fork::kData,
                                  kFreeStart);
}

// Values by xfs_db 6.13: `dblock 16777216`, `p`.
TEST(DirectoryFree, ShowsWhatXfsDbShows) {
  const ForkBlock block = FreeBlock();
  const auto free = ViewDirectoryFree(block.geometry, block.bytes);
  EXPECT_EQ(free.first.value, 0u);
  EXPECT_EQ(free.used, 24u);
  ASSERT_EQ(free.bests.size(), 24u);
  EXPECT_EQ(free.bests[0].value(), 8);
  EXPECT_EQ(free.bests[10].value(), 0x10);
  EXPECT_EQ(free.bests[13].value(), 0x18);
  EXPECT_EQ(free.bests[23].value(), 0x88);
}

TEST(DirectoryFree, CatchesLies) {
  ExpectLiesCaught(FreeBlock(), kCrc, VerifyDirectoryFree,
                   {
                       {"magic", 0, 4, 0x58443246, "magic"},
                       {"nvalid", 52, 4, 60000, "nvalid"},
                       {"nused", 56, 4, 25, "nused"},
                       {"nused too small", 56, 4, 23, "nused"},
                       {"firstdb", 48, 4, 7, "firstdb"},
                       {"blkno", 8, 8, 8, "blkno"},
                   });
}

TEST(DirectoryFree, KnowsItsPlace) {
  const ForkBlock block = FreeBlock();
  Checker right("b", Where{}), wrong("b", Where{});
  VerifyDirectoryFreePlace(block.geometry, DaBlock(kFreeStart), block.bytes,
                           right);
  VerifyDirectoryFreePlace(block.geometry, DaBlock(kFreeStart + 1), block.bytes,
                           wrong);
  EXPECT_FALSE(right.failed());
  EXPECT_TRUE(wrong.failed());
}

TEST(DirectoryFree, SurvivesDamageToEveryByte) {
  ExpectEveryByteSurvived(FreeBlock(), kCrc, VerifyDirectoryFree,
                          ExplainDirectoryFree);
}

TEST(DirectoryFree, IsExplainedValueByValue) {
  const ForkBlock block = FreeBlock();
  const Explanation all =
      ExplainDirectoryFree(block.geometry, block.address, block.bytes);
  EXPECT_TRUE(all.AllChecksHold());
  EXPECT_EQ(ValueOf(all, "nused"), "24");
  EXPECT_EQ(ValueOf(all, "bests[23]"), "136");
}

}  // namespace
}  // namespace ondisk
