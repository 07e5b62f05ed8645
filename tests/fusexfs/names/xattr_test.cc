// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/xattr.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "fusexfs/names/attribute_read.h"
#include "libondisk/attribute.h"
#include "libondisk/attribute_leaf.h"
#include "libondisk/attribute_remote.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/fork_block.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

std::vector<std::string> Split(const std::string& list) {
  std::vector<std::string> names;
  for (size_t at = 0; at < list.size();) {
    const size_t end = list.find('\0', at);
    EXPECT_NE(end, list.npos) << "the last name does not end";
    names.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

// The long values that the recipes make; the manifest has their lengths only
// (and hashes). See tests/support/python/xfsjudge/contents.py.
std::string RecipeText(std::string_view seed, size_t length) {
  std::string text;
  for (int line = 0; text.size() < length; ++line) {
    text += fmt::format("{}: this is line {:08} of a file that a test reads.\n",
                        seed, line);
  }
  text.resize(length);
  return text;
}

std::string ExpectedLongValue(bool v4, const std::string& path,
                              const std::string& name, size_t length) {
  if (v4) return std::string(length, 'v');
  if (name == "user.largest") return RecipeText("largest", length);
  if (name == "user.almost") return RecipeText("almost", length);
  return RecipeText(path == "attributes/mixed" ? "mixed" : "remote", length);
}

class GoldenXattrs : public testing::TestWithParam<const char*> {
 protected:
  TestImage image_{std::string_view(GetParam())};
};

// Names and values of every inode, against the kernel's listxattr and getxattr.
TEST_P(GoldenXattrs, AreWhatTheKernelGives) {
  size_t attributes = 0;
  const bool v4 = !image_.geometry.features.crc;
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("xattrs")) continue;
    SCOPED_TRACE(path);
    const InodeRef inode =
        GetInode(image_, InodeNumber(record["ino"].get<uint64_t>()));
    const auto list = ListXattrs(ContextOf(image_), *inode, true);
    ASSERT_TRUE(list.ok()) << list.status();
    std::vector<std::string> expected;
    for (const auto& [quoted, value] : record["xattrs"].items()) {
      const std::string name = UnquoteManifest(quoted);
      SCOPED_TRACE(quoted);
      expected.push_back(name);
      const auto found = GetXattr(ContextOf(image_), *inode, name);
      ASSERT_TRUE(found.ok()) << found.status();
      const size_t length = value[0].get<size_t>();
      ASSERT_EQ(found->size(), length);
      if (value.size() > 2) {
        EXPECT_EQ(*found, UnquoteManifest(value[2].get<std::string>()));
      } else if (name.starts_with("user.")) {
        EXPECT_EQ(*found, ExpectedLongValue(v4, path, name, length));
      }
      ++attributes;
    }
    std::vector<std::string> found = Split(*list);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
  }

  EXPECT_GT(attributes, 400u);
}

TEST_P(GoldenXattrs, AbsentNamesAreEnodata) {
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("xattrs")) continue;
    SCOPED_TRACE(path);
    const InodeRef inode =
        GetInode(image_, InodeNumber(record["ino"].get<uint64_t>()));
    for (const char* name :
         {"user.no such", "trusted.no such", "security.no such"}) {
      EXPECT_EQ(
          ondisk::ErrnoOf(GetXattr(ContextOf(image_), *inode, name).status()),
          ENODATA);
    }
    // The name alone is not enough: the namespace counts.
    for (const auto& [quoted, value] : record["xattrs"].items()) {
      const std::string name = UnquoteManifest(quoted);
      if (!name.starts_with("user.") || name.size() > 250) continue;
      EXPECT_EQ(ondisk::ErrnoOf(GetXattr(ContextOf(image_), *inode,
                                         "trusted." + name.substr(5))
                                    .status()),
                ENODATA);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenXattrs,
                         testing::Values("tiny-v5", "tiny-1k", "tiny-v4",
                                         "v4-1k", "deep-names"),
                         ImageName);

