// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_shortform.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/damage.h"
#include "tests/support/lie.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

// A directory of three files as the kernel wrote it (xfs_db: count 3, i8count
// 0, parent 131, offsets 0x60, 0x78, 0x98).
std::vector<uint8_t> Fork() {
  std::vector<uint8_t> fork = {3, 0, 0, 0, 0, 131};
  const auto add = [&fork](std::string_view name, uint16_t offset,
                           uint32_t inode) {
    fork.push_back(static_cast<uint8_t>(name.size()));
    fork.push_back(static_cast<uint8_t>(offset >> 8));
    fork.push_back(static_cast<uint8_t>(offset));
    fork.insert(fork.end(), name.begin(), name.end());
    fork.push_back(1);
    for (int shift = 24; shift >= 0; shift -= 8) {
      fork.push_back(static_cast<uint8_t>(inode >> shift));
    }
  };
  add("entry-00000-", 0x60, 135);
  add("entry-00001-x", 0x78, 136);
  add("entry-00002-xx", 0x98, 137);
  return fork;
}

std::string FieldOf(const std::vector<uint8_t>& fork) {
  Checker check("sf", Where{});
  VerifyDirectoryShortForm(SampleGeometry(), fork, check);
  return check.failed() ? check.findings()[0].field : "none";
}

TEST(DirectoryShortForm, WalksEntries) {
  const auto fork = Fork();
  ASSERT_EQ(FieldOf(fork), "none");
  EXPECT_EQ(DirectoryShortFormParent(fork).value, 131u);
  DirectoryShortFormEntries entries(SampleGeometry().features, fork);
  DirectoryEntryView entry;
  ASSERT_TRUE(entries.Next(entry));
  EXPECT_EQ(entry.name, "entry-00000-");
  EXPECT_EQ(entry.inode.value, 135u);
  EXPECT_EQ(entry.offset, 0x60u);
  EXPECT_EQ(entry.file_type, 1);
  ASSERT_TRUE(entries.Next(entry));
  ASSERT_TRUE(entries.Next(entry));
  EXPECT_EQ(entry.name, "entry-00002-xx");
  EXPECT_FALSE(entries.Next(entry));
}

// What the kernel answers EUCLEAN to.
TEST(DirectoryShortForm, CatchesLies) {
  constexpr size_t kFirst = 6, kSecond = kFirst + 3 + 12 + 5;
  constexpr Lie kLies[] = {
      {"count", 0, 1, 60, "list[3].namelen"},
      {"i8count changes all widths", 1, 1, 3, ""},
      {"parent 0", 2, 4, 0, "parent"},
      {"name too long", kFirst, 1, 200, "list[0].namelen"},
      {"name of no bytes", kSecond, 1, 0, "list[1].namelen"},
      {"offset back", kSecond + 1, 2, 16, "list[1].offset"},
      {"inode 0", kSecond + 3 + 13 + 1, 4, 0, "list[1].inumber"},
      {"file type 9", kSecond + 3 + 13, 1, 9, "list[1].filetype"},
      {"count short of the size", 0, 1, 2, "size"},
      {"offsets that fit no block", kFirst + 3 + 12 + 5 + 3 + 13 + 5 + 1, 2,
       4064, "list"},
  };
  for (const Lie& lie : kLies) {
    SCOPED_TRACE(lie.what);
    auto fork = Fork();
    PutBig(fork, lie.offset, lie.size, lie.value);
    if (lie.field.empty()) {
      EXPECT_NE(FieldOf(fork), "none");
    } else {
      EXPECT_EQ(FieldOf(fork), lie.field);
    }
  }
}

TEST(DirectoryShortForm, RefusesEveryCutFork) {
  const auto fork = Fork();
  for (size_t size = 0; size < fork.size(); ++size) {
    EXPECT_NE(FieldOf({fork.begin(), fork.begin() + static_cast<long>(size)}),
              "none")
        << size;
  }
}

TEST(DirectoryShortForm, HoldsEightByteNumbers) {
  // One number needs 8 bytes, so all take 8; the sample image has no such
  // inode, so its number is out of range and only the widths are seen.
  std::vector<uint8_t> fork = {1,    1,   0, 0, 0, 0, 0, 0, 0, 131, 1, 0,
                               0x60, 'a', 2, 0, 0, 0, 1, 0, 0, 0,   5};
  EXPECT_EQ(DirectoryShortFormParent(fork).value, 131u);
  DirectoryShortFormEntries entries(SampleGeometry().features, fork);
  DirectoryEntryView entry;
  ASSERT_TRUE(entries.Next(entry));
  EXPECT_EQ(entry.name, "a");
  EXPECT_EQ(entry.file_type, 2);
  EXPECT_EQ(entry.inode.value, 0x1'00000005u);
  EXPECT_EQ(FieldOf(fork), "list[0].inumber");
}

TEST(DirectoryShortForm, IsExplainedEntryByEntry) {
  const Explanation all =
      ExplainDirectoryShortForm(SampleGeometry(), InodeNumber(134), Fork());
  EXPECT_TRUE(all.AllChecksHold());
  EXPECT_EQ(ValueOf(all, "parent"), "131");
  EXPECT_EQ(ValueOf(all, "list[1].name"), "\"entry-00001-x\"");
  EXPECT_EQ(ValueOf(all, "list[1].offset"), "120");
  EXPECT_EQ(ValueOf(all, "list[2].inumber"), "137");
}

}  // namespace
}  // namespace ondisk
