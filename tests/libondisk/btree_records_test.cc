// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/btree_records.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "libondisk/btree_block.h"
#include "libondisk/status.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

using ::testing::HasSubstr;

const Geometry kGeometry = SampleGeometry();

template <class Record>
std::string Error(void (*verify)(const Record&, const Geometry&, AgNumber,
                                 Checker&),
                  const Record& record) {
  Checker check("record", Where{});
  verify(record, kGeometry, AgNumber(0), check);
  return std::string(MessageOf(check.status()));
}

// ---- what xfs_db printed of the sample's blocks ----

TEST(AllocRecord, DecodesTheSample) {
  const auto block = SampleBnobtLeaf();
  const BtreeLayout layout = BtreeLayout::Of(BtreeKind::kBnobt, kGeometry);
  const BtreeBlock leaf(block, layout);
  const AllocRecord last = AllocRecord::Decode(leaf.Record(89));
  EXPECT_EQ(last.start, AgBlock(504));
  EXPECT_EQ(last.count, 32264u);
  for (uint32_t i = 0; i < leaf.count(); ++i) {
    const AllocRecord r = AllocRecord::Decode(leaf.Record(i));
    EXPECT_EQ(Error(VerifyAllocRecord, r), "");
    if (i > 0) {
      EXPECT_TRUE(InBlockOrder(AllocRecord::Decode(leaf.Record(i - 1)), r));
    }
  }
}

TEST(InobtRecord, DecodesTheSample) {
  const auto block = SampleInobtLeaf();
  const BtreeLayout layout = BtreeLayout::Of(BtreeKind::kInobt, kGeometry);
  const BtreeBlock leaf(block, layout);
  const InobtRecord first = InobtRecord::Decode(leaf.Record(0), true);
  EXPECT_EQ(first.start, AgInode(64));
  EXPECT_EQ(first.holemask, 0u);
  EXPECT_EQ(first.count, 64u);
  EXPECT_EQ(first.freecount, 3u);
  EXPECT_EQ(first.free, 0x888u);
  EXPECT_TRUE(first.IsUsed(0) && !first.IsUsed(3) && !first.IsHole(3));
  const InobtRecord second = InobtRecord::Decode(leaf.Record(1), true);
  EXPECT_EQ(second.start, AgInode(128));
  EXPECT_EQ(second.free, 0xfffffe0000000000u);
  EXPECT_EQ(Error(VerifyInobtRecord, first), "");
  EXPECT_EQ(Error(VerifyInobtRecord, second), "");
  EXPECT_TRUE(InOrder(first, second));
  EXPECT_FALSE(InOrder(second, first));
}

TEST(RmapRecord, DecodesTheSample) {
  const auto block = SampleRmapbtLeaf();
  const BtreeLayout layout = BtreeLayout::Of(BtreeKind::kRmapbt, kGeometry);
  const BtreeBlock leaf(block, layout);
  ASSERT_EQ(leaf.count(), 20u);
  for (uint32_t i = 0; i < leaf.count(); ++i) {
    const RmapRecord r = RmapRecord::Decode(leaf.Record(i));
    EXPECT_EQ(Error(VerifyRmapRecord, r), "") << i;
    if (i > 0) {
      EXPECT_TRUE(InOrder(RmapRecord::Decode(leaf.Record(i - 1)), r));
    }
  }
  // 1:[0,2,-3,...] 12:[32,64,-7,...] 13:[96,1,167,0,0,0,1] 15:[97,1,168,1,...]
  const RmapRecord headers = RmapRecord::Decode(leaf.Record(0));
  EXPECT_EQ(headers.owner, kRmapOwnerFs);
  EXPECT_EQ(headers.count, 2u);
  EXPECT_EQ(RmapRecord::Decode(leaf.Record(11)).owner, kRmapOwnerInodes);
  const RmapRecord bmbt = RmapRecord::Decode(leaf.Record(12));
  EXPECT_EQ(bmbt.start, AgBlock(96));
  EXPECT_EQ(bmbt.owner, 167u);
  EXPECT_TRUE(bmbt.bmbt_block && bmbt.owned_by_inode());
  EXPECT_EQ(RmapRecord::Decode(leaf.Record(14)).offset, 1u);
}

TEST(RefcountRecord, DecodesTheSample) {
  const auto block = SampleRefcountbtLeaf();
  const BtreeLayout layout = BtreeLayout::Of(BtreeKind::kRefcountbt, kGeometry);
  const BtreeBlock leaf(block, layout);
  ASSERT_EQ(leaf.count(), 80u);
  const RefcountRecord last = RefcountRecord::Decode(leaf.Record(79));
  EXPECT_EQ(last.start, AgBlock(255));
  EXPECT_EQ(last.count, 1u);
  EXPECT_EQ(last.references, 2u);
  EXPECT_FALSE(last.cow_staging);
  EXPECT_EQ(Error(VerifyRefcountRecord, last), "");
}