TEST(Xattrs, HideTrustedNamesFromOthers) {
  TestImage image("tiny-v5");
  const InodeRef inode =
      GetInode(image, InodeOfPath("tiny-v5", "attributes/short"));
  EXPECT_THAT(
      Split(*ListXattrs(ContextOf(image), *inode, false)),
      testing::UnorderedElementsAre("user.a", "user.empty", "security.s"));
}

// An ACL keeps its system name; that it is a trusted attribute is for root.
TEST(Xattrs, ListAclsTwiceForRoot) {
  TestImage image("tiny-v5");
  const InodeRef inode =
      GetInode(image, InodeOfPath("tiny-v5", "attributes/acl-directory"));
  EXPECT_THAT(Split(*ListXattrs(ContextOf(image), *inode, false)),
              testing::UnorderedElementsAre("system.posix_acl_access",
                                            "system.posix_acl_default"));
  EXPECT_THAT(Split(*ListXattrs(ContextOf(image), *inode, true)),
              testing::UnorderedElementsAre(
                  "system.posix_acl_access", "system.posix_acl_default",
                  "trusted.SGI_ACL_FILE", "trusted.SGI_ACL_DEFAULT"));
}

TEST(Xattrs, AnswerWithTheKernelsErrnos) {
  TestImage image("tiny-v5");
  const InodeRef inode =
      GetInode(image, InodeOfPath("tiny-v5", "attributes/short"));
  const auto error = [&](std::string_view name) {
    return ondisk::ErrnoOf(GetXattr(ContextOf(image), *inode, name).status());
  };
  EXPECT_EQ(error("nonsense.a"), EOPNOTSUPP);
  EXPECT_EQ(error("system.other"), EOPNOTSUPP);
  EXPECT_EQ(error("user"), EOPNOTSUPP);
  EXPECT_EQ(error("user."), EINVAL);
  EXPECT_EQ(error(""), ERANGE);
  EXPECT_EQ(error("user." + std::string(251, 'n')), ERANGE);
  EXPECT_EQ(error("user." + std::string(250, 'n')), ENODATA);
  EXPECT_EQ(error("system.posix_acl_access"), ENODATA);
  const InodeRef link =
      GetInode(image, InodeOfPath("tiny-v5", "symlinks/live"));
  EXPECT_EQ(ondisk::ErrnoOf(
                GetXattr(ContextOf(image), *link, "system.posix_acl_access")
                    .status()),
            EOPNOTSUPP);
}

// ---- lies, with right checksums ----

constexpr char kXattrImage[] = "tiny-v5";

struct Remote {
  ForkBlock leaf;
  ondisk::AttributeView attribute;
  size_t name_at;  // of the name structure in the leaf
  size_t flags_at;
};

Remote LargestValue() {
  Remote remote{GoldenForkBlock(kXattrImage, "attributes/largest",
                                ondisk::Fork::kAttribute, 0),
                {},
                0,
                0};
  const auto leaf = ondisk::ViewAttributeLeaf(remote.leaf.geometry.features,
                                              remote.leaf.bytes);
  for (size_t i = 0; i < leaf.entries.size(); ++i) {
    const auto attribute =
        ondisk::AttributeOf(leaf.entries[i], remote.leaf.bytes);
    if (attribute.name != "largest") continue;
    remote.attribute = attribute;
    remote.name_at = leaf.entries[i].nameidx.value();
    remote.flags_at = sizeof(ondisk::Attribute3LeafHeader) + 8 * i + 6;
  }
  return remote;
}

absl::StatusOr<std::string> ReadLargest(ImageBytes bytes) {
  TestImage image(std::move(bytes.bytes));
  const InodeRef inode =
      GetInode(image, InodeOfPath(kXattrImage, "attributes/largest"));
  return GetXattr(ContextOf(image), *inode, "user.largest");
}

absl::StatusOr<std::string> ReadAfterLeafLie(size_t offset, size_t size,
                                             uint64_t value) {
  const Remote remote = LargestValue();
  ImageBytes bytes(kXattrImage);
  ondisk::PutBig(bytes.Block(remote.leaf.block), offset, size, value);
  bytes.SealBlock(remote.leaf.block, offsetof(ondisk::Da3BlockInfo, crc));
  return ReadLargest(std::move(bytes));
}

