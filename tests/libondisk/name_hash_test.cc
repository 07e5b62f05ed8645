// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/name_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace ondisk {
namespace {

// Expected values: `hash NAME` of xfs_db 6.13.
TEST(DaHash, IsThatOfXfsDb) {
  EXPECT_EQ(DaHash(""), 0u);
  EXPECT_EQ(DaHash("a"), 0x61u);
  EXPECT_EQ(DaHash("."), 0x2eu);
  EXPECT_EQ(DaHash(".."), 0x172eu);
  EXPECT_EQ(DaHash("abcdefgh"), 0x4c7a38f6u);
  EXPECT_EQ(DaHash("SGI_ACL_FILE"), 0x275b19c4u);
  EXPECT_EQ(DaHash("entry-00005-xxxxx"), 0x288e98dcu);
}

TEST(DaHash, TakesBytesAsUnsigned) {
  EXPECT_EQ(DaHash("\xff"), 0xffu);
  EXPECT_EQ(DaHash("\xff\xff"), 0x7f80u ^ 0xffu);
}

TEST(DaHash, MeetsInNamesMadeToMeet) {
  // Bit 3 of a byte and bit 0 of the fifth byte before it.
  EXPECT_EQ(DaHash("bbbbbbbb"), DaHash("cbbbbjbb"));
  EXPECT_NE(DaHash("bbbbbbbb"), DaHash("cbbbbbbb"));
}

TEST(AsciiCiHash, FoldsLatinCapitalsOnly) {
  EXPECT_EQ(AsciiCiHash("ReadMe"), DaHash("readme"));
  EXPECT_EQ(AsciiCiHash("\xc0\xde"), DaHash("\xe0\xfe"));
  // The multiplication sign has no small letter; 0xdf has no capital.
  EXPECT_EQ(AsciiCiFold(0xd7), 0xd7);
  EXPECT_EQ(AsciiCiFold(0xdf), 0xdf);
  EXPECT_EQ(AsciiCiFold('['), '[');
  EXPECT_EQ(AsciiCiFold('@'), '@');
}

TEST(DirectoryNames, CompareAsTheImageDoes) {
  Features sensitive, insensitive;
  insensitive.ascii_ci = true;
  EXPECT_FALSE(DirectoryNamesEqual(sensitive, "A", "a"));
  EXPECT_TRUE(DirectoryNamesEqual(insensitive, "A", "a"));
  EXPECT_FALSE(DirectoryNamesEqual(insensitive, "A", "aa"));
  EXPECT_NE(DirectoryNameHash(sensitive, "A"),
            DirectoryNameHash(insensitive, "A"));
}

// Hash values and parents of leaf entries that the kernel wrote, as xfs_db
// shows them: file "leaf" in directory 746, files "0" and "3" in 68561.
TEST(ParentPointerHash, IsThatOfTheKernel) {
  const Features features;
  EXPECT_EQ(ParentPointerHash(features, "leaf", InodeNumber(746)), 0xd99720cu);
  EXPECT_EQ(ParentPointerHash(features, "1", InodeNumber(68561)), 0x10be0u);
  EXPECT_EQ(ParentPointerHash(features, "0", InodeNumber(68561)), 0x10be1u);
}

TEST(ParentPointerHash, MixesBothHalvesOfTheNumber) {
  const Features features;
  const InodeNumber parent(0x12345678'9abcdef0u);
  EXPECT_EQ(ParentPointerHash(features, "a", parent),
            0x61u ^ 0x12345678u ^ 0x9abcdef0u);
}

}  // namespace
}  // namespace ondisk
