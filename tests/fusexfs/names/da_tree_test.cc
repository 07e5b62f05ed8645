// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/da_tree.h"

#include <gtest/gtest.h>

#include <string>

#include "fusexfs/names/block_types.h"
#include "libondisk/attribute_leaf.h"
#include "libondisk/da_btree.h"
#include "libondisk/directory.h"
#include "libondisk/directory_leaf.h"
#include "tests/support/fork_block.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

constexpr char kImage[] = "deep-names";

// The other tests of this room go through these trees; here is that they are
// as deep as the image promises. (xfs_db: `p nhdr.level`, `p nhdr.count`.)
TEST(DeepNames, HasTreesOfOneAndTwoLevels) {
  const ForkBlock directory = GoldenForkBlock(
      kImage, "wide", ondisk::Fork::kData, ondisk::kDirectoryLeafOffset / 1024);
  const auto node = ondisk::ViewDaNode(directory.geometry, directory.bytes);
  EXPECT_EQ(node.level, 1);
  EXPECT_EQ(node.entries.size(), 47u);
  const ForkBlock attributes =
      GoldenForkBlock(kImage, "attributes", ondisk::Fork::kAttribute, 0);
  EXPECT_EQ(ondisk::ViewDaNode(attributes.geometry, attributes.bytes).level, 2);
}

TEST(DaTreeWalk, GoesThroughAllLeavesInHashOrder) {
  TestImage image(kImage);
  const NamesContext context = ContextOf(image);
  const InodeRef wide = GetInode(image, InodeOfPath(kImage, "wide"));
  const auto fork = DaFork::Open(context, *wide, DaFork::Kind::kDirectory);
  ASSERT_TRUE(fork.ok());
  DaTreeWalk walk(*fork, kDirectoryTreeBlock,
                  ondisk::DirectoryLeafStart(image.geometry));
  ASSERT_TRUE(walk.Find(0).ok());
  size_t names = 0;
  uint32_t last = 0;
  ondisk::DaBlock expected = walk.leaf_block();
  while (true) {
    // The links between leaves tell the same order as the nodes do.
    EXPECT_EQ(walk.leaf_block(), expected);
    const auto leaf =
        ondisk::ViewDirectoryLeaf(image.geometry.features, walk.leaf());
    for (const auto& entry : leaf.entries) {
      ASSERT_GE(entry.hashval.value(), last);
      last = entry.hashval.value();
      if (entry.address.value() != ondisk::kNullDirectoryPointer) ++names;
    }
    expected = ondisk::DaBlock(leaf.forw);
    const auto more = walk.Next();
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
  }
  EXPECT_EQ(expected.value, 0u);
  EXPECT_EQ(names, 14002u);  // with "." and ".."
}

TEST(DaTreeWalk, StartsWhereAHashMayBe) {
  TestImage image(kImage);
  const NamesContext context = ContextOf(image);
  const InodeRef inode = GetInode(image, InodeOfPath(kImage, "attributes"));
  const auto fork = DaFork::Open(context, *inode, DaFork::Kind::kAttribute);
  ASSERT_TRUE(fork.ok());
  DaTreeWalk walk(*fork, kAttributeTreeBlock, ondisk::DaBlock(0));
  ASSERT_TRUE(walk.Find(~0u).ok());
  const auto last =
      ondisk::ViewAttributeLeaf(image.geometry.features, walk.leaf());
  EXPECT_EQ(last.forw, 0u);
  EXPECT_FALSE(*walk.Next());
  ASSERT_TRUE(walk.Find(0).ok());
  EXPECT_EQ(
      ondisk::ViewAttributeLeaf(image.geometry.features, walk.leaf()).back, 0u);
  EXPECT_TRUE(*walk.Next());
}

}  // namespace
}  // namespace fusexfs
