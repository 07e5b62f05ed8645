// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/btree_block.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "libondisk/btree_records.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

using ::testing::HasSubstr;

struct Sample {
  BtreeKind kind;
  std::vector<uint8_t> block;
  uint64_t address;
};

std::vector<Sample> Samples() {
  return {
      {BtreeKind::kBnobt, SampleBnobtLeaf(), kSampleBnobtAddress},
      {BtreeKind::kInobt, SampleInobtLeaf(), kSampleInobtAddress},
      {BtreeKind::kRmapbt, SampleRmapbtNode(), kSampleRmapbtNodeAddress},
      {BtreeKind::kRmapbt, SampleRmapbtLeaf(), kSampleRmapbtLeafAddress},
      {BtreeKind::kRefcountbt, SampleRefcountbtLeaf(),
       kSampleRefcountbtAddress},
      {BtreeKind::kBmbt, SampleBmbtLeaf(), kSampleBmbtAddress},
  };
}

class BtreeBlockTest : public ::testing::Test {
 protected:
  std::string Error(const Sample& s) {
    Checker check(TraitsOf(s.kind).name, Where::Disk(DiskAddress(s.address)));
    VerifyBtreeBlock(s.block, s.kind, geometry_, DiskAddress(s.address), check);
    return std::string(MessageOf(check.status()));
  }
  // With a good checksum.
  std::string ErrorWith(Sample s, size_t offset, size_t size, uint64_t value) {
    PutSealed(s.block,
              TraitsOf(s.kind).long_pointers ? kBtreeLongCrcOffset
                                             : kBtreeShortCrcOffset,
              offset, size, value);
    return Error(s);
  }
  Geometry geometry_ = SampleGeometry();
};

TEST_F(BtreeBlockTest, SamplesHold) {
  for (const Sample& s : Samples()) {
    EXPECT_EQ(Error(s), "");
    const Explanation e =
        ExplainBtreeBlock(s.block, s.kind, geometry_, DiskAddress(s.address));
    EXPECT_TRUE(e.AllChecksHold()) << e.structure;
  }
}

TEST_F(BtreeBlockTest, NodeReadsAsXfsDbPrintsIt) {
  const BtreeLayout layout = BtreeLayout::Of(BtreeKind::kRmapbt, geometry_);
  const std::vector<uint8_t> bytes = SampleRmapbtNode();
  const BtreeBlock node(bytes, layout);
  EXPECT_EQ(node.level(), 1u);
  ASSERT_EQ(node.count(), 17u);
  EXPECT_EQ(node.left(), kNullFsBlock);
  EXPECT_EQ(node.owner(), 0u);
  const uint64_t pointers[] = {6,  500, 12,  8,  104, 102, 22,  10, 23,
                               18, 11,  501, 19, 17,  20,  100, 21};
  for (uint32_t i = 0; i < 17; ++i) EXPECT_EQ(node.Pointer(i), pointers[i]);
  // 2:[101,168,5,0,0,0, 114,168,0,0,0,1]
  const RmapRecord low = RmapRecord::DecodeKey(node.LowKey(1));
  EXPECT_EQ(low.start, AgBlock(101));
  EXPECT_EQ(low.owner, 168u);
  EXPECT_EQ(low.offset, 5u);
  const RmapRecord high = RmapRecord::DecodeKey(node.HighKey(1));
  EXPECT_EQ(high.start, AgBlock(114));
  EXPECT_EQ(high.owner, 168u);
  EXPECT_TRUE(high.bmbt_block && !high.attr_fork);
}

TEST_F(BtreeBlockTest, LeavesReadAsXfsDbPrintsThem) {
  const BtreeLayout layout = BtreeLayout::Of(BtreeKind::kBmbt, geometry_);
  const std::vector<uint8_t> bytes = SampleBmbtLeaf();
  const BtreeBlock leaf(bytes, layout);
  EXPECT_TRUE(leaf.is_leaf());
  EXPECT_EQ(leaf.count(), 59u);
  EXPECT_EQ(leaf.right(), 98u);
  EXPECT_EQ(leaf.left(), kNullFsBlock);
  EXPECT_EQ(leaf.owner(), kSampleBmbtOwner);
  EXPECT_EQ(leaf.Record(58).size(), 16u);
}

