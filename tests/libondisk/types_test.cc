// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/types.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace ondisk {
namespace {

static_assert(!std::is_convertible_v<AgBlock, FsBlock>);
static_assert(!std::is_convertible_v<uint64_t, FsBlock>);

TEST(NumberTest, OrdersAndSubtractsWithinOneKind) {
  EXPECT_LT(FsBlock(3), FsBlock(4));
  EXPECT_EQ(FsBlock(10) - FsBlock(4), 6u);
  EXPECT_EQ(FsBlock(10) + 5, FsBlock(15));
}

TEST(LsnTest, SplitsIntoCycleAndBlock) {
  const Lsn lsn(7, 1234);
  EXPECT_EQ(lsn.value, 0x00000007000004d2u);
  EXPECT_EQ(lsn.cycle(), 7u);
  EXPECT_EQ(lsn.block(), 1234u);
  EXPECT_LT(Lsn(7, 1234), Lsn(8, 0));
}

TEST(WithinTest, HoldsAtTheEdgesAndNeverOverflows) {
  const std::vector<uint8_t> bytes(16);
  constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
  EXPECT_TRUE(Within(bytes, 0, 16));
  EXPECT_TRUE(Within(bytes, 16, 0));
  EXPECT_FALSE(Within(bytes, 16, 1));
  EXPECT_FALSE(Within(bytes, 1, 16));
  EXPECT_FALSE(Within(bytes, 8, kHuge));
  EXPECT_FALSE(Within(bytes, kHuge, 8));
}

}  // namespace
}  // namespace ondisk
