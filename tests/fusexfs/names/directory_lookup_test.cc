// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/directory_lookup.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>

#include "libondisk/name_hash.h"
#include "libondisk/status.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

class GoldenLookup : public testing::TestWithParam<const char*> {};

// Every name in every directory, against what the kernel's readdir gave (xfs_db
// on V4 images).
TEST_P(GoldenLookup, FindsEveryName) {
  TestImage image{std::string_view(GetParam())};
  size_t names = 0;
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("entries")) continue;
    SCOPED_TRACE(path);
    const InodeNumber number(record["ino"].get<uint64_t>());
    const InodeRef directory = GetInode(image, number);
    for (const auto& entry : record["entries"]) {
      const std::string name = UnquoteManifest(entry[0].get<std::string>());
      const auto found = LookupName(ContextOf(image), *directory, name);
      ASSERT_TRUE(found.ok()) << found.status();
      ASSERT_TRUE(found->has_value()) << name;
      ASSERT_EQ((*found)->value, entry[1].get<uint64_t>()) << name;
      ++names;
    }
    const auto self = LookupName(ContextOf(image), *directory, ".");
    ASSERT_TRUE(self.ok());
    EXPECT_EQ(**self, number);
  }
  EXPECT_GT(names, 2500u);
}

TEST_P(GoldenLookup, AnswersDotDot) {
  TestImage image{std::string_view(GetParam())};
  const Manifest& manifest = GoldenManifest(GetParam());
  for (const auto& [path, record] : manifest.paths) {
    if (!record.contains("entries")) continue;
    SCOPED_TRACE(path);
    const size_t slash = path.rfind('/');
    const std::string above = slash == path.npos ? "." : path.substr(0, slash);
    const InodeRef directory =
        GetInode(image, InodeNumber(record["ino"].get<uint64_t>()));
    const auto found = LookupName(ContextOf(image), *directory, "..");
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_TRUE(found->has_value());
    EXPECT_EQ((*found)->value, manifest.At(above)["ino"].get<uint64_t>());
  }
}

// Names that are not there, among them such as share a hash with one that is.
TEST_P(GoldenLookup, FindsNothingElse) {
  TestImage image{std::string_view(GetParam())};
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("entries")) continue;
    SCOPED_TRACE(path);
    std::set<std::string> names;
    for (const auto& entry : record["entries"]) {
      names.insert(UnquoteManifest(entry[0].get<std::string>()));
    }
    const InodeRef directory =
        GetInode(image, InodeNumber(record["ino"].get<uint64_t>()));
    const auto absent = [&](const std::string& name) {
      if (names.contains(name)) return;
      const auto found = LookupName(ContextOf(image), *directory, name);
      ASSERT_TRUE(found.ok()) << found.status();
      EXPECT_FALSE(found->has_value()) << name;
    };
    absent("no such name");
    absent(std::string(255, '~'));
    for (const std::string& name : names) {
      if (name.size() < 255) absent(name + "~");
      if (name.size() < 6) continue;
      std::string same_hash = name;
      same_hash[name.size() - 6] ^= 1;
      same_hash[name.size() - 1] ^= 8;
      if (same_hash.find('/') != same_hash.npos) continue;
      ASSERT_EQ(ondisk::DaHash(same_hash), ondisk::DaHash(name));
      absent(same_hash);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenLookup, testing::ValuesIn(kAllImages),
                         ImageName);

TEST(Lookup, AnswersWithTheKernelsErrnos) {
  TestImage image("tiny-v5");
  const InodeRef root = GetInode(image, image.geometry.root_inode);
  const auto long_name =
      LookupName(ContextOf(image), *root, std::string(256, 'n'));
  EXPECT_EQ(ondisk::ErrnoOf(long_name.status()), ENAMETOOLONG);
  EXPECT_FALSE(LookupName(ContextOf(image), *root, "")->has_value());
  EXPECT_FALSE(LookupName(ContextOf(image), *root, "a/b")->has_value());
  const InodeRef file =
      GetInode(image, InodeOfPath("tiny-v5", "links/one/name"));
  EXPECT_EQ(ondisk::ErrnoOf(LookupName(ContextOf(image), *file, "x").status()),
            ENOTDIR);
}

}  // namespace
}  // namespace fusexfs
