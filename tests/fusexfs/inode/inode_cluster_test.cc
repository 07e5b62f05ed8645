// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/inode_cluster.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

// What the superblock says of inodes: mkfs.xfs's values for these sizes.
struct Shape {
  const char* name;
  bool crc, aligned;
  uint8_t block_log, inode_log;
  uint32_t alignment;  // blocks, sb_inoalignmt
  uint32_t blocks;     // per cluster, as the kernel computes them
};

ondisk::Geometry GeometryOf(const Shape& shape) {
  ondisk::Geometry g;
  g.features.crc = shape.crc;
  g.features.aligned_inodes = shape.aligned;
  g.block_log = shape.block_log;
  g.block_size = 1u << shape.block_log;
  g.inode_log = shape.inode_log;
  g.inode_size = 1u << shape.inode_log;
  g.inodes_per_block_log =
      static_cast<uint8_t>(shape.block_log - shape.inode_log);
  g.inodes_per_block = 1u << g.inodes_per_block_log;
  g.inode_alignment = shape.alignment;
  g.sector_log = 9;
  g.sector_size = 512;
  g.ag_block_log = 12;
  g.ag_blocks = 4001;
  g.ag_count = 2;
  g.data_blocks = 2 * 4001;
  return g;
}

TEST(InodeClusterBlocks, AreTheKernels) {
  const Shape kShapes[] = {
      {"default V5, sparse inodes", true, true, 12, 9, 8, 4},
      {"1 KiB blocks", true, true, 10, 9, 32, 16},
      {"64 KiB blocks", true, true, 16, 9, 1, 1},
      {"inodes of 2 KiB", true, true, 12, 11, 32, 16},
      {"V5 without sparse inodes", true, true, 12, 9, 4, 4},
      {"V4, 256 bytes", false, true, 12, 8, 2, 2},
      {"V4, 1 KiB blocks", false, true, 10, 8, 8, 8},
      {"V4 without alignment", false, false, 12, 8, 0, 1},
      {"alignment smaller than a cluster", true, true, 12, 9, 2, 2},
      {"no alignment", true, true, 12, 9, 1, 1},
      {"alignment that no cluster divides", true, true, 12, 9, 5, 1},
  };
  for (const Shape& shape : kShapes) {
    EXPECT_EQ(InodeClusterBlocks(GeometryOf(shape)), shape.blocks)
        << shape.name;
  }
}

TEST(LocateInode, FindsTheClusterAndThePlaceInIt) {
  const ondisk::Geometry g = GeometryOf({"default", true, true, 12, 9, 8, 4});
  // Inode 131 of AG 1: block 16, index 3; clusters of 4 blocks.
  const absl::StatusOr<InodePlace> first =
      LocateInode(g, InodeNumber((1u << 15) + 131));
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->cluster.value, (4001u + 16) * 8);
  EXPECT_EQ(first->cluster_bytes, 16384u);
  EXPECT_EQ(first->offset, 3u * 512);
  // Block 19, index 7: the last of that cluster.
  const absl::StatusOr<InodePlace> last =
      LocateInode(g, InodeNumber((1u << 15) + 159));
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(last->cluster, first->cluster);
  EXPECT_EQ(last->offset, 31u * 512);
}

TEST(LocateInode, RefusesWhatCannotNameAnInode) {
  const ondisk::Geometry g = GeometryOf({"default", true, true, 12, 9, 8, 4});
  const uint64_t kBad[] = {
      0,             // the AG's headers
      7,             // the same block
      2u << 15,      // behind the last AG
      4001u << 3,    // behind the AG's last block
      4000u << 3,    // its cluster would end behind the AG
      ~uint64_t{0},  // the null inode
      uint64_t{1} << 63,
  };
  for (const uint64_t number : kBad) {
    EXPECT_EQ(ondisk::ErrnoOf(LocateInode(g, InodeNumber(number)).status()),
              EINVAL)
        << number;
  }
}

}  // namespace
}  // namespace fusexfs
