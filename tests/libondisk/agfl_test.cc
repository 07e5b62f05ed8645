// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/agfl.h"

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

constexpr DiskAddress kAddress(3);

class AgflTest : public ::testing::Test {
 protected:
  std::string Error(const std::vector<uint8_t>& sector) {
    Checker check("AGFL", Where::Disk(kAddress));
    VerifyAgfl(sector, geometry_, kAddress, check);
    return std::string(MessageOf(check.status()));
  }
  std::string ErrorWith(size_t offset, uint64_t value) {
    std::vector<uint8_t> sector = SampleAgfl();
    PutSealed(sector, kAgflCrcOffset, offset, 4, value);
    return Error(sector);
  }
  Geometry geometry_ = SampleGeometry();
};

TEST_F(AgflTest, SampleHoldsAndReadsAsXfsDbPrintsIt) {
  EXPECT_EQ(Error(SampleAgfl()), "");
  EXPECT_EQ(AgflSlots(geometry_), 119u);
  const std::vector<uint8_t> sector = SampleAgfl();
  EXPECT_EQ(AgflEntry(sector, geometry_, 0), kNullAgBlock);
  EXPECT_EQ(AgflEntry(sector, geometry_, 1), 8u);
  EXPECT_EQ(AgflEntry(sector, geometry_, 49), 318u);
  EXPECT_EQ(AgflEntry(sector, geometry_, 118), kNullAgBlock);
}

TEST_F(AgflTest, LiesWithAGoodChecksumAreNamed) {
  EXPECT_THAT(ErrorWith(0, 1), HasSubstr("magicnum is 0x1"));
  EXPECT_THAT(ErrorWith(offsetof(AgflHeader, seqno), 1), HasSubstr("seqno"));
  EXPECT_THAT(ErrorWith(offsetof(AgflHeader, uuid), 1), HasSubstr("uuid"));
  EXPECT_THAT(ErrorWith(36, 0), HasSubstr("bno[0] is 0"));
  EXPECT_THAT(ErrorWith(36 + 4 * 118, 0xfffffff), HasSubstr("bno[118]"));
  EXPECT_THAT(ErrorWith(40, 32768), HasSubstr("bno[1] is 32768"));
}

TEST_F(AgflTest, EveryByteIsCoveredByTheChecksum) {
  for (size_t i = 0; i < 512; ++i) {
    std::vector<uint8_t> sector = SampleAgfl();
    sector[i] ^= 4;
    EXPECT_NE(Error(sector), "") << "byte " << i;
  }
  EXPECT_NE(Error(std::vector<uint8_t>(36)), "");
}

TEST_F(AgflTest, V4IsABareArrayThatCannotBeChecked) {
  geometry_ = SampleGeometryV4();
  EXPECT_EQ(AgflSlots(geometry_), 128u);
  const std::vector<uint8_t> sector(512, 0x5a);
  EXPECT_EQ(Error(sector), "");
  EXPECT_EQ(AgflEntry(sector, geometry_, 0), 0x5a5a5a5au);
  EXPECT_EQ(ExplainAgfl(sector, geometry_, kAddress).fields.size(), 128u);
}

TEST_F(AgflTest, ExplainShowsEverySlot) {
  const Explanation e = ExplainAgfl(SampleAgfl(), geometry_, kAddress);
  EXPECT_TRUE(e.AllChecksHold());
  ASSERT_EQ(e.fields.size(), 5u + 119u);
  EXPECT_EQ(e.fields[6].name, "bno[1]");
  EXPECT_EQ(e.fields[6].value, "8");
  EXPECT_EQ(e.fields[6].offset, 40u);
}

}  // namespace
}  // namespace ondisk
