// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute_leaf.h"

#include <gtest/gtest.h>

#include <string>

#include "libondisk/name_hash.h"
#include "tests/support/fork_block.h"
#include "tests/support/lie.h"

namespace ondisk {
namespace {

using fusexfs::ForkBlock;
using fusexfs::GoldenForkBlock;

constexpr size_t kCrc = offsetof(Da3BlockInfo, crc);
constexpr size_t kEntries = sizeof(Attribute3LeafHeader);

ForkBlock Leaf() {
  return GoldenForkBlock("tiny-v5", "attributes/leaf", Fork::kAttribute, 0);
}
// A leaf of the tree with remote values.
ForkBlock RemoteLeaf() {
  return GoldenForkBlock("tiny-v5", "attributes/remote", Fork::kAttribute, 3);
}

std::string Text(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// Values by xfs_db 6.13: `ablock 0`, `p hdr`, `p entries`, `p nvlist`.
TEST(AttributeLeaf, ShowsWhatXfsDbShows) {
  const ForkBlock block = Leaf();
  const auto leaf = ViewAttributeLeaf(block.geometry.features, block.bytes);
  ASSERT_EQ(leaf.entries.size(), 21u);
  EXPECT_EQ(leaf.entries[1].hashval.value(), 0x65758f36u);
  EXPECT_EQ(leaf.entries[1].nameidx.value(), 3928);
  const AttributeView parent = AttributeOf(leaf.entries[0], block.bytes);
  EXPECT_EQ(parent.name, "leaf");
  EXPECT_TRUE(parent.is_parent_pointer());
  EXPECT_EQ(parent.value.size(), 12u);
  const AttributeView user = AttributeOf(leaf.entries[1], block.bytes);
  EXPECT_EQ(user.name, "leaf-008");
  EXPECT_EQ(user.name_space(), 0);
  EXPECT_FALSE(user.remote);
  EXPECT_EQ(Text(user.value), "vvvvvvvv");
  EXPECT_EQ(FindAttributeEntry(leaf.entries, DaHash("leaf-008")), 1u);
}

TEST(AttributeLeaf, CatchesLies) {
  ExpectLiesCaught(
      Leaf(), kCrc, VerifyAttributeLeaf,
      {
          {"magic", 8, 2, 0x3dff, "magic"},
          {"blkno", 16, 8, 8, "blkno"},
          {"count", 56, 2, 5000, "count"},
          {"firstused in the header", 60, 2, 40, "firstused"},
          {"firstused behind names", 60, 2, 4000, ""},
          {"hash order", kEntries + 8, 4, 0, "entries[1].hashval"},
          {"name before firstused", kEntries + 8 + 4, 2, 200,
           "entries[1].nameidx"},
          {"name behind the block", kEntries + 8 + 4, 2, 4096,
           "entries[1].nameidx"},
          {"name at the last byte", kEntries + 8 + 4, 2, 4095,
           "entries[1].nameidx"},
          {"value too long", 3928, 2, 5000, "entries[1].nameidx"},
          {"name of no bytes", 3928 + 2, 1, 0, "entries[1].nameidx"},
          {"two namespaces", kEntries + 8 + 6, 1,
           kAttributeLocal | kAttributeRoot | kAttributeSecure,
           "entries[1].flags"},
          {"freemap base", 64, 2, 249, "freemap[0]"},
          {"freemap size", 66, 2, 4000, "freemap[0]"},
      });
}

TEST(AttributeLeaf, WantsAPlaceForRemoteValues) {
  const ForkBlock block = RemoteLeaf();
  const auto leaf = ViewAttributeLeaf(block.geometry.features, block.bytes);
  for (size_t i = 0; i < leaf.entries.size(); ++i) {
    const AttributeView attribute = AttributeOf(leaf.entries[i], block.bytes);
    if (!attribute.remote) continue;
    EXPECT_NE(attribute.remote_block.value, 0u);
    EXPECT_EQ("remote-" + std::to_string(attribute.value_length),
              attribute.name);
    const std::string field = "entries[" + std::to_string(i) + "].valueblk";
    ExpectLiesCaught(
        block, kCrc, VerifyAttributeLeaf,
        {{"valueblk 0", leaf.entries[i].nameidx.value(), 4, 0, field}});
    return;
  }
  FAIL() << "no remote value in this leaf";
}

TEST(AttributeLeaf, SurvivesDamageToEveryByte) {
  ExpectEveryByteSurvived(Leaf(), kCrc, VerifyAttributeLeaf,
                          ExplainAttributeLeaf);
  ExpectEveryByteSurvived(RemoteLeaf(), kCrc, VerifyAttributeLeaf,
                          ExplainAttributeLeaf);
}

TEST(AttributeLeaf, IsExplainedEntryByEntry) {
  const ForkBlock block = Leaf();
  const Explanation all =
      ExplainAttributeLeaf(block.geometry, block.address, block.bytes);
  EXPECT_TRUE(all.AllChecksHold());
  EXPECT_EQ(ValueOf(all, "usedbytes"), "460");
  EXPECT_EQ(ValueOf(all, "firstused"), "3636");
  EXPECT_EQ(ValueOf(all, "freemap[0]"), "3388 bytes at 248");
  EXPECT_EQ(ValueOf(all, "entries[0].flags"), "0x9 LOCAL|PARENT");
  EXPECT_EQ(ValueOf(all, "entries[1].name"), "\"leaf-008\"");
  EXPECT_EQ(ValueOf(all, "entries[1].value"), "\"vvvvvvvv\"");
}

TEST(AttributeLeafV4, IsReadWithTheShortHeader) {
  const ForkBlock block =
      GoldenForkBlock("tiny-v4", "attributes/leaf", Fork::kAttribute, 0);
  EXPECT_EQ(FirstField(VerifyAttributeLeaf, block, block.bytes), "none");
  const auto leaf = ViewAttributeLeaf(block.geometry.features, block.bytes);
  ASSERT_EQ(leaf.entries.size(), 24u);
  const size_t at = FindAttributeEntry(leaf.entries, DaHash("leaf-007"));
  const AttributeView attribute = AttributeOf(leaf.entries[at], block.bytes);
  EXPECT_EQ(attribute.name, "leaf-007");
  EXPECT_EQ(Text(attribute.value), std::string(40, 'v'));
}

}  // namespace
}  // namespace ondisk
