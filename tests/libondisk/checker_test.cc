// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/checker.h"

#include <gtest/gtest.h>

namespace ondisk {
namespace {

TEST(CheckerTest, NothingFailedMeansOk) {
  Checker check("AGF", Where{});
  EXPECT_TRUE(check.Equal("a", 1, 1));
  EXPECT_TRUE(check.AtMost("a", 1, 1));
  EXPECT_TRUE(check.AtLeast("a", 1, 1));
  EXPECT_TRUE(check.Less("a", 0, 1));
  EXPECT_TRUE(check.InRange("a", 2, 1, 2));
  EXPECT_TRUE(check.That(true, "a", 0, "x"));
  EXPECT_FALSE(check.failed());
  EXPECT_FALSE(check.done());
  EXPECT_TRUE(check.status().ok());
}

TEST(CheckerTest, EachRelationFailsJustBeyondItsEdge) {
  Checker check("AGF", Where{}, Checker::Mode::kAllFindings);
  EXPECT_FALSE(check.Equal("f", 1, 2));
  EXPECT_FALSE(check.EqualHex("f", 0xab, 0xcd));
  EXPECT_FALSE(check.AtMost("f", 2, 1));
  EXPECT_FALSE(check.AtLeast("f", 1, 2));
  EXPECT_FALSE(check.Less("f", 1, 1));
  EXPECT_FALSE(check.InRange("f", 0, 1, 2));
  EXPECT_FALSE(check.InRange("f", 3, 1, 2));
  EXPECT_FALSE(check.That(false, "f", 9, "an even number"));
  ASSERT_EQ(check.findings().size(), 8u);
  EXPECT_EQ(check.findings()[1].found, "0xab");
  EXPECT_EQ(check.findings()[1].expected, "0xcd");
  EXPECT_EQ(check.findings()[4].expected, "less than 1");
  EXPECT_EQ(check.findings()[5].expected, "1 to 2");
  EXPECT_EQ(check.findings()[7].expected, "an even number");
  EXPECT_FALSE(check.done()) << "all findings are wanted";
}

TEST(CheckerTest, FirstFailureModeKeepsTheFirstAndIsDone) {
  Checker check("AGI", Where::Disk(DiskAddress(2)));
  EXPECT_FALSE(check.Equal("seqno", 3, 0));
  EXPECT_FALSE(check.Equal("length", 1, 2));
  EXPECT_TRUE(check.done());
  EXPECT_EQ(check.findings().size(), 1u);
  EXPECT_EQ(MessageOf(check.status()),
            "AGI at daddr 2: seqno is 3, expected 0");
}

TEST(CheckerTest, AHostileBlockCannotGrowTheFindingsWithoutBound) {
  Checker check("block", Where{}, Checker::Mode::kAllFindings);
  for (uint64_t i = 0; i < 100000; ++i) check.Equal("record", i, i + 1);
  EXPECT_LE(check.findings().size(), 64u);
}

}  // namespace
}  // namespace ondisk