TEST(RemoteValues, ThatLieGiveEuclean) {
  const Remote remote = LargestValue();
  const auto error = [](const absl::StatusOr<std::string>& value) {
    return ondisk::ErrnoOf(value.status());
  };
  EXPECT_EQ(error(ReadLargest(ImageBytes(kXattrImage))), 0);
  // valueblk: the leaf, the next block, a hole, the end of all numbers;
  // valuelen: too long, and not what the blocks say.
  EXPECT_EQ(error(ReadAfterLeafLie(remote.name_at, 4, 0)), EUCLEAN);
  EXPECT_EQ(error(ReadAfterLeafLie(remote.name_at, 4,
                                   remote.attribute.remote_block.value + 1)),
            EUCLEAN);
  EXPECT_EQ(error(ReadAfterLeafLie(remote.name_at, 4, 90000)), EUCLEAN);
  EXPECT_EQ(error(ReadAfterLeafLie(remote.name_at, 4, 0xffffffff)), EUCLEAN);
  EXPECT_EQ(error(ReadAfterLeafLie(remote.name_at + 4, 4, 65537)), EUCLEAN);
  EXPECT_EQ(error(ReadAfterLeafLie(remote.name_at + 4, 4, 0xffffffff)),
            EUCLEAN);
  EXPECT_EQ(error(ReadAfterLeafLie(remote.name_at + 4, 4, 65535)), EUCLEAN);
}

TEST(RemoteValues, OfAnotherInodeAreRefused) {
  const Remote remote = LargestValue();
  const ForkBlock value = GoldenForkBlock(
      kXattrImage, "attributes/largest", ondisk::Fork::kAttribute,
      remote.attribute.remote_block.value + 3);
  for (const auto& [offset, number] :
       std::vector<std::pair<size_t, uint64_t>>{{32, 5}, {40, 8}}) {
    ImageBytes bytes(kXattrImage);
    ondisk::PutBig(bytes.Block(value.block), offset, 8, number);
    bytes.SealBlock(value.block, offsetof(ondisk::AttributeRemoteHeader, crc));
    EXPECT_EQ(ondisk::ErrnoOf(ReadLargest(std::move(bytes)).status()), EUCLEAN);
  }
  ImageBytes unsealed(kXattrImage);
  unsealed.Block(value.block)[1000] ^= 1;
  const auto status = ReadLargest(std::move(unsealed)).status();
  EXPECT_EQ(ondisk::ErrnoOf(status), EUCLEAN);
  EXPECT_NE(ondisk::MessageOf(status).find("crc"), std::string_view::npos);
}

TEST(IncompleteAttributes, CountAsAbsent) {
  const Remote remote = LargestValue();
  ImageBytes bytes(kXattrImage);
  bytes.Block(remote.leaf.block)[remote.flags_at] |=
      ondisk::kAttributeIncomplete;
  bytes.SealBlock(remote.leaf.block, offsetof(ondisk::Da3BlockInfo, crc));
  TestImage image(std::move(bytes.bytes));
  const InodeRef inode =
      GetInode(image, InodeOfPath(kXattrImage, "attributes/largest"));
  EXPECT_EQ(ondisk::ErrnoOf(
                GetXattr(ContextOf(image), *inode, "user.largest").status()),
            ENODATA);
  EXPECT_THAT(Split(*ListXattrs(ContextOf(image), *inode, true)),
              testing::ElementsAre("user.almost"));
}

TEST(AttributeTree, LiesGiveEuclean) {
  const ForkBlock root = GoldenForkBlock(kXattrImage, "attributes/node",
                                         ondisk::Fork::kAttribute, 0);
  for (const auto& [offset, size, value] :
       std::vector<std::tuple<size_t, size_t, uint64_t>>{
           {64 + 4, 4, 0},      // first child is the root
           {64 + 4, 4, 50000},  // a hole
           {58, 2, 2},          // level
           {48, 8, 5}}) {       // owner
    SCOPED_TRACE(offset);
    ImageBytes bytes(kXattrImage);
    ondisk::PutBig(bytes.Block(root.block), offset, size, value);
    bytes.SealBlock(root.block, offsetof(ondisk::Da3BlockInfo, crc));
    TestImage image(std::move(bytes.bytes));
    const InodeRef inode = GetInode(image, root.owner);
    EXPECT_EQ(
        ondisk::ErrnoOf(ListXattrs(ContextOf(image), *inode, true).status()),
        EUCLEAN);
  }
}

