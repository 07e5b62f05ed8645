// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/fiemap.h"

#include <gtest/gtest.h>
#include <linux/fiemap.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "libondisk/status.h"
#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using Row = std::tuple<uint64_t, uint64_t, uint64_t, uint32_t>;
using Rows = std::vector<Row>;

constexpr uint64_t kAll = ~uint64_t{0};
constexpr uint32_t kLast = FIEMAP_EXTENT_LAST;
constexpr uint32_t kUnwritten = FIEMAP_EXTENT_UNWRITTEN;
constexpr uint32_t kShared = FIEMAP_EXTENT_SHARED;

absl::StatusOr<Rows> Map(TestImage& image, const Inode& inode, uint64_t start,
                         uint64_t length, FiemapFork fork = FiemapFork::kData,
                         size_t most = SIZE_MAX) {
  Rows rows;
  ONDISK_RETURN_IF_ERROR(Fiemap(inode, image.geometry, *image.refcounts, start,
                                length, fork, [&](const FiemapExtent& e) {
                                  rows.emplace_back(e.logical, e.physical,
                                                    e.length, e.flags);
                                  return rows.size() < most;
                                }));
  return rows;
}

class GoldenFiemap : public testing::TestWithParam<const char*> {};

TEST_P(GoldenFiemap, IsTheKernelsForEveryFileAndBothForks) {
  TestImage image{std::string_view(GetParam())};
  size_t extents = 0, shared = 0;
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("fiemap")) continue;
    SCOPED_TRACE(path);
    const absl::StatusOr<InodeRef> inode =
        image.inodes.Get(ondisk::InodeNumber(record["ino"].get<uint64_t>()));
    ASSERT_TRUE(inode.ok()) << inode.status();
    const absl::StatusOr<Rows> data = Map(image, **inode, 0, kAll);
    ASSERT_TRUE(data.ok()) << data.status();
    EXPECT_EQ(*data, record["fiemap"].get<Rows>());
    extents += data->size();
    for (const Row& row : *data) shared += (std::get<3>(row) & kShared) != 0;
    if (!record.contains("fiemap_attribute")) continue;
    const absl::StatusOr<Rows> attributes =
        Map(image, **inode, 0, kAll, FiemapFork::kAttribute);
    ASSERT_TRUE(attributes.ok()) << attributes.status();
    EXPECT_EQ(*attributes, record["fiemap_attribute"].get<Rows>());
  }
  EXPECT_GT(extents, 5u);
  if (image.geometry.features.reflink) {
    EXPECT_GT(shared, 5u);
  }
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenFiemap,
                         testing::Values("tiny-v5", "tiny-1k", "tiny-v4",
                                         "v4-1k"));

class FiemapTest : public testing::Test {
 protected:
  InodeRef Open(std::string_view path) {
    absl::StatusOr<InodeRef> inode =
        image_.inodes.Get(InodeOfPath("tiny-v5", path));
    EXPECT_TRUE(inode.ok()) << inode.status();
    return inode.ok() ? *std::move(inode) : InodeRef();
  }
  Rows Ask(std::string_view path, uint64_t start, uint64_t length,
           FiemapFork fork = FiemapFork::kData, size_t most = SIZE_MAX) {
    const absl::StatusOr<Rows> rows =
        Map(image_, *Open(path), start, length, fork, most);
    EXPECT_TRUE(rows.ok()) << rows.status();
    return rows.ok() ? *rows : Rows();
  }
  int ErrnoOf(std::string_view path, uint64_t start, uint64_t length,
              FiemapFork fork = FiemapFork::kData) {
    return ondisk::ErrnoOf(
        Map(image_, *Open(path), start, length, fork).status());
  }

  TestImage image_{std::string_view("tiny-v5")};
};

// All rows below are FS_IOC_FIEMAP's answers of kernel 6.18 on this image.
TEST_F(FiemapTest, CutsToTheBlocksOfTheRange) {
  EXPECT_EQ(Ask("files/unwritten", 0, 1),
            (Rows{{0, 28393472, 4096, kUnwritten | kLast}}));
  EXPECT_EQ(Ask("files/unwritten", 65535, 2),
            (Rows{{61440, 28454912, 4096, kUnwritten},
                  {65536, 28459008, 4096, kLast}}));
  EXPECT_EQ(Ask("files/unwritten", 70000, 300000),
            (Rows{{69632, 28463104, 4096, 0},
                  {73728, 28467200, 225280, kUnwritten},
                  {299008, 28692480, 4096, 0},
                  {303104, 28696576, 69632, kUnwritten | kLast}}));
  EXPECT_EQ(Ask("files/unwritten", 800000, 1),
            (Rows{{798720, 29192192, 4096, kUnwritten | kLast}}));
  EXPECT_EQ(Ask("files/unwritten", 589823, 1), Rows{});
  EXPECT_EQ(Ask("files/unwritten", uint64_t{1} << 40, uint64_t{1} << 40),
            Rows{});
}

