// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/extents.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "libondisk/btree_block.h"

namespace ondisk {
namespace {

// 4 KiB blocks, two AGs of 1000 and 900 blocks; sectors of 512 bytes, so that
// only block 0 of an AG belongs to its headers.
Geometry SmallGeometry() {
  Geometry g;
  g.features.crc = true;
  g.features.nrext64 = true;
  g.block_size = 4096;
  g.block_log = 12;
  g.sector_size = 512;
  g.sector_log = 9;
  g.inode_size = 512;
  g.inode_log = 9;
  g.inodes_per_block = 8;
  g.inodes_per_block_log = 3;
  g.ag_block_log = 10;
  g.ag_count = 2;
  g.ag_blocks = 1000;
  g.data_blocks = 1900;
  return g;
}

std::string FailedField(const ExtentRecord& record,
                        ondisk::Fork fork = ondisk::Fork::kData,
                        bool realtime = false) {
  Checker check("extent", Where{});
  VerifyExtent(SmallGeometry(), fork, realtime, record, check);
  return check.failed() ? check.findings().front().field : "";
}

struct Packed {
  std::array<uint8_t, 16> bytes;
  ExtentRecord record;
};

// Bytes of a file's inode on a kernel-made image, and xfs_db's words for them.
const Packed kPacked[] = {
    {{0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x62, 0x80, 0, 0x10},
     {FileBlock(0), FsBlock(6932), 16, true}},
    {{0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0x03, 0x64, 0x80, 0, 0x02},
     {FileBlock(16), FsBlock(6948), 2, false}},
    {{0x80, 0, 0, 0, 0, 0x01, 0x20, 0, 0, 0, 0, 0x03, 0x74, 0x80, 0, 0xb0},
     {FileBlock(144), FsBlock(7076), 176, true}},
};

TEST(Extent, UnpacksAsXfsDbDoes) {
  for (const Packed& packed : kPacked) {
    EXPECT_EQ(UnpackExtent(View<DiskExtent>(packed.bytes)), packed.record);
  }
}

TEST(Extent, PacksToTheKernelsBytes) {
  for (const Packed& packed : kPacked) {
    const DiskExtent disk = PackExtent(packed.record);
    EXPECT_EQ(std::memcmp(&disk, packed.bytes.data(), sizeof(disk)), 0);
  }
}

TEST(Extent, EveryFieldHasItsOwnBits) {
  const ExtentRecord full{FileBlock((uint64_t{1} << 54) - 1),
                          FsBlock((uint64_t{1} << 52) - 1), (1u << 21) - 1,
                          true};
  const DiskExtent disk = PackExtent(full);
  EXPECT_EQ(disk.high.value(), ~uint64_t{0});
  EXPECT_EQ(disk.low.value(), ~uint64_t{0});
  EXPECT_EQ(UnpackExtent(disk), full);
  // The disk block is split over both words, 9 bits and 43.
  EXPECT_EQ(PackExtent({FileBlock(0), FsBlock(uint64_t{1} << 43), 0, false})
                .high.value(),
            1u);
  EXPECT_EQ(PackExtent({FileBlock(0), FsBlock(1), 0, false}).low.value(),
            uint64_t{1} << 21);
}

TEST(VerifyExtent, AcceptsWhatFitsItsAg) {
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(1), 999, false}), "");
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(1024 + 1), 899, true}), "");
  EXPECT_EQ(FailedField({FileBlock(kMaxExtentStart), FsBlock(1), 2, false}),
            "");
}

TEST(VerifyExtent, RefusesWhatCannotBe) {
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(1), 0, false}), "blockcount");
  // AG headers, behind the AG, behind the last AG, between two AGs.
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(0), 1, false}), "startblock");
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(1000), 1, false}), "startblock");
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(999), 2, false}), "startblock");
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(1024 + 900), 1, false}),
            "startblock");
  EXPECT_EQ(FailedField({FileBlock(5), FsBlock(2048), 1, false}), "startblock");
  EXPECT_EQ(
      FailedField({FileBlock(5), FsBlock((uint64_t{1} << 52) - 1), 1, false}),
      "startblock");
}