// ---- lies ----

TEST(AllocRecord, RunsOutsideTheGroupAreRefused) {
  const auto error = [](uint32_t start, uint32_t count) {
    return Error(VerifyAllocRecord, AllocRecord{AgBlock(start), count});
  };
  EXPECT_EQ(error(2, 32766), "");
  EXPECT_THAT(error(10, 0), HasSubstr("blockcount is 0"));
  EXPECT_THAT(error(0, 1), HasSubstr("startblock is 0"));
  EXPECT_THAT(error(1, 1), HasSubstr("startblock is 1"));
  EXPECT_THAT(error(32768, 1), HasSubstr("startblock is 32768"));
  EXPECT_THAT(error(2, 32767), HasSubstr("blockcount is 32767"));
  EXPECT_THAT(error(0xffffffff, 0xffffffff), HasSubstr("startblock"));
  EXPECT_THAT(error(32767, 0xffffffff), HasSubstr("blockcount"));
}

TEST(AllocRecord, OrdersByBlockAndByLength) {
  const AllocRecord a{AgBlock(10), 5}, b{AgBlock(15), 5}, c{AgBlock(12), 9};
  EXPECT_TRUE(InBlockOrder(a, b));
  EXPECT_FALSE(InBlockOrder(a, c) || InBlockOrder(b, a) || InBlockOrder(a, a));
  EXPECT_TRUE(InLengthOrder(a, b) && InLengthOrder(a, c));
  EXPECT_FALSE(InLengthOrder(c, a) || InLengthOrder(a, a));
  const AllocRecord end{AgBlock(0xffffffff), 0xffffffff};
  EXPECT_FALSE(InBlockOrder(end, a));  // the sum must not wrap
}

TEST(InobtRecord, SparseAndFullFormatsDiffer) {
  const uint8_t raw[16] = {0, 0, 0, 128, 0xff, 0, 32, 3,
                           0, 0, 0, 0,   0,    0, 0,  7};
  const InobtRecord sparse = InobtRecord::Decode(raw, true);
  EXPECT_EQ(sparse.holemask, 0xff00u);
  EXPECT_EQ(sparse.count, 32u);
  EXPECT_EQ(sparse.freecount, 3u);
  EXPECT_EQ(sparse.HoleMask64(), 0xffffffff00000000u);
  EXPECT_TRUE(sparse.IsHole(32) && !sparse.IsHole(31));
  EXPECT_FALSE(sparse.IsUsed(32) || sparse.IsUsed(0));
  EXPECT_TRUE(sparse.IsUsed(3));
  EXPECT_EQ(Error(VerifyInobtRecord, sparse), "");
  const InobtRecord full = InobtRecord::Decode(raw, false);
  EXPECT_EQ(full.holemask, 0u);
  EXPECT_EQ(full.count, 64u);
  EXPECT_EQ(full.freecount, 0xff002003u);
  EXPECT_THAT(Error(VerifyInobtRecord, full), HasSubstr("freecount"));
}

TEST(InobtRecord, CountsThatDisagreeWithMasksAreRefused) {
  InobtRecord r{AgInode(64), 0, 64, 1, 1};
  EXPECT_EQ(Error(VerifyInobtRecord, r), "");
  r.freecount = 2;
  EXPECT_THAT(Error(VerifyInobtRecord, r), HasSubstr("freecount is 2"));
  r = {AgInode(64), 0xffff, 0, 0, ~uint64_t{0}};
  EXPECT_THAT(Error(VerifyInobtRecord, r), HasSubstr("count is 0"));
  r = {AgInode(64), 0, 63, 0, 0};
  EXPECT_THAT(Error(VerifyInobtRecord, r), HasSubstr("count is 63"));
  for (uint32_t start : {0u, 65536u - 63, 0xffffffffu, 0xffffffc0u}) {
    r = {AgInode(start), 0, 64, 0, 0};
    EXPECT_THAT(Error(VerifyInobtRecord, r), HasSubstr("startino")) << start;
  }
}

RmapRecord Rmap(uint64_t owner, uint64_t offset) {
  RmapRecord r;
  r.start = AgBlock(100);
  r.count = 4;
  r.owner = owner;
  r.offset = offset;
  return r;
}

