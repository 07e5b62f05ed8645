// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/dquot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "libondisk/crc32c.h"

namespace ondisk {
namespace {

// A quota block of 1 KiB with seven user dquots, ids from 1000 on, written by
// hand from the format.
class DquotBuffer : public testing::Test {
 protected:
  DquotBuffer() {
    geometry_.features.crc = true;
    geometry_.features.bigtime = true;
    std::fill(geometry_.meta_uuid.begin(), geometry_.meta_uuid.end(),
              uint8_t{0x5a});
    block_.resize(1024);
    for (uint32_t i = 0; i < 7; ++i) {
      DquotBlock& d = dquot(i);
      d.dquot.magic.set(0x4451);
      d.dquot.version = 1;
      d.dquot.type = 0x81;
      d.dquot.id.set(1000 + i);
      std::memset(d.uuid, 0x5a, sizeof(d.uuid));
      Seal(i);
    }
  }

  DquotBlock& dquot(uint32_t i) {
    return *reinterpret_cast<DquotBlock*>(block_.data() + i * 136);
  }
  void Seal(uint32_t i) {
    dquot(i).crc.set(MetadataCrc(Bytes(block_).subspan(i * 136, 136), 108));
  }
  std::string Failed() const {
    Checker check("quota block", Where{});
    VerifyDquotBuffer(geometry_, block_, check);
    return check.failed() ? check.findings().front().field : "";
  }

  Geometry geometry_;
  std::vector<uint8_t> block_;
};

TEST_F(DquotBuffer, PassesAsWritten) { EXPECT_EQ(Failed(), ""); }

TEST_F(DquotBuffer, IsRefusedForEachLie) {
  const auto lie = [this](auto change) {
    const std::vector<uint8_t> good = block_;
    change(dquot(3));
    Seal(3);
    const std::string field = Failed();
    block_ = good;
    return field;
  };
  EXPECT_EQ(lie([](auto& d) { d.dquot.magic.set(0x4452); }), "magic");
  EXPECT_EQ(lie([](auto& d) { d.dquot.version = 2; }), "version");
  EXPECT_EQ(lie([](auto& d) { d.dquot.type = 0x83; }), "type");
  EXPECT_EQ(lie([](auto& d) { d.dquot.type = 0x09; }), "type");
  EXPECT_EQ(lie([](auto& d) { d.dquot.type = 0; }), "type");
  EXPECT_EQ(lie([](auto& d) { d.dquot.id.set(1004); }), "id");
  EXPECT_EQ(lie([](auto& d) { d.uuid[0] = 0; }), "uuid");
  EXPECT_EQ(lie([](auto& d) {
              d.dquot.blk_softlimit.set(10);
              d.dquot.bcount.set(11);
            }),
            "btimer");
  EXPECT_EQ(lie([](auto& d) {
              d.dquot.ino_softlimit.set(10);
              d.dquot.icount.set(11);
            }),
            "itimer");
  EXPECT_EQ(lie([](auto& d) {
              d.dquot.rtb_softlimit.set(10);
              d.dquot.rtbcount.set(11);
              d.dquot.btimer.set(1);
            }),
            "rtbtimer");
  EXPECT_EQ(lie([](auto& d) {
              d.dquot.blk_softlimit.set(10);
              d.dquot.bcount.set(11);
              d.dquot.btimer.set(1);
            }),
            "");
  block_[3 * 136 + 50] ^= 1;
  EXPECT_EQ(Failed(), "crc");
}

TEST_F(DquotBuffer, NeedsTheFeatureForBigtime) {
  geometry_.features.bigtime = false;
  EXPECT_EQ(Failed(), "type");
}

TEST_F(DquotBuffer, DefaultsDoNotUseBigtime) {
  const Bytes first = Bytes(block_).first(sizeof(DiskDquot));
  dquot(0).dquot.id.set(0);
  Checker check("dquot", Where{});
  VerifyDquot(geometry_, first, 0, check);
  ASSERT_TRUE(check.failed());
  EXPECT_EQ(check.findings().front().field, "type");
}

TEST_F(DquotBuffer, IsExplainedDquotByDquot) {
  dquot(2).dquot.magic.set(7);
  const Explanation explanation =
      ExplainDquotBuffer(geometry_, DiskAddress(8), block_);
  ASSERT_EQ(explanation.parts.size(), 7u);
  EXPECT_TRUE(explanation.parts[1].AllChecksHold());
  EXPECT_FALSE(explanation.parts[2].AllChecksHold());
  EXPECT_EQ(explanation.parts[3].fields[3].value, "1003");
  EXPECT_EQ(explanation.parts[3].fields[3].offset, 3u * 136 + 4);
}

TEST(DquotTimer, CountsInFoursWithBigtime) {
  EXPECT_EQ(DecodeDquotTimer(kDquotUser, 1700000000), 1700000000);
  EXPECT_EQ(DecodeDquotTimer(kDquotUser | kDquotBigtime, 425000000),
            1700000000);
  EXPECT_EQ(DecodeDquotTimer(kDquotBigtime, 0), 0);
}

}  // namespace
}  // namespace ondisk
