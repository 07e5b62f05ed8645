// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/agi.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

using ::testing::HasSubstr;

constexpr DiskAddress kAddress(2);

class AgiTest : public ::testing::Test {
 protected:
  std::string Error(const std::vector<uint8_t>& sector,
                    DiskAddress address = kAddress) {
    Checker check("AGI", Where::Disk(address));
    VerifyAgi(sector, geometry_, address, check);
    return std::string(MessageOf(check.status()));
  }
  std::string ErrorWith(size_t offset, uint64_t value) {
    std::vector<uint8_t> sector = SampleAgi();
    PutSealed(sector, kAgiCrcOffset, offset, 4, value);
    return Error(sector);
  }
  Geometry geometry_ = SampleGeometry();
};

TEST_F(AgiTest, SampleHoldsAndReadsAsXfsDbPrintsIt) {
  EXPECT_EQ(Error(SampleAgi()), "");
  const std::vector<uint8_t> sector = SampleAgi();
  const Agi& agi = View<Agi>(sector);
  EXPECT_EQ(agi.count.value(), 128u);
  EXPECT_EQ(agi.root.value(), 4u);
  EXPECT_EQ(agi.level.value(), 1u);
  EXPECT_EQ(agi.freecount.value(), 26u);
  EXPECT_EQ(agi.newino.value(), 128u);
  EXPECT_EQ(agi.dirino.value(), kNullAgInode);
  EXPECT_EQ(agi.free_root.value(), 5u);
  EXPECT_EQ(agi.fino_blocks.value(), 1u);
}

TEST_F(AgiTest, LiesWithAGoodChecksumAreNamed) {
  const struct {
    size_t offset;
    uint64_t value;
    std::string_view field;
  } lies[] = {
      {offsetof(Agi, magicnum), 0x58414746, "magicnum"},
      {offsetof(Agi, versionnum), 0, "versionnum"},
      {offsetof(Agi, seqno), 7, "seqno"},
      {offsetof(Agi, length), 1, "length"},
      {offsetof(Agi, level), 20, "level"},
      {offsetof(Agi, level), 0, "level"},
      {offsetof(Agi, root), 0x7ffffff, "root"},
      {offsetof(Agi, root), 1, "root"},
      {offsetof(Agi, free_level), 0, "free_level"},
      {offsetof(Agi, free_root), 32768, "free_root"},
      {offsetof(Agi, unlinked) + 5 * 4, 0xfffff00, "unlinked"},
      {offsetof(Agi, unlinked), 0, "unlinked"},
      {offsetof(Agi, uuid), 9, "uuid"},
  };
  for (const auto& lie : lies) {
    EXPECT_THAT(ErrorWith(lie.offset, lie.value),
                HasSubstr("AGI at daddr 2: " + std::string(lie.field) + " is"))
        << lie.value;
  }
}

TEST_F(AgiTest, WhatTheKernelToleratesIsTolerated) {
  EXPECT_EQ(ErrorWith(offsetof(Agi, freecount), 0x7fffffff), "");
  EXPECT_EQ(ErrorWith(offsetof(Agi, newino), 0x1234567), "");
  EXPECT_EQ(ErrorWith(offsetof(Agi, unlinked), 64), "");
}

TEST_F(AgiTest, EveryByteIsCoveredByTheChecksum) {
  for (size_t i = 0; i < 512; ++i) {
    std::vector<uint8_t> sector = SampleAgi();
    sector[i] ^= 0x80;
    EXPECT_NE(Error(sector), "") << "byte " << i;
  }
  EXPECT_NE(Error(std::vector<uint8_t>(100)), "");
}

TEST_F(AgiTest, V4IsReadWithoutV5Fields) {
  geometry_ = SampleGeometryV4();
  std::vector<uint8_t> sector = SampleAgi();
  std::fill(sector.begin() + offsetof(Agi, uuid), sector.end(), uint8_t{0xee});
  EXPECT_EQ(Error(sector), "");
  const Explanation e = ExplainAgi(sector, geometry_, kAddress);
  EXPECT_EQ(e.fields.back().name, "unlinked");
  EXPECT_TRUE(e.AllChecksHold());
}

TEST_F(AgiTest, ExplainPutsTheProblemBesideItsField) {
  EXPECT_TRUE(ExplainAgi(SampleAgi(), geometry_, kAddress).AllChecksHold());
  std::vector<uint8_t> sector = SampleAgi();
  PutSealed(sector, kAgiCrcOffset, offsetof(Agi, root), 4, 40000);
  for (const ExplainedField& field :
       ExplainAgi(sector, geometry_, kAddress).fields) {
    EXPECT_EQ(field.problem, field.name == "root" ? "expected 2 to 32767" : "");
  }
}

TEST(AgiFields, CoverTheStructureWithoutGaps) {
  uint32_t next = 0;
  for (const Field& field : kAgiFields.fields) {
    EXPECT_EQ(field.offset, next) << field.name;
    next = field.offset + field.size * field.count;
  }
  EXPECT_EQ(next, sizeof(Agi));
}

}  // namespace
}  // namespace ondisk
