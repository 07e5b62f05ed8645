// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/superblock.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/damage.h"
#include "tests/support/sample_headers.h"

namespace ondisk {
namespace {

using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(MessageOf(status));
}

#define PUT(bytes, member, value) \
  PutBig(bytes, offsetof(Superblock, member), sizeof(Superblock::member), value)

absl::StatusOr<Geometry> Read(const std::vector<uint8_t>& bytes) {
  return GeometryFromSuperblock(bytes, kSampleDeviceBytes);
}

// A V4 superblock of the same geometry: no V5 words, other inode alignment.
std::vector<uint8_t> SampleV4() {
  std::vector<uint8_t> sb = SampleSuperblock();
  PUT(sb, versionnum, 0xb4a4);  // xfs_db, image of mkfs.xfs -m crc=0
  PUT(sb, features2, 0xa);
  PUT(sb, bad_features2, 0xa);
  std::memset(sb.data() + offsetof(Superblock, features_compat), 0,
              sb.size() - offsetof(Superblock, features_compat));
  return sb;
}

TEST(Superblock, GivesTheGeometryThatXfsDbPrints) {
  auto geometry = Read(SampleSuperblock());
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  EXPECT_EQ(geometry->block_size, 1024u);
  EXPECT_EQ(geometry->sector_size, 512u);
  EXPECT_EQ(geometry->inode_size, 512u);
  EXPECT_EQ(geometry->directory_block_size, 4096u);
  EXPECT_EQ(geometry->inodes_per_block, 2u);
  EXPECT_EQ(geometry->ag_block_log, 15u);
  EXPECT_EQ(geometry->ag_count, 2u);
  EXPECT_EQ(geometry->ag_blocks, 32768u);
  EXPECT_EQ(geometry->data_blocks, 65536u);
  EXPECT_EQ(geometry->log_start, 32776u);
  EXPECT_EQ(geometry->log_blocks, 4862u);
  EXPECT_EQ(geometry->log_sector_size, 512u);
  EXPECT_EQ(geometry->log_stripe_unit, 1u);
  EXPECT_EQ(geometry->root_inode, InodeNumber(64));
  EXPECT_EQ(geometry->user_quota_inode, InodeNumber(kNullInode));
  EXPECT_EQ(geometry->inode_alignment, 32u);
  EXPECT_EQ(geometry->sparse_inode_alignment, 16u);
  EXPECT_EQ(geometry->uuid[0], 0x11);
  EXPECT_EQ(geometry->meta_uuid, geometry->uuid);
  EXPECT_EQ(geometry->AgflBlock(), AgBlock(1));

  const Features& f = geometry->features;
  EXPECT_TRUE(f.crc && f.ftype && f.finobt && f.rmapbt && f.reflink &&
              f.inobtcount && f.sparse_inodes && f.bigtime && f.nrext64 &&
              f.exchange && f.parent && f.attr2 && f.has_attr &&
              f.lazy_counters && f.project32 && f.log_v2 && f.nlink32);
  EXPECT_FALSE(f.meta_uuid || f.needs_repair || f.metadir || f.ascii_ci ||
               f.quota);
  EXPECT_EQ(VolumeLabel(View<Superblock>(SampleSuperblock())), "sample");
}

TEST(Superblock, V4GivesItsFeaturesFromTheOldWords) {
  auto geometry = Read(SampleV4());
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  EXPECT_FALSE(geometry->features.crc || geometry->features.ftype ||
               geometry->features.finobt || geometry->features.project32);
  EXPECT_TRUE(geometry->features.attr2 && geometry->features.lazy_counters);

  std::vector<uint8_t> sb = SampleV4();
  PUT(sb, features2, 0x200);  // ftype; the rest where old kernels wrote it
  geometry = Read(sb);
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  EXPECT_TRUE(geometry->features.ftype && geometry->features.attr2);

  PUT(sb, versionnum, 0x3424);  // without morebits, features2 means nothing
  geometry = Read(sb);
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  EXPECT_FALSE(geometry->features.ftype || geometry->features.attr2);
}

TEST(Superblock, FilesThatAreNotXfsAreSaidToBeSo) {
  const std::vector<std::pair<std::vector<uint8_t>, std::string>> files = {
      {{}, "empty"},
      {std::vector<uint8_t>(100, 'x'), "only 100 bytes"},
      {std::vector<uint8_t>(4096), "00000000"},
      {std::vector<uint8_t>(4096, 0x41), "41414141"},
  };
  for (const auto& [bytes, words] : files) {
    const absl::Status status = Read(bytes).status();
    EXPECT_EQ(ErrnoOf(status), EINVAL) << status;
    EXPECT_THAT(Message(status), HasSubstr("not an XFS image")) << status;
    EXPECT_THAT(Message(status), HasSubstr(words));
  }
}

TEST(Superblock, ImageThatIsCutOffNamesBothSizes) {
  const absl::Status status =
      GeometryFromSuperblock(SampleSuperblock(), kSampleDeviceBytes - 512)
          .status();
  EXPECT_EQ(ErrnoOf(status), EUCLEAN);
  EXPECT_THAT(Message(status), HasSubstr("dblocks is 65536 (67108864 bytes)"));
  EXPECT_THAT(Message(status), HasSubstr("67108352 bytes; it is cut off"));
  EXPECT_TRUE(GeometryFromSuperblock(SampleSuperblock(), 0).ok());
  EXPECT_TRUE(
      GeometryFromSuperblock(SampleSuperblock(), uint64_t{1} << 40).ok());

  std::vector<uint8_t> sector(SampleSuperblock());
  PUT(sector, sectsize, 4096);
  PUT(sector, sectlog, 12);
  EXPECT_THAT(Message(Read(sector).status()), HasSubstr("cut off"));
}

TEST(Superblock, EveryByteIsCoveredByTheChecksum) {
  const std::vector<uint8_t> good = SampleSuperblock();
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<uint8_t> bad = good;
    bad[i] ^= 0x10;
    EXPECT_FALSE(Read(bad).ok()) << "byte " << i;
  }
}

