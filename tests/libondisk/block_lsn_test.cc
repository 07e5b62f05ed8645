// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/block_lsn.h"

#include <gtest/gtest.h>

#include "libondisk/agfl.h"
#include "libondisk/status.h"

namespace ondisk {
namespace {

std::string Judge(Lsn lsn, Lsn head) {
  Checker check("AGF", Where::Disk(DiskAddress(1)));
  VerifyBlockLsn(lsn, head, check);
  return std::string(MessageOf(check.status()));
}

TEST(BlockLsn, MayBeTheHeadOfTheLogButNotAheadOfIt) {
  EXPECT_EQ(Judge(Lsn(3, 40), Lsn(3, 40)), "");
  EXPECT_EQ(Judge(Lsn(2, 4000), Lsn(3, 40)), "");
  EXPECT_EQ(Judge(Lsn(0, 0), Lsn(3, 40)), "");
  EXPECT_EQ(Judge(Lsn(3, 41), Lsn(3, 40)),
            "AGF at daddr 1: lsn is 3:41, expected at most 3:40, the head of "
            "the log");
  EXPECT_NE(Judge(Lsn(4, 0), Lsn(3, 40)), "");
  EXPECT_NE(Judge(Lsn(0xffffffff, 0xfffffffe), Lsn(3, 40)), "");
}

TEST(BlockLsn, NullAndAnUnknownHeadSayNothing) {
  EXPECT_EQ(Judge(kNullLsn, Lsn(3, 40)), "");
  EXPECT_EQ(Judge(Lsn(0xffffffff, 0xfffffffe), kNullLsn), "");
}

TEST(BlockLsn, IsJudgedInExplanationsAndTheirParts) {
  AgflHeader agfl{};
  agfl.lsn = Be64(Lsn(5, 1).value);
  const Bytes bytes(reinterpret_cast<const uint8_t*>(&agfl), sizeof(agfl));
  Explanation whole;
  whole.parts.push_back(
      ExplainTable(kAgflFields, bytes, 0, Where::Disk(DiskAddress(3))));
  JudgeBlockLsns(kNullLsn, whole);
  JudgeBlockLsns(Lsn(5, 1), whole);
  EXPECT_TRUE(whole.AllChecksHold());
  JudgeBlockLsns(Lsn(5, 0), whole);
  size_t problems = 0;
  for (const ExplainedField& field : whole.parts[0].fields) {
    if (field.problem.empty()) continue;
    ++problems;
    EXPECT_EQ(field.name, "lsn");
    EXPECT_EQ(field.value, "5:1");
    EXPECT_EQ(field.problem, "expected at most 5:0, the head of the log");
  }
  EXPECT_EQ(problems, 1u);
}

}  // namespace
}  // namespace ondisk
