// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/crc32c.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace ondisk {
namespace {

Bytes AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

uint32_t Crc32c(Bytes bytes) { return ~Crc32cExtend(kCrc32cSeed, bytes); }

// Bit by bit from the polynomial, to judge the fast one.
uint32_t SlowCrc32c(Bytes bytes) {
  uint32_t crc = 0xffffffffu;
  for (uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
  }
  return ~crc;
}

TEST(Crc32cTest, GivesThePublishedCheckValues) {
  EXPECT_EQ(Crc32c(AsBytes("123456789")), 0xe3069283u);
  // RFC 3720, B.4.
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0)), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0xff)), 0x62a8ab43u);
}

TEST(Crc32cTest, AgreesWithTheDefinitionAtEveryLengthAndAlignment) {
  std::vector<uint8_t> bytes(700);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  for (size_t start = 0; start < 9; ++start) {
    for (size_t length = 0; start + length <= bytes.size(); length += 7) {
      const Bytes part = Bytes(bytes).subspan(start, length);
      ASSERT_EQ(Crc32c(part), SlowCrc32c(part)) << start << "+" << length;
    }
  }
}

TEST(Crc32cTest, TheChecksumFieldItselfCountsAsZero) {
  std::vector<uint8_t> block(512, 0x5a);
  const uint32_t crc = MetadataCrc(block, 100);
  for (int i = 0; i < 4; ++i) {
    block[100 + i] = static_cast<uint8_t>(crc >> (8 * i));  // little-endian
  }
  EXPECT_EQ(MetadataCrc(block, 100), crc);
  EXPECT_TRUE(MetadataCrcMatches(block, 100));
  for (size_t i : {size_t{0}, size_t{99}, size_t{100}, size_t{103}, size_t{104},
                   size_t{511}}) {
    block[i] ^= 1;
    EXPECT_FALSE(MetadataCrcMatches(block, 100)) << "byte " << i;
    block[i] ^= 1;
  }
}

}  // namespace
}  // namespace ondisk