struct Lie {
  size_t offset, size;
  uint64_t value;
  std::string field;  // the one that the error names
};
#define LIE_NAMED(member, value, named) \
  Lie { offsetof(Superblock, member), sizeof(Superblock::member), value, named }
#define LIE(member, value) LIE_NAMED(member, value, #member)

TEST(Superblock, GeometryLiesWithAGoodChecksumAreFoundByTheirField) {
  const std::vector<Lie> lies = {
      LIE(inopblock, 512),
      LIE(inopblog, 9),
      LIE_NAMED(blocklog, 16, "blocksize"),
      LIE(blocklog, 200),
      LIE(blocksize, 0),
      LIE(agblklog, 31),
      LIE(agblklog, 3),
      LIE(agblocks, 0),
      LIE(agblocks, 0xffffffff),
      LIE(agcount, 0),
      LIE(dblocks, 0),
      LIE(dblocks, 0x3fffffffffffff),
      LIE(dblocks, ~uint64_t{0}),
      LIE(dblocks, 32768),
      LIE(dirblklog, 7),
      LIE(dirblklog, 200),
      LIE(inodesize, 128),
      LIE(inodelog, 31),
      LIE(rootino, 0),
      LIE(rootino, 0xffffffffffffff),
      LIE(rootino, 3),
      LIE(logblocks, 0),
      LIE(logblocks, 0x7fffffff),
      LIE(logstart, 1),
      LIE(logstart, 65530),
      LIE(logstart, ~uint64_t{0} - 5),
      LIE(logsunit, 3),
      LIE(logsunit, 512 * 1024),
      LIE(logsectlog, 40),
      LIE(logsectsize, 512),
      LIE(sectlog, 40),
      LIE(sectsize, 0),
      LIE(imax_pct, 101),
      LIE(spino_align, 7),
      LIE(spino_align, 0),
      LIE(inoalignmt, 0),
      LIE(inoalignmt, 0xffffffff),
      LIE(shared_vn, 1),
      LIE(rextsize, 0),
      LIE(rextsize, 0xffffffff),
      LIE(rextents, 1),
      LIE(rbmblocks, 1),
      LIE(rextslog, 1),
      LIE(frextents, 1),
      LIE(unit, 8),
      LIE(width, 8),
      LIE(qflags, 0x10),
      LIE(features2, 0x8a),
      LIE(versionnum, 0xb6b5),
      LIE(versionnum, 0x94b5),
  };
  for (const Lie& lie : lies) {
    std::vector<uint8_t> sb = SampleSuperblock();
    PutSealed(sb, kSuperblockCrcOffset, lie.offset, lie.size, lie.value);
    const absl::Status status = Read(sb).status();
    EXPECT_EQ(ErrnoOf(status), EUCLEAN) << lie.field << " " << lie.value;
    EXPECT_THAT(Message(status),
                HasSubstr("superblock at daddr 0: " + lie.field + " is "))
        << lie.value;
  }
}

