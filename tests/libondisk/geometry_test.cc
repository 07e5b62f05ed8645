// SPDX-License-Identifier: GPL-2.0-or-later
// The image behind the constants: mkfs.xfs 6.13 -d agsize=99m,su=64k,sw=3
// -s size=4096 on 317 MiB (an AG size that is no power of two, a short last
// AG); its numbers as xfs_db prints them (`convert`, `sb 0`).
#include "libondisk/geometry.h"

#include <gtest/gtest.h>

namespace ondisk {
namespace {

Geometry OddAgs() {
  Geometry g;
  g.block_size = 4096;
  g.block_log = 12;
  g.sector_size = 4096;
  g.sector_log = 12;
  g.inode_size = 512;
  g.inode_log = 9;
  g.inodes_per_block = 8;
  g.inodes_per_block_log = 3;
  g.ag_block_log = 15;
  g.ag_blocks = 25344;
  g.ag_count = 4;
  g.data_blocks = 81152;
  g.directory_block_size = 4096;
  g.directory_block_log = 12;
  return g;
}

TEST(GeometryTest, TheLastAgIsShort) {
  const Geometry g = OddAgs();
  EXPECT_EQ(g.AgSize(AgNumber(0)), 25344u);
  EXPECT_EQ(g.AgSize(AgNumber(3)), 81152u - 3 * 25344u);
}

TEST(GeometryTest, FsBlocksAreSparseWhereTheAgSizeIsNoPowerOfTwo) {
  const Geometry g = OddAgs();
  const FsBlock block = g.ToFsBlock(AgNumber(1), AgBlock(0));
  EXPECT_EQ(block.value, 32768u);
  EXPECT_EQ(g.ToDiskAddress(block).value, 25344u * 8);
  EXPECT_EQ(g.ToFsBlock(DiskAddress(25344u * 8)), block);
  EXPECT_EQ(g.ToByteOffset(block), 25344u * 4096u);
  EXPECT_FALSE(g.IsValid(FsBlock(25344))) << "between the AGs";
  EXPECT_FALSE(g.IsValid(FsBlock(uint64_t{4} << 15)));
  EXPECT_FALSE(g.IsValid(FsBlock(kNullFsBlock)));
}

TEST(GeometryTest, ExtentsStayWithinTheirAgAndOffItsHeaders) {
  const Geometry g = OddAgs();
  const FsBlock first = g.ToFsBlock(AgNumber(3), AgBlock(4));
  const uint32_t rest = g.AgSize(AgNumber(3)) - 4;
  EXPECT_TRUE(g.IsValidExtent(first, rest));
  EXPECT_FALSE(g.IsValidExtent(first, rest + 1));
  EXPECT_FALSE(g.IsValidExtent(first, 0));
  EXPECT_FALSE(g.IsValidExtent(first, ~uint64_t{0}));
  EXPECT_FALSE(g.IsValidExtent(g.ToFsBlock(AgNumber(1), AgBlock(3)), 1))
      << "4 KiB sectors: blocks 0 to 3 are the AG's headers";
}

TEST(GeometryTest, HeadersOfAnAgAreOneSectorEach) {
  Geometry g = OddAgs();
  EXPECT_EQ(g.AgfAddress(AgNumber(0)).value, 8u);
  EXPECT_EQ(g.AgflAddress(AgNumber(1)).value, 25344u * 8 + 24);
  EXPECT_EQ(g.AgflBlock().value, 3u);
  g.sector_size = 512;
  g.sector_log = 9;
  EXPECT_EQ(g.AgiAddress(AgNumber(0)).value, 2u);
  EXPECT_EQ(g.AgflBlock().value, 0u);
}

TEST(GeometryTest, InodeNumbersTakeApartAndTogether) {
  const Geometry g = OddAgs();
  // xfs_db: convert inode 786570 agno / agbno / agino / inoidx
  const InodeNumber inode(786570);
  EXPECT_EQ(g.AgOf(inode).value, 3u);
  EXPECT_EQ(g.AgInodeOf(inode).value, 138u);
  EXPECT_EQ(g.AgBlockOf(inode).value, 17u);
  EXPECT_EQ(g.IndexInBlock(inode), 2u);
  EXPECT_EQ(g.ToInodeNumber(AgNumber(3), AgInode(138)), inode);
  EXPECT_TRUE(g.IsValid(inode));
  EXPECT_FALSE(g.IsValid(InodeNumber(0)));
  EXPECT_FALSE(g.IsValid(InodeNumber(kNullInode)));
  EXPECT_FALSE(g.IsValid(InodeNumber(uint64_t{25344} << 3)))
      << "behind the end of AG 0";
}

}  // namespace
}  // namespace ondisk
