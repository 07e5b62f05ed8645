// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/parents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "libondisk/status.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;
using Row = std::tuple<uint64_t, uint32_t, std::string>;

class GoldenParents : public testing::TestWithParam<const char*> {};

// Against the kernel's XFS_IOC_GETPARENTS.
TEST_P(GoldenParents, AreWhatTheKernelGives) {
  TestImage image{std::string_view(GetParam())};
  size_t most = 0;
  std::set<uint64_t> seen;  // inodes, which have a path for each parent
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("parents") || record["parents"].is_null()) continue;
    if (!seen.insert(record["ino"].get<uint64_t>()).second) continue;
    SCOPED_TRACE(path);
    const InodeRef inode =
        GetInode(image, InodeNumber(record["ino"].get<uint64_t>()));
    const auto parents = Parents(ContextOf(image), *inode);
    ASSERT_TRUE(parents.ok()) << parents.status();
    std::vector<Row> found, expected;
    for (const ParentName& p : *parents) {
      found.emplace_back(p.parent.value, p.parent_generation, p.name);
    }
    for (const auto& p : record["parents"]) {
      expected.emplace_back(p[0].get<uint64_t>(), p[1].get<uint32_t>(),
                            UnquoteManifest(p[2].get<std::string>()));
    }
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
    most = std::max(most, found.size());
  }
  EXPECT_GE(most, 40u);
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenParents,
                         testing::Values("tiny-v5", "tiny-1k", "dir64k-1k",
                                         "deep-names"),
                         ImageName);

TEST(Parents, AreUnsupportedWithoutTheFeature) {
  TestImage image("tiny-v4");
  const InodeRef root = GetInode(image, image.geometry.root_inode);
  const auto parents = Parents(ContextOf(image), *root);
  EXPECT_EQ(ondisk::ErrnoOf(parents.status()), EOPNOTSUPP);
  EXPECT_NE(ondisk::MessageOf(parents.status()).find("parent pointers"),
            std::string_view::npos);
}

}  // namespace
}  // namespace fusexfs