TEST_F(BtreeBlockTest, HeaderLiesWithAGoodChecksumAreNamed) {
  const Sample leaf = Samples()[4], node = Samples()[2], bmbt = Samples()[5];
  EXPECT_THAT(ErrorWith(leaf, 0, 4, 0x41423342), HasSubstr("magic is"));
  EXPECT_THAT(ErrorWith(leaf, 4, 2, 3), HasSubstr("level is 3"));
  EXPECT_THAT(ErrorWith(leaf, 4, 2, 0xffff), HasSubstr("level is 65535"));
  EXPECT_THAT(ErrorWith(leaf, 6, 2, 81), HasSubstr("numrecs is 81"));
  EXPECT_THAT(ErrorWith(leaf, 6, 2, 60000), HasSubstr("numrecs is 60000"));
  EXPECT_THAT(ErrorWith(leaf, 8, 4, 7),
              HasSubstr("leftsib is 7, expected another"));
  EXPECT_THAT(ErrorWith(leaf, 12, 4, 1), HasSubstr("rightsib is 1"));
  EXPECT_THAT(ErrorWith(leaf, 12, 4, 32768), HasSubstr("rightsib is 32768"));
  EXPECT_THAT(ErrorWith(leaf, 16, 8, 15),
              HasSubstr("blkno is 15, expected 14"));
  EXPECT_THAT(ErrorWith(leaf, 32, 4, 0), HasSubstr("uuid is 00000000"));
  EXPECT_THAT(ErrorWith(leaf, 48, 4, 1), HasSubstr("owner is 1, expected 0"));

  EXPECT_THAT(ErrorWith(node, 6, 2, 0), HasSubstr("numrecs is 0"));
  EXPECT_THAT(ErrorWith(node, 6, 2, 23), HasSubstr("numrecs is 23"));
  EXPECT_THAT(ErrorWith(node, 936, 4, 0), HasSubstr("ptrs[1] is 0"));
  EXPECT_THAT(ErrorWith(node, 936 + 64, 4, 0x7ffffff), HasSubstr("ptrs[17]"));
  EXPECT_THAT(ErrorWith(node, 936, 4, 9), HasSubstr("ptrs[1] is 9"));

  EXPECT_THAT(ErrorWith(bmbt, 24, 8, 1), HasSubstr("blkno is 1"));
  EXPECT_THAT(ErrorWith(bmbt, 56, 8, 0), HasSubstr("owner is 0"));
  EXPECT_THAT(ErrorWith(bmbt, 68, 4, 1), HasSubstr("pad is 1"));
  EXPECT_THAT(ErrorWith(bmbt, 16, 8, 1u << 30), HasSubstr("rightsib"));
  EXPECT_THAT(ErrorWith(bmbt, 16, 8, 96), HasSubstr("rightsib is 96"));
}

TEST_F(BtreeBlockTest, EveryByteIsCoveredByTheChecksum) {
  for (Sample s : Samples()) {
    for (size_t i = 0; i < s.block.size(); ++i) {
      s.block[i] ^= 0x20;
      EXPECT_NE(Error(s), "") << TraitsOf(s.kind).name << " byte " << i;
      s.block[i] ^= 0x20;
    }
  }
}

TEST_F(BtreeBlockTest, BlockOfAnotherPlaceOrTreeOrSizeIsRefused) {
  Sample s = Samples()[0];
  s.address += 2;
  EXPECT_THAT(Error(s), HasSubstr("blkno is 4, expected 6"));
  s = Samples()[0];
  s.kind = BtreeKind::kCntbt;
  EXPECT_THAT(Error(s), HasSubstr("magic is 0x41423342, expected 0x41423343"));
  s = Samples()[0];
  s.block.resize(512);
  EXPECT_THAT(Error(s), HasSubstr("1024 bytes"));
  s.block.clear();
  EXPECT_NE(Error(s), "");
}

TEST_F(BtreeBlockTest, WalkerChecksLevelAndOwner) {
  const std::vector<uint8_t> bytes = SampleBmbtLeaf();
  const BtreeLayout layout = BtreeLayout::Of(BtreeKind::kBmbt, geometry_);
  const BtreeBlock leaf(bytes, layout);
  Checker good("bmbt", Where{});
  VerifyBtreeLevel(leaf, 0, good);
  VerifyBmbtOwner(leaf, InodeNumber(167), good);
  EXPECT_FALSE(good.failed());
  Checker level("bmbt", Where{}), owner("bmbt", Where{});
  VerifyBtreeLevel(leaf, 1, level);
  VerifyBmbtOwner(leaf, InodeNumber(168), owner);
  EXPECT_TRUE(level.failed() && owner.failed());
}

