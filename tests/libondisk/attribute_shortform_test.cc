// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute_shortform.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/damage.h"
#include "tests/support/lie.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

// user.a = "1", trusted.t = "xyz", and a parent pointer, in 35 bytes.
std::vector<uint8_t> Fork() {
  std::vector<uint8_t> fork = {0, 0, 3, 0};
  const auto add = [&fork](std::string_view name, std::string_view value,
                           uint8_t flags) {
    fork.push_back(static_cast<uint8_t>(name.size()));
    fork.push_back(static_cast<uint8_t>(value.size()));
    fork.push_back(flags);
    fork.insert(fork.end(), name.begin(), name.end());
    fork.insert(fork.end(), value.begin(), value.end());
  };
  add("a", "1", 0);
  add("t", "xyz", kAttributeRoot);
  add("file", std::string_view("\0\0\0\0\0\0\0\x83\0\0\0\7", 12),
      kAttributeParent);
  fork[1] = static_cast<uint8_t>(fork.size());
  fork.resize(64);  // what is left of the inode
  return fork;
}

std::string FieldOf(const std::vector<uint8_t>& fork) {
  Checker check("sf", Where{});
  VerifyAttributeShortForm(SampleGeometry(), fork, check);
  return check.failed() ? check.findings()[0].field : "none";
}

TEST(AttributeShortForm, WalksAttributes) {
  const auto fork = Fork();
  ASSERT_EQ(FieldOf(fork), "none");
  AttributeShortFormEntries entries(fork);
  AttributeView attribute;
  ASSERT_TRUE(entries.Next(attribute));
  EXPECT_EQ(attribute.name, "a");
  EXPECT_EQ(attribute.value_length, 1u);
  EXPECT_EQ(attribute.value[0], '1');
  ASSERT_TRUE(entries.Next(attribute));
  EXPECT_EQ(attribute.name_space(), kAttributeRoot);
  ASSERT_TRUE(entries.Next(attribute));
  EXPECT_TRUE(attribute.is_parent_pointer());
  EXPECT_FALSE(entries.Next(attribute));
}

TEST(AttributeShortForm, CatchesLies) {
  constexpr Lie kLies[] = {
      {"totsize beyond the fork", 0, 2, 65, "totsize"},
      {"totsize 0", 0, 2, 0, "totsize"},
      {"totsize short of the entries", 0, 2, 34, "list[2].namelen"},
      {"totsize beyond the entries", 0, 2, 50, "totsize"},
      {"count too large", 2, 1, 4, "list[3].namelen"},
      {"count too small", 2, 1, 2, "totsize"},
      {"name of no bytes", 4, 1, 0, "list[0].namelen"},
      {"name too long", 4, 1, 255, "list[0].namelen"},
      {"value too long", 5, 1, 255, "list[0].namelen"},
      {"local", 6, 1, kAttributeLocal, "list[0].flags"},
      {"incomplete", 6, 1, kAttributeIncomplete, "list[0].flags"},
      {"two namespaces", 6, 1, kAttributeRoot | kAttributeSecure,
       "list[0].flags"},
  };
  for (const Lie& lie : kLies) {
    SCOPED_TRACE(lie.what);
    auto fork = Fork();
    PutBig(fork, lie.offset, lie.size, lie.value);
    EXPECT_EQ(FieldOf(fork), lie.field);
  }
}

TEST(AttributeShortForm, RefusesForksTooShort) {
  const auto fork = Fork();
  for (long size = 0; size < 35; ++size) {
    EXPECT_NE(FieldOf({fork.begin(), fork.begin() + size}), "none") << size;
  }
}

TEST(AttributeShortForm, IsExplainedWithItsParent) {
  const Explanation all =
      ExplainAttributeShortForm(SampleGeometry(), InodeNumber(134), Fork());
  EXPECT_TRUE(all.AllChecksHold());
  EXPECT_EQ(ValueOf(all, "list[0].value"), "\"1\"");
  EXPECT_EQ(ValueOf(all, "list[1].flags"), "0x2 ROOT");
  EXPECT_EQ(ValueOf(all, "list[2].name"), "\"file\"");
  EXPECT_EQ(ValueOf(all, "list[2].value"), "inode 131, generation 7");
}

TEST(AttributeNames, AreLegalByNamespace) {
  EXPECT_TRUE(IsLegalAttributeName(0, "a/b"));
  EXPECT_FALSE(IsLegalAttributeName(kAttributeParent, "a/b"));
  EXPECT_FALSE(IsLegalAttributeName(0, std::string_view("a\0b", 3)));
  EXPECT_FALSE(IsLegalAttributeName(0, ""));
  EXPECT_TRUE(IsLegalAttributeName(0, std::string(255, 'n')));
  EXPECT_FALSE(IsLegalAttributeName(0, std::string(256, 'n')));
  EXPECT_TRUE(IsLegalAttributeNamespace(kAttributeRoot | kAttributeLocal));
  EXPECT_FALSE(IsLegalAttributeNamespace(kAttributeRoot | kAttributeParent));
}

TEST(AttributeNames, UnknownFlagsMakeANamespaceOfTheirOwn) {
  AttributeView attribute;
  attribute.flags = 0x10 | kAttributeLocal;
  EXPECT_EQ(attribute.name_space(), 0x10);
}

}  // namespace
}  // namespace ondisk
