// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/timestamp.h"

#include <gtest/gtest.h>

namespace ondisk {
namespace {

TEST(Timestamp, DecodesLegacySecondsAsSigned) {
  EXPECT_EQ(DecodeLegacyTimestamp(0), (Timestamp{0, 0}));
  EXPECT_EQ(DecodeLegacyTimestamp(0x6553f100'00000001u),
            (Timestamp{1700000000, 1}));
  EXPECT_EQ(DecodeLegacyTimestamp(0xffffffff'3b9ac9ffu),
            (Timestamp{-1, 999999999}));
  EXPECT_EQ(DecodeLegacyTimestamp(0x80000000'00000000u),
            (Timestamp{-2147483648, 0}));
}

TEST(Timestamp, DecodesBigtimeFrom1901On) {
  EXPECT_EQ(DecodeBigtime(0), (Timestamp{-2147483648, 0}));
  EXPECT_EQ(DecodeBigtime(2147483648ull * 1000000000), (Timestamp{0, 0}));
  EXPECT_EQ(DecodeBigtime(2147483648ull * 1000000000 - 1),
            (Timestamp{-1, 999999999}));
  // The last time that the kernel writes.
  EXPECT_EQ(DecodeBigtime((16299260424ull + 2147483648) * 1000000000),
            (Timestamp{16299260424, 0}));
  EXPECT_EQ(DecodeBigtime(~uint64_t{0}), (Timestamp{16299260425, 709551615}));
}

TEST(Timestamp, TheFlagTellsTheEncodingsApart) {
  EXPECT_EQ(DecodeTimestamp(1, false), (Timestamp{0, 1}));
  EXPECT_EQ(DecodeTimestamp(1, true), (Timestamp{-2147483648, 1}));
}

// Dates are those of `date -u -d @SECONDS`.
TEST(Timestamp, RendersDatesOfAllCenturies) {
  const auto date = [](int64_t seconds) {
    return RenderTimestamp({seconds, 0}).substr(0, 19);
  };
  EXPECT_EQ(date(0), "1970-01-01 00:00:00");
  EXPECT_EQ(date(-1), "1969-12-31 23:59:59");
  EXPECT_EQ(date(-2147483648), "1901-12-13 20:45:52");
  EXPECT_EQ(date(951782400), "2000-02-29 00:00:00");
  EXPECT_EQ(date(951868800), "2000-03-01 00:00:00");
  EXPECT_EQ(date(4102444799), "2099-12-31 23:59:59");
  EXPECT_EQ(date(16299260424), "2486-07-02 20:20:24");
  EXPECT_EQ(RenderTimestamp({1700000000, 1}),
            "2023-11-14 22:13:20.000000001 UTC (1700000000 s 1 ns)");
}

}  // namespace
}  // namespace ondisk
