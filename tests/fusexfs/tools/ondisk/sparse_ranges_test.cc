// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/sparse_ranges.h"

#include <gtest/gtest.h>

namespace fusexfs::tool {
namespace {

TEST(RangeCollector, KeepsRangesWhileThereIsRoom) {
  RangeCollector collector(3);
  collector.Add({0, 10});
  collector.Add({20, 10});
  collector.Add({100, 1});
  const auto ranges = collector.Take();
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[1].offset, 20u);
  EXPECT_EQ(ranges[2].length, 1u);
}

TEST(RangeCollector, JoinsNeighbours) {
  RangeCollector collector(3);
  collector.Add({0, 10});
  collector.Add({10, 5});
  const auto ranges = collector.Take();
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(ranges[0].length, 15u);
}

TEST(RangeCollector, StaysWithinItsLimitAndLosesNoData) {
  constexpr uint64_t kCount = 10'000;
  RangeCollector collector(16);
  // Data of 1 byte at multiples of 100, a large hole in the middle.
  const auto at = [](uint64_t i) {
    return i * 100 + (i >= kCount / 2 ? uint64_t{1} << 40 : 0);
  };
  for (uint64_t i = 0; i < kCount; ++i) collector.Add({at(i), 1});
  const auto ranges = collector.Take();
  EXPECT_LE(ranges.size(), 16u);
  EXPECT_GE(ranges.size(), 2u);  // the large hole is still one
  size_t r = 0;
  for (uint64_t i = 0; i < kCount; ++i) {
    while (r < ranges.size() && ranges[r].offset + ranges[r].length <= at(i))
      ++r;
    ASSERT_LT(r, ranges.size());
    ASSERT_LE(ranges[r].offset, at(i));
  }
}

}  // namespace
}  // namespace fusexfs::tool