TEST_F(FiemapTest, ShowsWhatIsAllocatedBehindTheEndOfTheFile) {
  EXPECT_EQ(Ask("files/past-the-end", 100, kAll),
            (Rows{{0, 25985024, 4096, 0},
                  {65536, 29704192, 131072, kUnwritten | kLast}}));
  EXPECT_EQ(Ask("files/past-the-end", 10000, 1), Rows{});
}

TEST_F(FiemapTest, SplitsWhereSharingBeginsAndEnds) {
  EXPECT_EQ(Ask("shared/part", 0, kAll),
            (Rows{{0, 1810432, 65536, 0},
                  {65536, 827392, 65536, kShared},
                  {131072, 1941504, 131072, 0},
                  {393216, 892928, 65536, kShared | kLast}}));
  EXPECT_EQ(Ask("shared/part", 5000, 65536),
            (Rows{{4096, 1814528, 61440, 0},
                  {65536, 827392, 8192, kShared | kLast}}));
  EXPECT_EQ(Ask("shared/part", 131072, 65536),
            (Rows{{131072, 1941504, 65536, kLast}}));
  EXPECT_EQ(Ask("shared/broken", 20000, 100000),
            (Rows{{16384, 778240, 4096, kShared},
                  {20480, 1306624, 4096, 0},
                  {24576, 786432, 98304, kShared | kLast}}));
}

TEST_F(FiemapTest, WorksUpToTheLastByteThatAFileCanHave) {
  EXPECT_EQ(Ask("huge/sparse", 9223372036854771711u, kAll),
            (Rows{{9223372036854771712u, 35315712, 4096, kLast}}));
  EXPECT_EQ(Ask("huge/sparse", 9223372036854771711u, 1), Rows{});
  EXPECT_EQ(Ask("huge/sparse", 4611686018427387903u, 2),
            (Rows{{4611686018427387904u, 35250176, 4096, kLast}}));
  EXPECT_EQ(ErrnoOf("huge/sparse", 9223372036854775807u, 1), EFBIG);
  EXPECT_EQ(ErrnoOf("huge/sparse", uint64_t{1} << 63, 1), EFBIG);
  EXPECT_EQ(ErrnoOf("huge/sparse", 0, 0), EINVAL);
}

TEST_F(FiemapTest, MapsTheAttributeFork) {
  EXPECT_EQ(Ask("attributes/mixed", 5000, 20000, FiemapFork::kAttribute),
            (Rows{{4096, 163840, 4096, 0},
                  {8192, 159744, 4096, 0},
                  {12288, 155648, 4096, 0},
                  {16384, 151552, 4096, 0},
                  {20480, 147456, 4096, 0},
                  {24576, 135168, 4096, kLast}}));
  // Attributes in the inode, or none: no extents, and no error.
  EXPECT_EQ(Ask("attributes/short", 0, kAll, FiemapFork::kAttribute), Rows{});
  EXPECT_EQ(Ask("special_files/fifo", 0, kAll, FiemapFork::kAttribute), Rows{});
}

TEST_F(FiemapTest, StopsWhenTheVisitorHasHadEnoughAndThenMarksNoLast) {
  const Rows four = Ask("files/unwritten", 0, kAll, FiemapFork::kData, 4);
  ASSERT_EQ(four.size(), 4u);
  EXPECT_EQ(four[3], Row(299008, 28692480, 4096, 0));
  const Rows six = Ask("files/unwritten", 0, kAll, FiemapFork::kData, 6);
  ASSERT_EQ(six.size(), 6u);
  EXPECT_EQ(six[5], Row(589824, 28983296, 720896, kUnwritten | kLast));
}

TEST_F(FiemapTest, DoesNotMapDirectories) {
  EXPECT_EQ(ErrnoOf("files", 0, kAll), EOPNOTSUPP);
  EXPECT_EQ(ErrnoOf("files", 0, kAll, FiemapFork::kAttribute), EOPNOTSUPP);
}

TEST_F(FiemapTest, AsksForSharingOfReflinkedFilesOnly) {
  class Forbidden : public RefcountLookup {
   public:
    std::string_view name() const override { return "forbidden"; }
    absl::StatusOr<std::optional<SharedRun>> FindShared(ondisk::AgNumber,
                                                        ondisk::AgBlock,
                                                        uint32_t) override {
      return ondisk::PosixError(EIO, "asked");
    }
  } forbidden;
  const auto ask = [&](std::string_view path) {
    return Fiemap(*Open(path), image_.geometry, forbidden, 0, kAll,
                  FiemapFork::kData, [](const FiemapExtent&) { return true; });
  };
  EXPECT_TRUE(ask("files/many-extents").ok());
  EXPECT_EQ(ondisk::ErrnoOf(ask("shared/part")), EIO);
}

}  // namespace
}  // namespace fusexfs