TEST_F(BtreeBlockTest, V4BlockHasNoChecksumAndAShorterHeader) {
  geometry_ = SampleGeometryV4();
  Sample s{BtreeKind::kBnobt, std::vector<uint8_t>(1024), 4};
  PutBig(s.block, 0, 4, 0x41425442);
  PutBig(s.block, 6, 2, 126);
  PutBig(s.block, 8, 8, ~uint64_t{0});
  PutBig(s.block, 16, 8, uint64_t{50} << 32 | 3);
  EXPECT_EQ(Error(s), "");
  const BtreeLayout layout = BtreeLayout::Of(s.kind, geometry_);
  EXPECT_EQ(AllocRecord::Decode(BtreeBlock(s.block, layout).Record(0)).start,
            AgBlock(50));
  PutBig(s.block, 6, 2, 127);
  EXPECT_THAT(Error(s), HasSubstr("numrecs is 127"));
  s.kind = BtreeKind::kRmapbt;
  EXPECT_THAT(Error(s), HasSubstr("V4 has no such tree"));
}

TEST_F(BtreeBlockTest, ExplainShowsBadRecordsBesideThem) {
  Sample s = Samples()[0];
  // recs[2] is [322,1]: let it overlap recs[3] and leave the AG.
  PutSealed(s.block, kBtreeShortCrcOffset, 56 + 8 + 4, 4, 0x7ffffff);
  const Explanation e =
      ExplainBtreeBlock(s.block, s.kind, geometry_, DiskAddress(s.address));
  ASSERT_EQ(e.fields.size(), 10u + 90u);
  EXPECT_EQ(e.fields[10].value, "startblock 13 blockcount 4");
  EXPECT_EQ(e.fields[10].problem, "");
  EXPECT_THAT(e.fields[11].problem, HasSubstr("blockcount is 134217727"));
  EXPECT_THAT(e.fields[12].problem, HasSubstr("order"));
  EXPECT_EQ(e.fields[13].problem, "");
}

TEST_F(BtreeBlockTest, ExplainOfHostileCountsStaysInTheBlock) {
  for (Sample s : Samples()) {
    PutBig(s.block, 4, 4, 0x0000ffff);  // a leaf of 65535 records
    EXPECT_FALSE(
        ExplainBtreeBlock(s.block, s.kind, geometry_, DiskAddress(s.address))
            .AllChecksHold());
    PutBig(s.block, 4, 4, 0xffffffff);  // a node
    EXPECT_FALSE(
        ExplainBtreeBlock(s.block, s.kind, geometry_, DiskAddress(s.address))
            .AllChecksHold());
  }
}

class BmbtRootTest : public BtreeBlockTest {
 protected:
  std::string RootError(const std::vector<uint8_t>& fork) {
    Checker check("bmbt root", Where{});
    VerifyBmbtRoot(fork, geometry_, check);
    return std::string(MessageOf(check.status()));
  }
  // Level 1, two keys and pointers, in a fork of 336 bytes (20 pointers fit).
  std::vector<uint8_t> Root() {
    std::vector<uint8_t> fork(336);
    PutBig(fork, 0, 2, 1);
    PutBig(fork, 2, 2, 2);
    PutBig(fork, 4, 8, 1);
    PutBig(fork, 12, 8, 119);
    PutBig(fork, 4 + 20 * 8, 8, 96);
    PutBig(fork, 4 + 21 * 8, 8, 98);
    return fork;
  }
};

TEST_F(BmbtRootTest, PointersStandBehindTheRoomForAllKeys) {
  const std::vector<uint8_t> fork = Root();
  EXPECT_EQ(RootError(fork), "");
  const BmbtRoot root(fork);
  EXPECT_EQ(root.max_pointers(), 20u);
  EXPECT_EQ(root.Key(1), 119u);
  EXPECT_EQ(root.Pointer(0), 96u);
  EXPECT_EQ(root.Pointer(1), 98u);
}

TEST_F(BmbtRootTest, LiesAreNamed) {
  std::vector<uint8_t> fork = Root();
  PutBig(fork, 0, 2, 0);
  EXPECT_THAT(RootError(fork), HasSubstr("level is 0"));
  PutBig(fork, 0, 2, 200);
  EXPECT_THAT(RootError(fork), HasSubstr("level is 200"));
  fork = Root();
  PutBig(fork, 2, 2, 21);
  EXPECT_THAT(RootError(fork), HasSubstr("numrecs is 21"));
  PutBig(fork, 2, 2, 0);
  EXPECT_THAT(RootError(fork), HasSubstr("numrecs is 0"));
  fork = Root();
  PutBig(fork, 4 + 21 * 8, 8, ~uint64_t{0});
  EXPECT_THAT(RootError(fork), HasSubstr("ptrs"));
  EXPECT_NE(RootError({}), "");
  EXPECT_NE(RootError({0, 1, 0, 1}), "");
}

}  // namespace
}  // namespace ondisk