// The first visit of the leaf is told; the second is refused, not one that a
// count of blocks forbids.
TEST(AttributeTree, ThatRepeatsALeafIsRefusedAtTheSecondVisit) {
  const ForkBlock root = GoldenForkBlock(kXattrImage, "attributes/collided",
                                         ondisk::Fork::kAttribute, 0);
  const auto node = ondisk::ViewDaNode(root.geometry, root.bytes);
  ASSERT_GT(node.entries.size(), 1u);
  ImageBytes bytes(kXattrImage);
  // As many children as fit, all the same leaf.
  const size_t most = (4096 - 64) / 8;
  for (size_t i = 0; i < most; ++i) {
    ondisk::PutBig(bytes.Block(root.block), 64 + 8 * i, 4,
                   node.entries[0].hashval.value());
    ondisk::PutBig(bytes.Block(root.block), 64 + 8 * i + 4, 4,
                   node.entries[0].before.value());
  }
  ondisk::PutBig(bytes.Block(root.block), 56, 2, most);
  bytes.SealBlock(root.block, offsetof(ondisk::Da3BlockInfo, crc));
  TestImage image(std::move(bytes.bytes));
  const InodeRef inode = GetInode(image, root.owner);
  size_t told = 0;
  const absl::Status status = VisitAttributes(
      ContextOf(image), *inode, [&](const ondisk::AttributeView&) {
        ++told;
        return absl::OkStatus();
      });
  EXPECT_EQ(ondisk::ErrnoOf(status), EUCLEAN) << status;
  EXPECT_THAT(std::string(ondisk::MessageOf(status)),
              testing::AllOf(testing::HasSubstr("da tree at "),
                             testing::HasSubstr("forw is ")));
  const ForkBlock leaf =
      GoldenForkBlock(kXattrImage, "attributes/collided",
                      ondisk::Fork::kAttribute, node.entries[0].before.value());
  EXPECT_EQ(told, ondisk::ViewAttributeLeaf(leaf.geometry.features, leaf.bytes)
                      .entries.size());
}

// The list of the leaves must be the one that the nodes tell.
TEST(AttributeTree, WhoseLeavesDoNotNameEachOtherIsRefused) {
  const ForkBlock root = GoldenForkBlock(kXattrImage, "attributes/node",
                                         ondisk::Fork::kAttribute, 0);
  const auto node = ondisk::ViewDaNode(root.geometry, root.bytes);
  ASSERT_EQ(node.level, 1);
  ASSERT_GT(node.entries.size(), 2u);
  struct Lie {
    size_t leaf;
    size_t offset;
    const char* field;
  };
  for (const Lie& lie : {Lie{0, 0, "forw"}, Lie{1, 4, "back"}}) {
    SCOPED_TRACE(lie.field);
    const ForkBlock leaf = GoldenForkBlock(
        kXattrImage, "attributes/node", ondisk::Fork::kAttribute,
        node.entries[lie.leaf].before.value());
    ImageBytes bytes(kXattrImage);
    // The last leaf: a block of the tree, but not the neighbour.
    ondisk::PutBig(bytes.Block(leaf.block), lie.offset, 4,
                   node.entries.back().before.value());
    bytes.SealBlock(leaf.block, offsetof(ondisk::Da3BlockInfo, crc));
    TestImage image(std::move(bytes.bytes));
    const InodeRef inode = GetInode(image, root.owner);
    const absl::Status status =
        ListXattrs(ContextOf(image), *inode, true).status();
    EXPECT_EQ(ondisk::ErrnoOf(status), EUCLEAN) << status;
    EXPECT_THAT(
        std::string(ondisk::MessageOf(status)),
        testing::HasSubstr(fmt::format("{} is {}", lie.field,
                                       node.entries.back().before.value())));
  }
}

}  // namespace
}  // namespace fusexfs