TEST(Superblock, HugeGroupCountCannotOverflow) {
  std::vector<uint8_t> sb = SampleSuperblock();
  PUT(sb, agcount, 0xffffffff);
  Reseal(sb, kSuperblockCrcOffset);
  EXPECT_THAT(Message(GeometryFromSuperblock(sb, 0).status()),
              HasSubstr("dblocks"));
}

TEST(Superblock, LogWithoutSectorFeatureHas512ByteSectors) {
  std::vector<uint8_t> sb = SampleSuperblock();
  PUT(sb, versionnum, 0xb4b5 | 0x800);
  Reseal(sb, kSuperblockCrcOffset);
  EXPECT_THAT(Message(Read(sb).status()), HasSubstr("logsectlog is 0"));
  PUT(sb, logsectlog, 9);
  PUT(sb, logsectsize, 512);
  Reseal(sb, kSuperblockCrcOffset);
  EXPECT_TRUE(Read(sb).ok());
}

TEST(Superblock, UnknownIncompatBitsAreRefusedByName) {
  std::vector<uint8_t> sb = SampleSuperblock();
  PUT(sb, features_incompat, 0xeb | 1u << 9 | 1u << 20);
  Reseal(sb, kSuperblockCrcOffset);
  const absl::Status status = Read(sb).status();
  EXPECT_EQ(ErrnoOf(status), EOPNOTSUPP);
  EXPECT_THAT(Message(status), HasSubstr("zoned (bit 9), bit 20 (0x100000)"));
}

TEST(Superblock, ExplainsUnknownIncompatBitsByName) {
  std::vector<uint8_t> sb = SampleSuperblock();
  PUT(sb, features_incompat, 0xeb | 1u << 9 | 1u << 20);
  Reseal(sb, kSuperblockCrcOffset);
  const Explanation explanation = ExplainSuperblock(sb, kSampleDeviceBytes);
  std::vector<std::string> problems;
  for (const ExplainedField& field : explanation.fields) {
    if (!field.problem.empty()) {
      problems.push_back(field.name + ": " + field.problem);
    }
  }
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0], ::testing::StartsWith("features_incompat: "));
  EXPECT_THAT(problems[0], HasSubstr("zoned (bit 9), bit 20 (0x100000)"));
}

TEST(Superblock, ExplainsThatItIsCutOff) {
  const std::vector<uint8_t> sb = SampleSuperblock();
  const Explanation explanation =
      ExplainSuperblock(Bytes(sb).first(6), kSampleDeviceBytes);
  for (const ExplainedField& field : explanation.fields) {
    EXPECT_EQ(field.problem, "") << field.name;
  }
  ASSERT_EQ(explanation.problems.size(), 1u);
  EXPECT_EQ(explanation.problems[0].field, "size");
  EXPECT_EQ(explanation.problems[0].found, "6 bytes");
}

