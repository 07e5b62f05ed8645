// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/node_id.h"

#include <gtest/gtest.h>

namespace fusexfs {
namespace {

constexpr ondisk::InodeNumber kRoot(128);

TEST(NodeIdsTest, RootIsOneAndBack) {
  const NodeIds nodes(kRoot);
  EXPECT_EQ(nodes.NodeOf(kRoot), 1u);
  EXPECT_EQ(nodes.InodeOf(1), kRoot);
}

TEST(NodeIdsTest, OtherInodesAreTheirNumber) {
  const NodeIds nodes(kRoot);
  const ondisk::InodeNumber far((uint64_t{1} << 55) + 7);
  EXPECT_EQ(nodes.NodeOf(far), far.value);
  EXPECT_EQ(nodes.InodeOf(far.value), far);
}

// A file handle made from an old listing may hold the root's own number.
TEST(NodeIdsTest, RootsNumberAlsoLeadsToTheRoot) {
  EXPECT_EQ(NodeIds(kRoot).InodeOf(kRoot.value), kRoot);
}

TEST(NodeIdsTest, RootHasGenerationZero) {
  const NodeIds nodes(kRoot);
  EXPECT_EQ(nodes.GenerationOf(kRoot, 77), 0u);
  EXPECT_EQ(nodes.GenerationOf(ondisk::InodeNumber(131), 77), 77u);
}

}  // namespace
}  // namespace fusexfs
