// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/read.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "tests/support/crc32.h"
#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

InodeRef Open(TestImage& image, std::string_view path) {
  absl::StatusOr<InodeRef> inode =
      image.inodes.Get(InodeOfPath("tiny-v5", path));
  EXPECT_TRUE(inode.ok()) << inode.status();
  return inode.ok() ? *std::move(inode) : InodeRef();
}

// The whole file, `piece` bytes at a time.
std::vector<uint8_t> ReadAll(TestImage& image, const Inode& inode,
                             uint64_t piece) {
  std::vector<uint8_t> content(inode.core().size, 0xee);
  for (uint64_t at = 0; at < content.size();) {
    const uint64_t bytes = std::min(piece, content.size() - at);
    const absl::StatusOr<uint64_t> got =
        ReadFile(inode, image.geometry, *image.device, at,
                 ondisk::MutableBytes(content).subspan(at, bytes));
    EXPECT_TRUE(got.ok()) << got.status();
    if (!got.ok() || *got != bytes) {
      ADD_FAILURE() << "short read at " << at;
      break;
    }
    at += bytes;
  }
  return content;
}

class GoldenContents : public testing::TestWithParam<const char*> {};

TEST_P(GoldenContents, HaveTheChecksumsThatTheOracleRead) {
  TestImage image{std::string_view(GetParam())};
  size_t files = 0;
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("crc32") || record["size"] == 0) continue;
    SCOPED_TRACE(path);
    ++files;
    const absl::StatusOr<InodeRef> inode =
        image.inodes.Get(InodeNumber(record["ino"].get<uint64_t>()));
    ASSERT_TRUE(inode.ok()) << inode.status();
    for (const uint64_t piece : {uint64_t{1} << 24, uint64_t{5003}}) {
      EXPECT_EQ(Crc32(ReadAll(image, **inode, piece)),
                record["crc32"].get<uint32_t>());
    }
  }
  EXPECT_GT(files, 5u);
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenContents,
                         testing::Values("tiny-v5", "tiny-1k", "tiny-v4",
                                         "v4-1k"));

TEST(ReadFile, StopsAtTheEndOfTheFile) {
  TestImage image("tiny-v5");
  const InodeRef inode = Open(image, "files/past-the-end");  // 6 bytes
  std::vector<uint8_t> into(100, 0xee);
  EXPECT_EQ(*ReadFile(*inode, image.geometry, *image.device, 2, into), 4u);
  EXPECT_EQ(into[4], 0xee);
  EXPECT_EQ(*ReadFile(*inode, image.geometry, *image.device, 6, into), 0u);
  EXPECT_EQ(
      *ReadFile(*inode, image.geometry, *image.device, ~uint64_t{0}, into), 0u);
}

TEST(ReadFile, ReadsHolesAndUnwrittenExtentsAsZeros) {
  TestImage image("tiny-v5");
  const InodeRef hole = Open(image, "files/all-hole");
  std::vector<uint8_t> into(10000, 0xee);
  EXPECT_EQ(*ReadFile(*hole, image.geometry, *image.device, 12345, into),
            into.size());
  EXPECT_EQ(into, std::vector<uint8_t>(10000));
  // FIEMAP: unwritten up to byte 65536, data from there on.
  const InodeRef unwritten = Open(image, "files/unwritten");
  std::fill(into.begin(), into.end(), 0xee);
  EXPECT_EQ(
      *ReadFile(*unwritten, image.geometry, *image.device, 65536 - 9999, into),
      into.size());
  EXPECT_TRUE(std::all_of(into.begin(), into.end() - 1,
                          [](uint8_t byte) { return byte == 0; }));
}

TEST(ReadFile, RefusesWhatIsNoRegularFile) {
  TestImage image("tiny-v5");
  std::vector<uint8_t> into(10);
  EXPECT_EQ(ondisk::ErrnoOf(ReadFile(*Open(image, "files"), image.geometry,
                                     *image.device, 0, into)
                                .status()),
            EISDIR);
  EXPECT_EQ(ondisk::ErrnoOf(ReadFile(*Open(image, "special_files/fifo"),
                                     image.geometry, *image.device, 0, into)
                                .status()),
            EINVAL);
}

TEST(ReadFile, SaysEioForAnImageThatEndsTooEarly) {
  std::vector<uint8_t> bytes = GoldenBytes("tiny-v5");
  // FIEMAP of huge/sparse: its last block is at byte 35315712.
  TestImage whole("tiny-v5");
  const InodeRef inode = Open(whole, "huge/sparse");
  bytes.resize(35315712 + 4000);
  const MemoryDevice cut(std::move(bytes));
  std::vector<uint8_t> into(4095);
  EXPECT_EQ(ondisk::ErrnoOf(ReadFile(*inode, whole.geometry, cut,
                                     9223372036854771712u, into)
                                .status()),
            EIO);
}

