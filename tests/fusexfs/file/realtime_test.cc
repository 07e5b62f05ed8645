// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel at hand is built without realtime (CONFIG_XFS_RT) and refuses to
// mount an image with a realtime section; mkfs.xfs makes the section but no
// files in it. So the flag is set here by hand, as xfs_db -x does with
// "write core.realtime 1".
#include "fusexfs/file/realtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <vector>

#include "fusexfs/file/fiemap.h"
#include "fusexfs/file/read.h"
#include "fusexfs/file/seek.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"
#include "tests/support/damage.h"
#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kPath = "files/past-the-end";

// tiny-v5 with kPath made a realtime file.
ImageBytes WithRealtimeFile() {
  ImageBytes image("tiny-v5");
  const ondisk::InodeNumber number = InodeOfPath("tiny-v5", kPath);
  const ondisk::MutableBytes inode = image.Inode(number);
  inode[offsetof(ondisk::DiskInode, flags) + 1] |= 1;
  image.SealInode(number);
  return image;
}

// What mkfs.xfs 6.13 -r rtdev= writes for a device of 16384 blocks (xfs_db).
void AddRealtimeSection(ImageBytes& image) {
  const ondisk::MutableBytes sector =
      ondisk::MutableBytes(image.bytes).first(image.geometry.sector_size);
  ondisk::PutBig(sector, offsetof(ondisk::Superblock, rblocks), 8, 16384);
  ondisk::PutBig(sector, offsetof(ondisk::Superblock, rextents), 8, 16384);
  ondisk::PutBig(sector, offsetof(ondisk::Superblock, rbmblocks), 4, 1);
  ondisk::PutBig(sector, offsetof(ondisk::Superblock, rextslog), 1, 14);
  ondisk::Reseal(sector, ondisk::kSuperblockCrcOffset);
}

// As the kernel: its verifier calls such an inode corrupt (EUCLEAN from stat).
TEST(RealtimeFile, WithoutARealtimeSectionIsCorruption) {
  TestImage image(WithRealtimeFile().bytes);
  const absl::Status status =
      image.inodes.Get(InodeOfPath("tiny-v5", kPath)).status();
  EXPECT_EQ(ondisk::ErrnoOf(status), EUCLEAN);
  EXPECT_THAT(std::string(ondisk::MessageOf(status)),
              HasSubstr("expected no realtime flag, there is no realtime "
                        "device"));
}

TEST(RealtimeFile, ShowsAllButItsDataAndSaysSo) {
  ImageBytes bytes = WithRealtimeFile();
  AddRealtimeSection(bytes);
  TestImage image(std::move(bytes.bytes));
  const auto file = image.inodes.Get(InodeOfPath("tiny-v5", kPath));
  ASSERT_TRUE(file.ok()) << ondisk::MessageOf(file.status());
  EXPECT_EQ((*file)->core().size, 6u);
  const Inode& inode = **file;
  const ondisk::Geometry& geometry = image.geometry;

  std::vector<uint8_t> into(6);
  std::vector<FileSegment> segments;
  const auto fiemap = [&](FiemapFork fork) {
    return Fiemap(inode, geometry, *image.refcounts, 0, ~uint64_t{0}, fork,
                  [](const FiemapExtent&) { return true; });
  };
  const absl::Status refused[] = {
      ReadFile(inode, geometry, *image.device, 0, into).status(),
      MapForRead(inode, geometry, 0, 6, 8, segments),
      SeekData(inode, geometry, 0).status(),
      SeekHole(inode, geometry, 0).status(),
      fiemap(FiemapFork::kData),
  };
  for (const absl::Status& status : refused) {
    EXPECT_EQ(ondisk::ErrnoOf(status), EOPNOTSUPP);
    EXPECT_THAT(std::string(ondisk::MessageOf(status)),
                HasSubstr("its data is on the image's realtime device"));
  }
  EXPECT_TRUE(fiemap(FiemapFork::kAttribute).ok());
}

TEST(RealtimeFile, LeavesTheOtherFilesOfTheImageReadable) {
  ImageBytes bytes = WithRealtimeFile();
  AddRealtimeSection(bytes);
  TestImage image(std::move(bytes.bytes));
  const auto file = image.inodes.Get(InodeOfPath("tiny-v5", "shared/source"));
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(CheckOnDataDevice(**file).ok());
  std::vector<uint8_t> into(100);
  EXPECT_EQ(*ReadFile(**file, image.geometry, *image.device, 0, into), 100u);
}

}  // namespace
}  // namespace fusexfs
