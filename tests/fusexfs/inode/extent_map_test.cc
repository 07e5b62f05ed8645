// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/extent_map.h"

#include <gtest/gtest.h>

namespace fusexfs {
namespace {

using ondisk::FileBlock;
using ondisk::FsBlock;

TEST(ExtentMap, FindsTheExtentThatHoldsABlockOrTheNext) {
  const ExtentMap map({{FileBlock(2), FsBlock(100), 3, false},
                       {FileBlock(5), FsBlock(200), 1, true},
                       {FileBlock(10), FsBlock(300), 10, false}});
  EXPECT_EQ(map.FindFrom(FileBlock(0)), 0u);
  EXPECT_EQ(map.FindFrom(FileBlock(4)), 0u);
  EXPECT_EQ(map.FindFrom(FileBlock(5)), 1u);
  EXPECT_EQ(map.FindFrom(FileBlock(6)), 2u);
  EXPECT_EQ(map.FindFrom(FileBlock(19)), 2u);
  EXPECT_EQ(map.FindFrom(FileBlock(20)), 3u);
  EXPECT_EQ(map.FindFrom(FileBlock(~uint64_t{0})), 3u);
}

TEST(ExtentMap, OfAnEmptyForkFindsNothing) {
  const ExtentMap map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.FindFrom(FileBlock(0)), 0u);
}

}  // namespace
}  // namespace fusexfs
