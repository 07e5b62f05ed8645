// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "libondisk/attribute_shortform.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

// As Paths shows them.
std::string Shown(const std::string& path) {
  if (path == ".") return "/";
  std::string text = "/";
  for (char c : path) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\\') {
      text += "\\\\";
    } else {
      text += c;
    }
  }
  return text;
}

class GoldenPaths : public testing::TestWithParam<const char*> {};

// Every inode has just the paths under which the kernel's tree shows it.
TEST_P(GoldenPaths, AreThoseOfTheTree) {
  TestImage image{std::string_view(GetParam())};
  std::map<uint64_t, std::vector<std::string>> expected;
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    expected[record["ino"].get<uint64_t>()].push_back(Shown(path));
  }
  size_t most = 0;
  for (auto& [number, paths] : expected) {
    SCOPED_TRACE(paths[0]);
    std::sort(paths.begin(), paths.end());
    const InodeRef inode = GetInode(image, InodeNumber(number));
    const auto found = Paths(ContextOf(image), *inode);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, paths);
    most = std::max(most, found->size());
  }
  EXPECT_GE(most, 40u);
}

TEST_P(GoldenPaths, LeadBackDown) {
  TestImage image{std::string_view(GetParam())};
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    const auto found = LookupPath(ContextOf(image), path);
    ASSERT_TRUE(found.ok()) << path << found.status();
    EXPECT_EQ(found->value, record["ino"].get<uint64_t>()) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenPaths,
                         testing::Values("tiny-v5", "tiny-1k", "dir64k-1k",
                                         "deep-names"),
                         ImageName);

TEST(LookupPath, WalksAsThePathSays) {
  TestImage image("tiny-v5");
  const InodeNumber name = InodeOfPath("tiny-v5", "links/one/name");
  const auto find = [&](std::string_view path) {
    return LookupPath(ContextOf(image), path);
  };
  EXPECT_EQ(*find(""), image.geometry.root_inode);
  EXPECT_EQ(*find("/"), image.geometry.root_inode);
  EXPECT_EQ(*find("//links//one/./deep/../name"), name);
  EXPECT_EQ(*find("/../links/one/name"), name);
  EXPECT_EQ(ondisk::ErrnoOf(find("/links/none/name").status()), ENOENT);
  EXPECT_EQ(ondisk::ErrnoOf(find("/links/one/name/x").status()), ENOTDIR);
}

// ---- lies, with right checksums ----

constexpr char kPathsImage[] = "tiny-v5";

// Where the value of the first attribute (its only parent pointer) of a
// directory's short-form fork stands in its inode.
size_t ParentRecordAt(TestImage& image, InodeNumber directory) {
  const InodeRef inode = GetInode(image, directory);
  const ondisk::Bytes fork = inode->local_attributes();
  ondisk::AttributeShortFormEntries entries(fork);
  ondisk::AttributeView attribute;
  EXPECT_TRUE(entries.Next(attribute));
  EXPECT_TRUE(attribute.is_parent_pointer());
  return inode->core().attribute_fork_offset +
         static_cast<size_t>(attribute.value.data() - fork.data());
}

absl::Status PathsAfter(std::string_view directory, size_t offset, size_t size,
                        uint64_t value) {
  TestImage good(kPathsImage);
  const InodeNumber number = InodeOfPath(kPathsImage, directory);
  ImageBytes bytes(kPathsImage);
  ondisk::PutBig(bytes.Inode(number), ParentRecordAt(good, number) + offset,
                 size, value);
  bytes.SealInode(number);
  TestImage image(std::move(bytes.bytes));
  const InodeRef below =
      GetInode(image, InodeOfPath(kPathsImage, "links/one/deep/name"));
  return Paths(ContextOf(image), *below).status();
}

TEST(Paths, ThatGoInCirclesGiveEuclean) {
  // links/one says that its parent is links/one/deep.
  const InodeNumber deep = InodeOfPath(kPathsImage, "links/one/deep");
  const uint64_t generation = GoldenManifest(kPathsImage)
                                  .At("links/one/deep")["generation"]
                                  .get<uint64_t>();
  TestImage good(kPathsImage);
  const InodeNumber one = InodeOfPath(kPathsImage, "links/one");
  ImageBytes bytes(kPathsImage);
  const size_t at = ParentRecordAt(good, one);
  ondisk::PutBig(bytes.Inode(one), at, 8, deep.value);
  ondisk::PutBig(bytes.Inode(one), at + 8, 4, generation);
  bytes.SealInode(one);
  TestImage image(std::move(bytes.bytes));
  const InodeRef below =
      GetInode(image, InodeOfPath(kPathsImage, "links/one/deep/name"));
  const absl::Status status = Paths(ContextOf(image), *below).status();
  EXPECT_EQ(ondisk::ErrnoOf(status), EUCLEAN);
  EXPECT_NE(ondisk::MessageOf(status).find("cycle"), std::string_view::npos);
}

TEST(Paths, ThatLeadNowhereGiveEuclean) {
  const uint64_t file = InodeOfPath(kPathsImage, "files/byte").value;
  EXPECT_EQ(ondisk::ErrnoOf(PathsAfter("links/one", 0, 8, file)), EUCLEAN);
  EXPECT_EQ(ondisk::ErrnoOf(PathsAfter("links/one", 0, 8, ~0u)), EUCLEAN);
  EXPECT_EQ(ondisk::ErrnoOf(PathsAfter("links/one", 8, 4, 1)), EUCLEAN);
}

}  // namespace
}  // namespace fusexfs