TEST(RmapRecord, FlagsMustSuitTheOwner) {
  EXPECT_EQ(Error(VerifyRmapRecord, Rmap(64, 7)), "");
  EXPECT_EQ(Error(VerifyRmapRecord, Rmap(kRmapOwnerCow, 0)), "");
  EXPECT_THAT(Error(VerifyRmapRecord, Rmap(kRmapOwnerUnknown, 0)),
              HasSubstr("owner"));
  EXPECT_THAT(Error(VerifyRmapRecord, Rmap(kRmapOwnerCow - 5, 0)),
              HasSubstr("owner"));
  EXPECT_THAT(Error(VerifyRmapRecord, Rmap(0, 0)), HasSubstr("owner is 0"));
  EXPECT_THAT(Error(VerifyRmapRecord, Rmap(kRmapOwnerAg, 1)),
              HasSubstr("offset is 1"));
  RmapRecord r = Rmap(64, 1);
  r.bmbt_block = true;
  EXPECT_THAT(Error(VerifyRmapRecord, r), HasSubstr("offset is 1"));
  r = Rmap(64, 0);
  r.bmbt_block = r.unwritten = true;
  EXPECT_THAT(Error(VerifyRmapRecord, r), HasSubstr("not unwritten"));
  r = Rmap(64, 0);
  r.attr_fork = r.unwritten = true;
  EXPECT_THAT(Error(VerifyRmapRecord, r), HasSubstr("not unwritten"));
  r = Rmap(kRmapOwnerAg, 0);
  r.attr_fork = true;
  EXPECT_THAT(Error(VerifyRmapRecord, r), HasSubstr("without flags"));
  EXPECT_THAT(Error(VerifyRmapRecord, Rmap(64, kRmapOffsetMask)),
              HasSubstr("blockcount is 4, expected at most 1"));
}

TEST(RmapRecord, GroupHeadersAreOneRecord) {
  RmapRecord r = Rmap(kRmapOwnerFs, 0);
  r.start = AgBlock(0);
  r.count = 2;
  EXPECT_EQ(Error(VerifyRmapRecord, r), "");
  r.count = 3;
  EXPECT_THAT(Error(VerifyRmapRecord, r), HasSubstr("blockcount is 3"));
  r = Rmap(64, 0);
  r.start = AgBlock(1);
  EXPECT_THAT(Error(VerifyRmapRecord, r), HasSubstr("startblock is 1"));
}

TEST(RmapRecord, ReservedBitsAreFound) {
  std::vector<uint8_t> raw(24);
  raw[3] = 100;
  raw[7] = 1;
  raw[15] = 64;
  EXPECT_EQ(Error(VerifyRmapRecord, RmapRecord::Decode(raw)), "");
  raw[16] = 0x02;
  EXPECT_THAT(Error(VerifyRmapRecord, RmapRecord::Decode(raw)),
              HasSubstr("bits 54 to 60"));
  raw[16] = 0x20;
  EXPECT_TRUE(RmapRecord::Decode(raw).unwritten);
}

TEST(RmapRecord, UnwrittenIsNoPartOfTheOrder) {
  RmapRecord a = Rmap(64, 5), b = Rmap(64, 6);
  a.unwritten = true;
  EXPECT_TRUE(InOrder(a, b));
  b.attr_fork = true;
  b.offset = 0;
  EXPECT_TRUE(InOrder(a, b));
  EXPECT_FALSE(InOrder(b, a));
}

TEST(RefcountRecord, StagingFlagIsNotPartOfTheBlock) {
  const uint8_t raw[12] = {0x80, 0, 1, 0, 0, 0, 0, 8, 0, 0, 0, 1};
  const RefcountRecord r = RefcountRecord::Decode(raw);
  EXPECT_EQ(r.start, AgBlock(256));
  EXPECT_TRUE(r.cow_staging);
  EXPECT_EQ(Error(VerifyRefcountRecord, r), "");
}

TEST(RefcountRecord, CountsMustSuitTheKind) {
  RefcountRecord r{AgBlock(256), 8, 1, false};
  EXPECT_THAT(Error(VerifyRefcountRecord, r), HasSubstr("refcount is 1"));
  r = {AgBlock(256), 8, 2, true};
  EXPECT_THAT(Error(VerifyRefcountRecord, r), HasSubstr("refcount is 2"));
  r = {AgBlock(32767), 2, 2, false};
  EXPECT_THAT(Error(VerifyRefcountRecord, r), HasSubstr("blockcount is 2"));
  r = {AgBlock(256), 0, 2, false};
  EXPECT_THAT(Error(VerifyRefcountRecord, r), HasSubstr("blockcount is 0"));
}

TEST(RefcountRecord, StagedRecordsComeAfterSharedOnes) {
  const RefcountRecord shared{AgBlock(900), 8, 2, false};
  const RefcountRecord staged{AgBlock(10), 8, 1, true};
  EXPECT_TRUE(InOrder(shared, staged));
  EXPECT_FALSE(InOrder(staged, shared));
  EXPECT_FALSE(InOrder(shared, RefcountRecord{AgBlock(907), 1, 2, false}));
  EXPECT_TRUE(InOrder(shared, RefcountRecord{AgBlock(908), 1, 2, false}));
}

TEST(RmapOwnerName, SpeaksPlainly) {
  EXPECT_EQ(RmapOwnerName(131), "inode 131");
  EXPECT_EQ(RmapOwnerName(kRmapOwnerLog), "log");
}

}  // namespace
}  // namespace ondisk