TEST(VerifyExtent, KnowsWhatAForkMayHold) {
  EXPECT_EQ(FailedField({FileBlock(0), FsBlock(1), 1, true},
                        ondisk::Fork::kAttribute),
            "extentflag");
  // Realtime data is elsewhere; the attribute fork never is.
  EXPECT_EQ(
      FailedField({FileBlock(0), FsBlock(5000), 1, false}, ondisk::Fork::kData,
                  /*realtime=*/true),
      "");
  EXPECT_EQ(FailedField({FileBlock(0), FsBlock(5000), 1, false},
                        ondisk::Fork::kAttribute, /*realtime=*/true),
            "startblock");
}

class ExtentRootTest : public testing::Test {
 protected:
  // A fork of 176 bytes: 11 records, or a root of up to 10 pointers.
  void Set(uint16_t level, uint16_t count) {
    auto& header = *reinterpret_cast<BmbtRootHeader*>(fork_.data());
    header.level.set(level);
    header.numrecs.set(count);
  }
  std::string Failed(uint64_t extents, uint64_t nblocks) const {
    Checker check("inode", Where{});
    VerifyExtentRoot(SmallGeometry(), fork_, extents, nblocks, check);
    return check.failed() ? check.findings().front().field : "";
  }

  std::vector<uint8_t> fork_ = std::vector<uint8_t>(176);
};

TEST_F(ExtentRootTest, AcceptsOneThatIsNeeded) {
  Set(1, 1);
  EXPECT_EQ(Failed(12, 100), "");
  Set(2, 10);
  EXPECT_EQ(Failed(12, 12), "");
}

TEST_F(ExtentRootTest, RefusesWhatCannotBe) {
  Set(0, 1);
  EXPECT_EQ(Failed(12, 100), "level");
  Set(60, 1);
  EXPECT_EQ(Failed(12, 100), "level");
  Set(1, 0);
  EXPECT_EQ(Failed(12, 100), "numrecs");
  Set(1, 11);
  EXPECT_EQ(Failed(12, 100), "numrecs");
  Set(1, 0xffff);
  EXPECT_EQ(Failed(12, 100), "numrecs");
  Set(1, 1);
  EXPECT_EQ(Failed(11, 100), "nextents") << "11 records fit the fork itself";
  EXPECT_EQ(Failed(101, 100), "nextents");
}

TEST_F(ExtentRootTest, RefusesAForkTooSmallForAnyRoot) {
  fork_.resize(16);
  EXPECT_EQ(Failed(12, 100), "forkoff");
  fork_.clear();
  EXPECT_EQ(Failed(12, 100), "forkoff");
}

TEST(ExplainExtents, ShowsNoMoreThanTheForkHolds) {
  std::vector<uint8_t> fork(40);
  std::memcpy(fork.data(), kPacked[1].bytes.data(), 16);
  Explanation explanation;
  ExplainExtents(SmallGeometry(), fork, 176, ~uint64_t{0}, explanation);
  ASSERT_EQ(explanation.parts.size(), 1u);
  ASSERT_EQ(explanation.parts[0].fields.size(), 2u);
  EXPECT_EQ(explanation.parts[0].fields[0].offset, 176u);
  EXPECT_EQ(explanation.parts[0].fields[0].value,
            "file block 16 -> 6948, 2 blocks");
}

TEST(ExplainExtentRoot, FindsThePointersBehindTheRoomForKeys) {
  // Capacity 10: keys from byte 4, pointers from byte 84.
  std::vector<uint8_t> fork(176);
  auto& header = *reinterpret_cast<BmbtRootHeader*>(fork.data());
  header.level.set(1);
  header.numrecs.set(1);
  fork[4 + 7] = 9;
  fork[84 + 7] = 77;
  Explanation explanation;
  ExplainExtentRoot(SmallGeometry(), fork, 176, explanation);
  ASSERT_EQ(explanation.parts.size(), 1u);
  const auto& fields = explanation.parts[0].fields;
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[2].value, "9");
  EXPECT_EQ(fields[3].offset, 176u + 84u);
  EXPECT_EQ(fields[3].value, "77 (AG 0 block 77)");
}

}  // namespace
}  // namespace ondisk