TEST(Superblock, OldVersionsAreUnsupportedNotCorrupt) {
  std::vector<uint8_t> sb = SampleSuperblock();
  PUT(sb, versionnum, 3);
  EXPECT_EQ(ErrnoOf(Read(sb).status()), EOPNOTSUPP);
  PUT(sb, versionnum, 0xb4bf);
  EXPECT_EQ(ErrnoOf(Read(sb).status()), EUCLEAN);
}

TEST(Superblock, V4WithAChecksumIsAV5ThatLostABit) {
  std::vector<uint8_t> sb = SampleV4();
  PutBig(sb, kSuperblockCrcOffset, 4, 0x12345678);
  EXPECT_THAT(Message(Read(sb).status()), HasSubstr("crc is 0x78563412"));
}

class Mountable : public ::testing::Test {
 protected:
  absl::Status Check(MountRequest request) {
    return CheckMountable(View<Superblock>(sb_), request);
  }
  std::vector<uint8_t> sb_ = SampleSuperblock();
};

TEST_F(Mountable, GoodImageReadOnlyAndReadWrite) {
  EXPECT_TRUE(Check({.read_only = true}).ok());
  EXPECT_TRUE(Check({.read_only = false}).ok());
  EXPECT_TRUE(CheckLogRecoverable(View<Superblock>(sb_)).ok());
}

TEST_F(Mountable, NeedsRepairAndUnfinishedMkfsAreRefused) {
  PUT(sb_, features_incompat, 0xeb | kIncompatNeedsRepair);
  EXPECT_THAT(Message(Check({})), HasSubstr("needsrepair"));
  EXPECT_EQ(ErrnoOf(Check({})), EUCLEAN);
  PUT(sb_, features_incompat, 0xeb);
  PUT(sb_, inprogress, 1);
  EXPECT_THAT(Message(Check({})), HasSubstr("inprogress"));
}

TEST_F(Mountable, UnknownRoCompatBitsAllowReadOnlyOnly) {
  PUT(sb_, features_ro_compat, 0xf | 1u << 17);
  EXPECT_TRUE(Check({.read_only = true}).ok());
  const absl::Status status = Check({.read_only = false});
  EXPECT_EQ(ErrnoOf(status), EROFS);
  EXPECT_THAT(Message(status), HasSubstr("bit 17 (0x20000)"));
}

TEST_F(Mountable, UnknownLogIncompatBitsForbidRecovery) {
  PUT(sb_, features_log_incompat, 1u << 3 | kLogIncompatXattrs);
  const absl::Status status = CheckLogRecoverable(View<Superblock>(sb_));
  EXPECT_EQ(ErrnoOf(status), EOPNOTSUPP);
  EXPECT_THAT(Message(status), HasSubstr("bit 3 (0x8)"));
  EXPECT_TRUE(Check({}).ok());
}

TEST_F(Mountable, LogDeviceMustBeGivenExactlyWhenThereIsOne) {
  EXPECT_EQ(ErrnoOf(Check({.has_log_device = true})), EINVAL);
  PUT(sb_, logstart, 0);
  EXPECT_THAT(Message(Check({})), HasSubstr("logdev="));
  EXPECT_TRUE(Check({.has_log_device = true}).ok());
}

TEST_F(Mountable, RealtimeSectionDoesNotHinder) {
  PUT(sb_, rblocks, 4096);
  PUT(sb_, rextents, 1024);
  PUT(sb_, rextslog, 10);
  PUT(sb_, rbmblocks, 1);
  Reseal(sb_, kSuperblockCrcOffset);
  auto geometry = Read(sb_);
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  EXPECT_EQ(geometry->realtime_blocks, 4096u);
  EXPECT_TRUE(Check({}).ok());
}

