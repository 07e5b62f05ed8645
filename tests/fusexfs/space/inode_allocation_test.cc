// SPDX-License-Identifier: GPL-2.0-or-later
// Inode chunks of the golden image tiny-1k. Expected values come from xfs_db
// 6.13: `agi 0`, `addr root`, `p`:
//   [64,0,64,0,0] ... [512,0,64,4,0x1008040200000000] ...
//   [3776,0,64,33,0xffffa49249249249]
#include "fusexfs/space/inode_allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::AgNumber;
using ondisk::InodeNumber;
using ::testing::ElementsAre;

class InodeAllocationTest : public ::testing::Test {
 protected:
  bool IsAllocated(uint64_t number) {
    auto answer = IsInodeAllocated(image_.groups, InodeNumber(number));
    EXPECT_TRUE(answer.ok());
    return answer.value_or(false);
  }
  TestImage image_{"tiny-1k"};
};

TEST_F(InodeAllocationTest, ReadsTheMaskOfTheChunk) {
  EXPECT_TRUE(IsAllocated(64));
  EXPECT_TRUE(IsAllocated(127));
  EXPECT_FALSE(IsAllocated(63));   // no chunk before
  EXPECT_FALSE(IsAllocated(256));  // between chunks
  EXPECT_TRUE(IsAllocated(544));
  EXPECT_FALSE(IsAllocated(545));   // bit 33 of 0x1008040200000000
  EXPECT_FALSE(IsAllocated(3776));  // bit 0 of 0xffffa49249249249
  EXPECT_TRUE(IsAllocated(3777));
  EXPECT_FALSE(IsAllocated(3839));
  EXPECT_FALSE(IsAllocated(3840));
}

TEST_F(InodeAllocationTest, NumbersThatCannotBeAreNotAllocated) {
  EXPECT_FALSE(IsAllocated(0));
  EXPECT_FALSE(IsAllocated(uint64_t{1} << 40));
  EXPECT_FALSE(IsAllocated(~uint64_t{0}));
}

TEST_F(InodeAllocationTest, VisitsEveryChunkInOrderUntilToldToStop) {
  std::vector<uint32_t> starts;
  const auto visit = [&](const ondisk::InobtRecord& chunk) {
    starts.push_back(chunk.start.value);
    return starts.size() < 12;
  };
  ASSERT_TRUE(ForEachInodeChunk(image_.groups[AgNumber(0)], visit).ok());
  EXPECT_THAT(starts, ElementsAre(64, 128, 192, 384, 512, 2752, 3008, 3264,
                                  3520, 3776));
  starts.clear();
  starts.resize(10);
  ASSERT_TRUE(ForEachInodeChunk(image_.groups[AgNumber(1)], visit).ok());
  EXPECT_EQ(starts.size(), 12u);
}

}  // namespace
}  // namespace fusexfs
