// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/ioctl.h"

#include <gtest/gtest.h>
#include <linux/fs.h>

#include <cstddef>

#include "fusexfs/fuse/ioctl_fiemap.h"

namespace fusexfs {
namespace {

TEST(IoctlHeaderTest, LayoutIsFixedAndFitsFuse) {
  EXPECT_EQ(sizeof(fusexfs_fiemap), 16328u);
  EXPECT_LT(sizeof(fusexfs_fiemap), 16384u);
  EXPECT_EQ(offsetof(fusexfs_fiemap, start), 0u);
  EXPECT_EQ(offsetof(fusexfs_fiemap, length), 8u);
  EXPECT_EQ(offsetof(fusexfs_fiemap, version), 16u);
  EXPECT_EQ(offsetof(fusexfs_fiemap, flags), 20u);
  EXPECT_EQ(offsetof(fusexfs_fiemap, count), 24u);
  EXPECT_EQ(offsetof(fusexfs_fiemap, more), 28u);
  EXPECT_EQ(offsetof(fusexfs_fiemap, extents), 32u);
  // Direction, size 0x3fc8, letter 0xfa, number 1: what programs have compiled
  // in must not change.
  EXPECT_EQ(FUSEXFS_IOC_FIEMAP, 0xffc8fa01u);
}

TEST(IoctlHeaderTest, IsKnownInAnySizeAndNothingElseIs) {
  EXPECT_TRUE(IsFiemapCommand(FUSEXFS_IOC_FIEMAP));
  EXPECT_TRUE(IsFiemapCommand(FUSEXFS_IOC_FIEMAP_SMALL(1)));
  EXPECT_FALSE(IsFiemapCommand(FS_IOC_FIEMAP));
  EXPECT_FALSE(IsFiemapCommand(FS_IOC_GETFLAGS));
  EXPECT_FALSE(IsFiemapCommand(_IOR(FUSEXFS_IOC_LETTER, 1, fusexfs_fiemap)));
  EXPECT_FALSE(IsFiemapCommand(_IOWR(FUSEXFS_IOC_LETTER, 2, fusexfs_fiemap)));
}

class NextTest : public ::testing::Test {
 protected:
  fusexfs_fiemap map_{};
};

TEST_F(NextTest, GoesOnBehindTheLastExtent) {
  map_.length = FUSEXFS_FIEMAP_WHOLE_FILE;
  map_.count = 2;
  map_.more = 1;
  map_.extents[1].fe_logical = 8192;
  map_.extents[1].fe_length = 4096;
  ASSERT_EQ(fusexfs_fiemap_next(&map_), 1);
  EXPECT_EQ(map_.start, 12288u);
  EXPECT_EQ(map_.length, FUSEXFS_FIEMAP_WHOLE_FILE);
}

TEST_F(NextTest, ShortensARangeThatHasAnEnd) {
  map_.start = 4096;
  map_.length = 65536;
  map_.count = 1;
  map_.more = 1;
  map_.extents[0].fe_logical = 0;  // began before the range
  map_.extents[0].fe_length = 8192;
  ASSERT_EQ(fusexfs_fiemap_next(&map_), 1);
  EXPECT_EQ(map_.start, 8192u);
  EXPECT_EQ(map_.length, 61440u);
}

TEST_F(NextTest, EndsWithTheAnswerOrTheRange) {
  map_.length = 4096;
  map_.count = 1;
  map_.extents[0].fe_length = 4096;
  EXPECT_EQ(fusexfs_fiemap_next(&map_), 0) << "nothing more to come";
  map_.more = 1;
  EXPECT_EQ(fusexfs_fiemap_next(&map_), 0) << "range used up";
}

// A mount that answers nonsense must not keep a program in its loop for ever.
TEST_F(NextTest, NeverStandsStill) {
  map_.start = 8192;
  map_.length = FUSEXFS_FIEMAP_WHOLE_FILE;
  map_.more = 1;
  EXPECT_EQ(fusexfs_fiemap_next(&map_), 0) << "no extents, but more";
  map_.count = 1;
  map_.extents[0].fe_logical = 0;
  map_.extents[0].fe_length = 8192;
  EXPECT_EQ(fusexfs_fiemap_next(&map_), 0) << "extent behind us";
  map_.extents[0].fe_logical = ~0ULL;
  EXPECT_EQ(fusexfs_fiemap_next(&map_), 0) << "offset that wraps around";
}

}  // namespace
}  // namespace fusexfs
