// SPDX-License-Identifier: GPL-2.0-or-later
// Counters of the golden image tiny-1k. Expected values come from xfs_db 6.13:
// `agf N`, `agi N`, `sb 0`.
#include "fusexfs/space/summary_counts.h"

#include <gtest/gtest.h>

#include "libondisk/agf.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"
#include "tests/support/damage.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

TEST(SummaryCounts, SumOverTheGroupsIsWhatUnmountWrote) {
  TestImage image("tiny-1k");
  ImageBytes bytes("tiny-1k");
  auto sum = SumOverGroups(image.groups);
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(sum->inodes, 640u + 2496);
  EXPECT_EQ(sum->free_inodes, 84u + 108);
  const auto& superblock = ondisk::View<ondisk::Superblock>(bytes.bytes);
  EXPECT_EQ(sum->free_blocks, superblock.fdblocks.value());
  EXPECT_EQ(sum->space_btree_blocks, 0u);  // all are roots
  EXPECT_TRUE(ArePossible(*sum, image.geometry));
}

TEST(SummaryCounts, SumThatCannotBeIsCorruption) {
  ImageBytes bytes("tiny-1k");
  // More free inodes than the AGs have.
  const uint64_t agi = bytes.geometry.AgiAddress(ondisk::AgNumber(0)).value
                       << ondisk::kDiskAddressShift;
  ondisk::PutSealed(ondisk::MutableBytes(bytes.bytes).subspan(agi, 512),
                    ondisk::kAgiCrcOffset, offsetof(ondisk::Agi, freecount), 4,
                    0x7fffffff);
  TestImage image(std::move(bytes.bytes));
  EXPECT_TRUE(ondisk::IsCorruption(SumOverGroups(image.groups).status()));
}

TEST(SummaryCounts, LiesOfASuperblockDoNotOverflowStatfs) {
  TestImage image("tiny-1k");
  SummaryCounts lie;
  lie.inodes = ~uint64_t{0};
  lie.free_inodes = ~uint64_t{0};
  lie.free_blocks = ~uint64_t{0};
  EXPECT_FALSE(ArePossible(lie, image.geometry));
  const FreeNumbers numbers = NumbersForStatfs(image.geometry, lie);
  EXPECT_GE(numbers.files, numbers.files_free);
}

}  // namespace
}  // namespace fusexfs