TEST_F(Mountable, V4IsReadNotWritten) {
  sb_ = SampleV4();
  EXPECT_TRUE(Check({.read_only = true}).ok());
  EXPECT_EQ(ErrnoOf(Check({.read_only = false})), EROFS);
}

class SecondarySuperblock : public ::testing::Test {
 protected:
  absl::Status Verify(const std::vector<uint8_t>& sector) {
    Checker check("superblock",
                  Where::Disk(geometry_.SuperblockAddress(AgNumber(1))));
    VerifySecondarySuperblock(sector, View<Superblock>(primary_), geometry_,
                              check);
    return check.status();
  }
  const std::vector<uint8_t> primary_ = SampleSuperblock();
  const Geometry geometry_ = *GeometryFromSuperblock(primary_, 0);
};

TEST_F(SecondarySuperblock, CopyWithOldCountersAndFeatureWordsHolds) {
  // The sample's copy: inprogress 1, icount 0, rbmino null.
  EXPECT_TRUE(Verify(SampleSecondarySuperblock()).ok())
      << Verify(SampleSecondarySuperblock());
}

TEST_F(SecondarySuperblock, OtherGeometryIsFound) {
  std::vector<uint8_t> copy = SampleSecondarySuperblock();
  PutSealed(copy, kSuperblockCrcOffset, offsetof(Superblock, agblocks), 4, 77);
  EXPECT_THAT(Message(Verify(copy)),
              HasSubstr("daddr 65536: agblocks is 77, expected 32768"));
  copy = SampleSecondarySuperblock();
  copy[offsetof(Superblock, agblocks)] ^= 1;
  EXPECT_THAT(Message(Verify(copy)), HasSubstr("crc"));
  copy = SampleSecondarySuperblock();
  PutSealed(copy, kSuperblockCrcOffset, offsetof(Superblock, uuid), 1, 7);
  EXPECT_THAT(Message(Verify(copy)), HasSubstr("uuid is 07111111"));
  EXPECT_FALSE(Verify(std::vector<uint8_t>(512)).ok());
  EXPECT_FALSE(Verify({}).ok());
}

TEST(ExplainSuperblock, RowsCarryValuesMeaningsAndProblems) {
  std::vector<uint8_t> sb = SampleSuperblock();
  Explanation good = ExplainSuperblock(sb, kSampleDeviceBytes);
  EXPECT_TRUE(good.AllChecksHold());
  ASSERT_EQ(good.fields.size(), kSuperblockFields.fields.size());

  PUT(sb, imax_pct, 150);  // and the checksum is wrong now
  PUT(sb, inoalignmt, 5);
  const Explanation bad = ExplainSuperblock(sb, kSampleDeviceBytes);
  std::vector<std::string> wrong;
  for (const ExplainedField& field : bad.fields) {
    if (!field.problem.empty()) wrong.push_back(field.name);
    if (field.name == "features_incompat") {
      EXPECT_EQ(field.value,
                "0xeb ftype|sparse|bigtime|nrext64|exchange|parent");
    }
  }
  EXPECT_THAT(wrong, ::testing::ElementsAre("imax_pct", "inoalignmt", "crc"));
  EXPECT_TRUE(bad.problems.empty());
}

TEST(ExplainSuperblock, V4HasNoV5Rows) {
  const Explanation e = ExplainSuperblock(SampleV4(), kSampleDeviceBytes);
  EXPECT_EQ(e.fields.back().name, "bad_features2");
  EXPECT_TRUE(e.AllChecksHold());
  EXPECT_FALSE(ExplainSuperblock(Bytes(), 0).AllChecksHold());
}

TEST(SuperblockFields, CoverTheStructureWithoutGaps) {
  uint32_t next = 0;
  for (const Field& field : kSuperblockFields.fields) {
    EXPECT_EQ(field.offset, next) << field.name;
    next = field.offset + field.size * field.count;
  }
  EXPECT_EQ(next, sizeof(Superblock));
}

}  // namespace
}  // namespace ondisk
