// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/endian.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ondisk {
namespace {

TEST(EndianTest, BigEndianPutsTheHighByteFirst) {
  Be32 number(0x58465342);  // "XFSB"
  EXPECT_EQ(std::memcmp(&number, "XFSB", 4), 0);
  EXPECT_EQ(number.value(), 0x58465342u);
}

TEST(EndianTest, LittleEndianPutsTheLowByteFirst) {
  const Le32 number(0x01020304);
  EXPECT_EQ(std::memcmp(&number, "\x04\x03\x02\x01", 4), 0);
}

TEST(EndianTest, ReadsAtAnyAlignment) {
  const unsigned char bytes[] = {0xff, 0x01, 0x02, 0x03, 0x04,
                                 0x05, 0x06, 0x07, 0x08};
  Be64 number;
  std::memcpy(&number, bytes + 1, sizeof(number));
  EXPECT_EQ(number.value(), 0x0102030405060708u);
  const Be16& unaligned = *reinterpret_cast<const Be16*>(bytes + 3);
  EXPECT_EQ(unaligned.value(), 0x0304);
}

TEST(EndianTest, SetReplacesTheValue) {
  Be16 number(1);
  number.set(0xfffe);
  EXPECT_EQ(number.value(), 0xfffe);
}

}  // namespace
}  // namespace ondisk
