// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/seek.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "libondisk/status.h"
#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using Segments = std::vector<std::pair<uint64_t, uint64_t>>;

// Data segments, as a program finds them with lseek.
Segments Walk(const Inode& inode, const ondisk::Geometry& geometry) {
  Segments segments;
  uint64_t at = 0;
  while (at < inode.core().size) {
    const absl::StatusOr<uint64_t> data = SeekData(inode, geometry, at);
    if (!data.ok()) {
      EXPECT_EQ(ondisk::ErrnoOf(data.status()), ENXIO) << data.status();
      break;
    }
    const absl::StatusOr<uint64_t> hole = SeekHole(inode, geometry, *data);
    EXPECT_TRUE(hole.ok()) << hole.status();
    if (!hole.ok() || *hole <= *data) {
      ADD_FAILURE() << "no progress at " << *data;
      break;
    }
    segments.emplace_back(*data, *hole);
    at = *hole;
  }
  return segments;
}

class GoldenSegments : public testing::TestWithParam<const char*> {};

TEST_P(GoldenSegments, AreThoseThatTheKernelFound) {
  TestImage image{std::string_view(GetParam())};
  size_t segments = 0;
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("segments")) continue;
    SCOPED_TRACE(path);
    const absl::StatusOr<InodeRef> inode =
        image.inodes.Get(ondisk::InodeNumber(record["ino"].get<uint64_t>()));
    ASSERT_TRUE(inode.ok()) << inode.status();
    const Segments expected = record["segments"].get<Segments>();
    EXPECT_EQ(Walk(**inode, image.geometry), expected);
    segments += expected.size();
  }
  EXPECT_GT(segments, 50u);
}

INSTANTIATE_TEST_SUITE_P(KernelImages, GoldenSegments,
                         testing::Values("tiny-v5", "tiny-1k"));

class SeekTest : public testing::Test {
 protected:
  InodeRef Open(std::string_view path) {
    absl::StatusOr<InodeRef> inode =
        image_.inodes.Get(InodeOfPath("tiny-v5", path));
    EXPECT_TRUE(inode.ok()) << inode.status();
    return inode.ok() ? *std::move(inode) : InodeRef();
  }

  TestImage image_{std::string_view("tiny-v5")};
};

TEST_F(SeekTest, AnswersFromTheMiddleOfAnExtentAndOfAHole) {
  // Data in [0, 4096) and [2^62, 2^62 + 4096), unwritten behind that.
  const InodeRef inode = Open("huge/sparse");
  constexpr uint64_t kFar = uint64_t{1} << 62;
  EXPECT_EQ(*SeekData(*inode, image_.geometry, 17), 17u);
  EXPECT_EQ(*SeekHole(*inode, image_.geometry, 17), 4096u);
  EXPECT_EQ(*SeekHole(*inode, image_.geometry, 5000), 5000u);
  EXPECT_EQ(*SeekData(*inode, image_.geometry, kFar - 1), kFar);
  EXPECT_EQ(*SeekHole(*inode, image_.geometry, kFar), kFar + 4096);
  EXPECT_EQ(*SeekHole(*inode, image_.geometry, kFar + 5000), kFar + 5000);
  // The last block ends with the file, at 2^63 - 1.
  EXPECT_EQ(*SeekHole(*inode, image_.geometry, 9223372036854771712u),
            9223372036854775807u);
}

TEST_F(SeekTest, AnswersEnxioBehindTheEndAndBehindTheLastData) {
  const InodeRef text = Open("files/text");  // 70001 bytes, all data
  EXPECT_EQ(*SeekHole(*text, image_.geometry, 70000), 70001u);
  for (const uint64_t offset : {uint64_t{70001}, ~uint64_t{0}}) {
    EXPECT_EQ(
        ondisk::ErrnoOf(SeekData(*text, image_.geometry, offset).status()),
        ENXIO);
    EXPECT_EQ(
        ondisk::ErrnoOf(SeekHole(*text, image_.geometry, offset).status()),
        ENXIO);
  }
  const InodeRef tail = Open("files/hole-at-end");
  EXPECT_EQ(ondisk::ErrnoOf(SeekData(*tail, image_.geometry, 4096).status()),
            ENXIO);
  const InodeRef empty = Open("files/empty");
  EXPECT_EQ(ondisk::ErrnoOf(SeekHole(*empty, image_.geometry, 0).status()),
            ENXIO);
}

TEST_F(SeekTest, RefusesDirectories) {
  EXPECT_EQ(
      ondisk::ErrnoOf(SeekData(*Open("files"), image_.geometry, 0).status()),
      EINVAL);
}

}  // namespace
}  // namespace fusexfs
