// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/parse_size.h"

#include <gtest/gtest.h>

namespace fusexfs {
namespace {

TEST(ParseSizeTest, UnderstandsUnits) {
  EXPECT_EQ(*ParseSize("0"), 0u);
  EXPECT_EQ(*ParseSize("513"), 513u);
  EXPECT_EQ(*ParseSize("4K"), 4096u);
  EXPECT_EQ(*ParseSize("4k"), 4096u);
  EXPECT_EQ(*ParseSize("3M"), 3145728u);
  EXPECT_EQ(*ParseSize("2G"), 2147483648u);
  EXPECT_EQ(*ParseSize("1T"), 1099511627776u);
}

TEST(ParseSizeTest, RefusesWhatIsNoSize) {
  for (const char* text :
       {"", "M", "-1", "1.5G", "10X", "1MB", " 1", "1 ", "0x10",
        "99999999999999999999", "9223372036854775808", "8388608T"}) {
    EXPECT_FALSE(ParseSize(text).ok()) << text;
  }
}

}  // namespace
}  // namespace fusexfs
