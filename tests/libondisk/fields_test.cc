// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "libondisk/endian.h"

namespace ondisk {
namespace {

struct Sample {
  Be32 magic;
  Be16 level;
  Be16 flags;
  Be64 lsn;
  unsigned char uuid[16];
  char label[8];
  Be32 list[3];
  Le32 crc;
};
static_assert(sizeof(Sample) == 56);

constexpr NamedValue kFlagNames[] = {{1, "one"}, {4, "four"}};
constexpr NamedValue kLevels[] = {{0, "leaf"}};
const Field kSampleFields[] = {
    ONDISK_FIELD(Sample, magic, kMagic, "always \"SAMP\""),
    ONDISK_FIELD(Sample, level, kEnum, "height", kLevels),
    ONDISK_FIELD(Sample, flags, kFlags, "what holds", kFlagNames),
    ONDISK_FIELD(Sample, lsn, kLsn, "last change"),
    ONDISK_FIELD(Sample, uuid, kUuid, "whose"),
    ONDISK_FIELD(Sample, label, kText, "name"),
    {"list", offsetof(Sample, list), 4, FieldKind::kUnsigned, "three", {}, 3},
    ONDISK_FIELD(Sample, crc, kCrc, "checksum"),
};
const FieldTable kSampleTable = {"sample", "A sample.", sizeof(Sample),
                                 kSampleFields};

std::vector<uint8_t> SampleBytes() {
  Sample s{};
  s.magic.set(0x53414d50);
  s.level.set(0);
  s.flags.set(0x15);
  s.lsn.set(uint64_t{3} << 32 | 77);
  for (int i = 0; i < 16; ++i) s.uuid[i] = static_cast<unsigned char>(i);
  s.label[0] = 'h';
  s.label[1] = '\xff';
  s.list[1].set(9);
  s.crc.set(0xdeadbeef);
  const auto* raw = reinterpret_cast<const uint8_t*>(&s);
  return {raw, raw + sizeof(s)};
}

TEST(FieldsTest, EveryKindReadsInPlainText) {
  const Explanation e = ExplainTable(kSampleTable, SampleBytes(), 100, Where{});
  std::vector<std::string> values;
  for (const auto& field : e.fields) values.push_back(field.value);
  EXPECT_THAT(values, testing::ElementsAre(
                          "0x53414d50 \"SAMP\"", "0 leaf", "0x15 one|four|0x10",
                          "3:77", "00010203-0405-0607-0809-0a0b0c0d0e0f",
                          "\"h\\xff\"", "0 9 0", "0xdeadbeef"));
  EXPECT_EQ(e.fields[2].offset, 106u);
  EXPECT_EQ(e.fields[2].raw, "0015");
  EXPECT_EQ(e.fields[2].meaning, "what holds");
  EXPECT_TRUE(e.AllChecksHold());
}

TEST(FieldsTest, FieldsBehindTheEndOfTheBytesAreLeftOut) {
  std::vector<uint8_t> bytes = SampleBytes();
  bytes.resize(20);
  EXPECT_EQ(ExplainTable(kSampleTable, bytes, 0, Where{}).fields.size(), 4u);
}

TEST(FieldsTest, FindingsStandBesideTheirField) {
  Explanation e = ExplainTable(kSampleTable, SampleBytes(), 0, Where{});
  Checker check("sample", Where{}, Checker::Mode::kAllFindings);
  check.Equal("level", 0, 2);
  check.Equal("no such row", 1, 2);
  AttachFindings(check, e);
  EXPECT_EQ(e.fields[1].problem, "expected 2");
  ASSERT_EQ(e.problems.size(), 1u);
  EXPECT_EQ(e.problems[0].field, "no such row");
  EXPECT_FALSE(e.AllChecksHold());
}

TEST(FieldsTest, AProblemInAPartIsAProblemOfTheWhole) {
  Explanation whole;
  whole.parts.emplace_back();
  EXPECT_TRUE(whole.AllChecksHold());
  whole.parts[0].problems.push_back({"a", "b", "c"});
  EXPECT_FALSE(whole.AllChecksHold());
}

}  // namespace
}  // namespace ondisk