TEST(MapForRead, PointsAtTheBytesThatFiemapNames) {
  TestImage image("tiny-v5");
  const InodeRef inode = Open(image, "files/unwritten");
  std::vector<FileSegment> segments;
  ASSERT_TRUE(
      MapForRead(*inode, image.geometry, 70000, 300000, 100, segments).ok());
  // FIEMAP: 65536 at 28459008 (8192 bytes), then unwritten, 299008 at 28692480
  // (4096 bytes), then unwritten up to 524288, a hole, unwritten again.
  ASSERT_EQ(segments.size(), 4u);
  EXPECT_EQ(segments[0].length, 73728u - 70000u);
  EXPECT_EQ(segments[0].device_offset, 28459008u + (70000u - 65536u));
  EXPECT_EQ(segments[1].length, 299008u - 73728u);
  EXPECT_FALSE(segments[1].device_offset.has_value());
  EXPECT_EQ(segments[2].length, 4096u);
  EXPECT_EQ(segments[2].device_offset, 28692480u);
  EXPECT_EQ(segments[3].length, 370000u - 303104u);
  EXPECT_FALSE(segments[3].device_offset.has_value());
}

TEST(MapForRead, EndsAtTheLastByteThatAFileCanHave) {
  TestImage image("tiny-v5");
  const InodeRef inode = Open(image, "huge/sparse");
  std::vector<FileSegment> segments;
  ASSERT_TRUE(MapForRead(*inode, image.geometry, 9223372036854771711u,
                         ~uint64_t{0}, 100, segments)
                  .ok());
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[0].length, 1u);
  EXPECT_FALSE(segments[0].device_offset.has_value());
  EXPECT_EQ(segments[1].length, 4095u);
  EXPECT_EQ(segments[1].device_offset, 35315712u);
}

TEST(MapForRead, ClearsTheListAndKeepsToItsLimit) {
  TestImage image("tiny-v5");
  const InodeRef inode = Open(image, "files/many-extents");
  std::vector<FileSegment> segments(7);
  ASSERT_TRUE(
      MapForRead(*inode, image.geometry, 0, ~uint64_t{0}, 3, segments).ok());
  EXPECT_EQ(segments.size(), 3u);
  ASSERT_TRUE(
      MapForRead(*inode, image.geometry, 0, ~uint64_t{0}, 0, segments).ok());
  EXPECT_TRUE(segments.empty());
  ASSERT_TRUE(MapForRead(*inode, image.geometry, 0, 0, 3, segments).ok());
  EXPECT_TRUE(segments.empty());
}

TEST(MapForRead, JoinsZerosOfUnwrittenExtentsAndHoles) {
  TestImage image("tiny-v5");
  const InodeRef inode = Open(image, "files/unwritten");
  std::vector<FileSegment> segments;
  ASSERT_TRUE(
      MapForRead(*inode, image.geometry, 0, ~uint64_t{0}, 100, segments).ok());
  // FIEMAP: unwritten from 303104 to 524288, a hole, unwritten from 589824 on.
  ASSERT_EQ(segments.size(), 5u);
  EXPECT_EQ(segments[4].length, 1048576u - 303104u);
}

TEST(MapForRead, JoinsWhatLiesTogetherOnTheDevice) {
  // One extent of 18 blocks, told as two of 9.
  ImageBytes bytes("tiny-v5");
  const InodeNumber number = InodeOfPath("tiny-v5", "files/text");
  auto& disk =
      *reinterpret_cast<ondisk::DiskInode*>(bytes.Inode(number).data());
  auto* records = reinterpret_cast<ondisk::DiskExtent*>(
      bytes.Inode(number).data() + sizeof(disk));
  ondisk::ExtentRecord half = ondisk::UnpackExtent(records[0]);
  ASSERT_EQ(half.count, 18u);
  half.count = 9;
  records[0] = ondisk::PackExtent(half);
  half.start = half.start + 9;
  half.block = half.block + 9;
  records[1] = ondisk::PackExtent(half);
  disk.big_nextents.set(2);
  bytes.SealInode(number);
  TestImage image(std::move(bytes.bytes));
  const absl::StatusOr<InodeRef> inode = image.inodes.Get(number);
  ASSERT_TRUE(inode.ok()) << inode.status();
  std::vector<FileSegment> segments;
  ASSERT_TRUE(
      MapForRead(**inode, image.geometry, 0, ~uint64_t{0}, 100, segments).ok());
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].length, 70001u);
  EXPECT_EQ(segments[0].device_offset, 25890816u);
}

}  // namespace
}  // namespace fusexfs
