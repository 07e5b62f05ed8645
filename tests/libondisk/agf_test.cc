// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/agf.h"

#include <cerrno>
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

class AgfTest : public ::testing::Test {
 protected:
  std::string Error(const std::vector<uint8_t>& sector,
                    DiskAddress address = DiskAddress(1)) {
    Checker check("AGF", Where::Disk(address));
    VerifyAgf(sector, geometry_, address, check);
    EXPECT_TRUE(check.status().ok() || ErrnoOf(check.status()) == EUCLEAN);
    return std::string(MessageOf(check.status()));
  }
  std::string ErrorWith(size_t offset, uint64_t value) {
    std::vector<uint8_t> sector = SampleAgf();
    PutSealed(sector, kAgfCrcOffset, offset, 4, value);
    return Error(sector);
  }
  Geometry geometry_ = SampleGeometry();
};

TEST_F(AgfTest, SampleHoldsAndReadsAsXfsDbPrintsIt) {
  EXPECT_EQ(Error(SampleAgf()), "");
  const std::vector<uint8_t> sector = SampleAgf();
  const Agf& agf = View<Agf>(sector);
  EXPECT_EQ(agf.length.value(), 32768u);
  EXPECT_EQ(agf.bnoroot.value(), 2u);
  EXPECT_EQ(agf.cntroot.value(), 3u);
  EXPECT_EQ(agf.rmaproot.value(), 9u);
  EXPECT_EQ(agf.rmaplevel.value(), 2u);
  EXPECT_EQ(agf.refcntroot.value(), 27u);
  EXPECT_EQ(agf.refcntlevel.value(), 2u);
  EXPECT_EQ(agf.flfirst.value(), 42u);
  EXPECT_EQ(agf.fllast.value(), 49u);
  EXPECT_EQ(agf.freeblks.value(), 32359u);
  EXPECT_EQ(agf.longest.value(), 32264u);
  EXPECT_EQ(agf.lsn.value(), 0x1000009b0u);
}

TEST_F(AgfTest, LiesWithAGoodChecksumAreNamed) {
  const struct {
    size_t offset;
    uint64_t value;
    std::string_view field;
  } lies[] = {
      {offsetof(Agf, magicnum), 0, "magicnum"},
      {offsetof(Agf, versionnum), 2, "versionnum"},
      {offsetof(Agf, seqno), 1, "seqno"},
      {offsetof(Agf, length), 0x7fffffff, "length"},
      {offsetof(Agf, length), 32767, "length"},
      {offsetof(Agf, bnolevel), 0, "bnolevel"},
      {offsetof(Agf, cntlevel), 32, "cntlevel"},
      {offsetof(Agf, rmaplevel), 0xffffffff, "rmaplevel"},
      {offsetof(Agf, refcntlevel), 32, "refcntlevel"},
      {offsetof(Agf, refcntlevel), 0, "refcntlevel"},
      {offsetof(Agf, flfirst), 119, "flfirst"},
      {offsetof(Agf, fllast), 500, "fllast"},
      {offsetof(Agf, flcount), 200, "flcount"},
      {offsetof(Agf, freeblks), 0x7fffffff, "freeblks"},
      {offsetof(Agf, longest), 32360, "longest"},
      {offsetof(Agf, btreeblks), 32769, "btreeblks"},
      {offsetof(Agf, rmapblocks), 32769, "rmapblocks"},
      {offsetof(Agf, refcntblocks), 32769, "refcntblocks"},
      {offsetof(Agf, uuid), 7, "uuid"},
  };
  for (const auto& lie : lies) {
    EXPECT_THAT(ErrorWith(lie.offset, lie.value),
                HasSubstr("AGF at daddr 1: " + std::string(lie.field) + " is"))
        << lie.value;
  }
}

TEST_F(AgfTest, EveryByteIsCoveredByTheChecksum) {
  for (size_t i = 0; i < 512; ++i) {
    std::vector<uint8_t> sector = SampleAgf();
    sector[i] ^= 1;
    EXPECT_NE(Error(sector), "") << "byte " << i;
  }
}

TEST_F(AgfTest, AGoodAgfAtAnotherGroupsPlaceIsRefused) {
  EXPECT_THAT(Error(SampleAgf(), geometry_.AgfAddress(AgNumber(1))),
              HasSubstr("seqno is 0, expected 1"));
}

TEST_F(AgfTest, ShortSectorIsRefused) {
  EXPECT_THAT(Error(std::vector<uint8_t>(511)), HasSubstr("512 bytes"));
  EXPECT_NE(Error({}), "");
}

TEST_F(AgfTest, LastGroupMayBeShorter) {
  geometry_.data_blocks -= 100;
  std::vector<uint8_t> sector = SampleAgf();
  PutBig(sector, offsetof(Agf, seqno), 4, 1);
  PutSealed(sector, kAgfCrcOffset, offsetof(Agf, length), 4, 32668);
  EXPECT_EQ(Error(sector, geometry_.AgfAddress(AgNumber(1))), "");
}

TEST_F(AgfTest, BadRootsAreAFindingOfTheirOwn) {
  std::vector<uint8_t> sector = SampleAgf();
  PutSealed(sector, kAgfCrcOffset, offsetof(Agf, bnoroot), 4, 0x7ffffff);
  EXPECT_EQ(Error(sector), "");  // the kernel mounts such an image, too
  PutSealed(sector, kAgfCrcOffset, offsetof(Agf, refcntroot), 4, 1);
  Checker check("AGF", Where{}, Checker::Mode::kAllFindings);
  VerifyAgfRoots(View<Agf>(sector), geometry_, AgNumber(0), check);
  ASSERT_EQ(check.findings().size(), 2u);
  EXPECT_EQ(check.findings()[0].field, "bnoroot");
  EXPECT_EQ(check.findings()[1].field, "refcntroot");
  EXPECT_FALSE(ExplainAgf(sector, geometry_, DiskAddress(1)).AllChecksHold());
}

TEST_F(AgfTest, V4IsReadWithoutV5Fields) {
  geometry_ = SampleGeometryV4();
  std::vector<uint8_t> sector = SampleAgf();
  std::fill(sector.begin() + offsetof(Agf, uuid), sector.end(), uint8_t{0xee});
  EXPECT_EQ(Error(sector), "");
  const Explanation e = ExplainAgf(sector, geometry_, DiskAddress(1));
  EXPECT_EQ(e.fields.back().name, "btreeblks");
  EXPECT_TRUE(e.AllChecksHold());
}

TEST_F(AgfTest, ExplainPutsTheProblemBesideItsField) {
  EXPECT_TRUE(
      ExplainAgf(SampleAgf(), geometry_, DiskAddress(1)).AllChecksHold());
  std::vector<uint8_t> sector = SampleAgf();
  PutSealed(sector, kAgfCrcOffset, offsetof(Agf, flcount), 4, 200);
  for (const ExplainedField& field :
       ExplainAgf(sector, geometry_, DiskAddress(1)).fields) {
    EXPECT_EQ(field.problem,
              field.name == "flcount" ? "expected at most 119" : "");
  }
}

TEST(AgfFields, CoverTheStructureWithoutGaps) {
  uint32_t next = 0;
  for (const Field& field : kAgfFields.fields) {
    EXPECT_EQ(field.offset, next) << field.name;
    next = field.offset + field.size * field.count;
  }
  EXPECT_EQ(next, sizeof(Agf));
}

}  // namespace
}  // namespace ondisk
