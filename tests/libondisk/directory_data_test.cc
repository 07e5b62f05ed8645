// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_data.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libondisk/status.h"
#include "tests/support/fork_block.h"
#include "tests/support/golden_image.h"
#include "tests/support/lie.h"

namespace ondisk {
namespace {

using fusexfs::ForkBlock;
using fusexfs::GoldenForkBlock;

constexpr size_t kCrc = offsetof(Directory3BlockHeader, crc);

ForkBlock BlockForm() {
  return GoldenForkBlock("tiny-v5", "directories/block", Fork::kData, 0);
}
ForkBlock DataBlock() {
  return GoldenForkBlock("tiny-v5", "directories/leaf", Fork::kData, 1);
}

// Values by xfs_db 6.13: `inode N`, `dblock 0`, `p`.
TEST(DirectoryBlock, ShowsWhatXfsDbShows) {
  const ForkBlock block = BlockForm();
  ASSERT_TRUE(IsDirectoryBlockForm(block.bytes));
  const auto leaves = DirectoryBlockLeaves(block.bytes);
  ASSERT_EQ(leaves.size(), 42u);
  EXPECT_EQ(leaves[1].hashval.value(), 0x172eu);
  EXPECT_EQ(leaves[1].address.value(), 0xau);
  EXPECT_EQ(leaves[2].hashval.value(), 0x1124a4e5u);
  EXPECT_EQ(leaves[2].address.value(), 0x5du);
  const auto best = DirectoryBestFree(block.geometry.features, block.bytes);
  EXPECT_EQ(best[0].offset.value(), 0x630);
  EXPECT_EQ(best[0].length.value(), 0x878);
  EXPECT_EQ(best[1].length.value(), 0);

  const auto entry =
      DirectoryEntryAt(block.geometry.features, block.bytes, 0x78);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->name, "entry-00001-x");
  EXPECT_EQ(entry->file_type, 1);
  EXPECT_EQ(entry->size, 0x98u - 0x78u);
  EXPECT_FALSE(DirectoryEntryAt(block.geometry.features, block.bytes, 0x80));
  EXPECT_FALSE(DirectoryEntryAt(block.geometry.features, block.bytes, 0x630));
  EXPECT_FALSE(DirectoryEntryAt(block.geometry.features, block.bytes, 0x1000));
}

TEST(DirectoryBlock, WalksEntriesInTheKernelsOrder) {
  const ForkBlock block = BlockForm();
  const auto& kernel =
      fusexfs::GoldenManifest("tiny-v5").At("directories/block")["entries"];
  DirectoryDataEntries entries(block.geometry.features, block.bytes);
  DirectoryEntryView entry;
  ASSERT_TRUE(entries.Next(entry));
  EXPECT_EQ(entry.name, ".");
  EXPECT_EQ(entry.inode, block.owner);
  ASSERT_TRUE(entries.Next(entry));
  EXPECT_EQ(entry.name, "..");
  for (const auto& expected : kernel) {
    ASSERT_TRUE(entries.Next(entry));
    EXPECT_EQ(entry.name, expected[0].get<std::string>());
    EXPECT_EQ(entry.inode.value, expected[1].get<uint64_t>());
  }
  EXPECT_FALSE(entries.Next(entry));
}

// What the kernel answers EUCLEAN to. Offsets: entries begin at 64 with "."
// (16 bytes), ".." (16), then "entry-00000-" at 96 and "entry-00001-x" at 120;
// the free run is at 0x630; leaf entries begin at 0xea8, the tail is at 4088.
TEST(DirectoryBlock, CatchesLies) {
  ExpectLiesCaught(
      BlockForm(), kCrc, VerifyDirectoryBlock,
      {
          {"magic of a data block", 0, 4, kDirectoryDataMagicV5, "magic"},
          {"blkno", 8, 8, 8, "blkno"},
          {"uuid", 24, 1, 0x11, "uuid"},
          {"namelen too long", 96 + 8, 1, 255, "entry at 96: tag"},
          {"namelen 0", 96 + 8, 1, 0, "entry at 96: namelen"},
          {"tag", 0x98 - 2, 2, 0x7ff8, "entry at 120: tag"},
          {"inode out of range", 96, 8, 0xffffffffff, "entry at 96: inumber"},
          {"inode 0", 96, 8, 0, "entry at 96: inumber"},
          {"name with a slash", 96 + 9, 1, '/', "entry at 96: name"},
          {"free length 0", 0x632, 2, 0, "unused entry at 1584: length"},
          {"free length odd", 0x632, 2, 3, "unused entry at 1584: length"},
          {"free length too long", 0x632, 2, 0xfff8,
           "unused entry at 1584: length"},
          {"free tag", 0xea8 - 2, 2, 0x638, "unused entry at 1584: tag"},
          {"tail count huge", 4088, 4, 0x7fffffff, "count"},
          {"tail count zero", 4088, 4, 0, ""},
          {"tail count 200", 4088, 4, 200, ""},
          {"tail stale", 4092, 4, 100, "stale"},
          {"leaf address", 0xea8 + 3 * 8 + 4, 4, 0x7ffffff,
           "entry at 1232: name"},
          {"leaf hash order", 0xea8 + 3 * 8, 4, 1, "bleaf[3].hashval"},
          {"bestfree length", 48 + 2, 2, 4000, "bestfree[0].length"},
          {"bestfree offset", 48, 2, 0x638, "bestfree[2].length"},
          {"bestfree without length", 52, 2, 64, "bestfree[1].offset"},
          {"bestfree order", 52, 4, 0x00400900, "bestfree[1].length"},
      });
}

TEST(DirectoryBlock, KnowsItsOwner) {
  const ForkBlock block = BlockForm();
  Checker right("b", Where{}), wrong("b", Where{});
  VerifyDirectoryOwner(block.geometry, block.bytes, block.owner, right);
  VerifyDirectoryOwner(block.geometry, block.bytes, InodeNumber(999), wrong);
  EXPECT_FALSE(right.failed());
  ASSERT_TRUE(wrong.failed());
  EXPECT_EQ(wrong.findings()[0].field, "owner");
}

TEST(DirectoryBlock, NamesABadChecksum) {
  ForkBlock block = BlockForm();
  block.bytes[2000] ^= 1;
  EXPECT_EQ(FirstField(VerifyDirectoryBlock, block, block.bytes), "crc");
  block.bytes.resize(512);
  EXPECT_EQ(FirstField(VerifyDirectoryBlock, block, block.bytes), "size");
}

TEST(DirectoryBlock, SurvivesDamageToEveryByte) {
  ExpectEveryByteSurvived(BlockForm(), kCrc, VerifyDirectoryBlock,
                          ExplainDirectoryData);
}

TEST(DirectoryData, CatchesLies) {
  const ForkBlock block = DataBlock();
  ASSERT_FALSE(IsDirectoryBlockForm(block.bytes));
  // The last entry of this block ends where a free run of 8 bytes begins.
  ExpectLiesCaught(
      block, kCrc, VerifyDirectoryData,
      {
          {"magic of a block form", 0, 4, kDirectoryBlockMagicV5, "magic"},
          {"free run of 16 at the end", 4096 - 6, 2, 16,
           "unused entry at 4088: length"},
          {"bestfree forgets", 48, 4, 0, "bestfree[2].length"},
          {"first namelen", 64 + 8, 1, 255, "entry at 64: tag"},
      });
}

TEST(DirectoryData, SurvivesDamageToEveryByte) {
  ExpectEveryByteSurvived(DataBlock(), kCrc, VerifyDirectoryData,
                          ExplainDirectoryData);
}

TEST(DirectoryData, IsExplainedEntryByEntry) {
  const ForkBlock block = BlockForm();
  const Explanation all =
      ExplainDirectoryData(block.geometry, block.address, block.bytes);
  EXPECT_TRUE(all.AllChecksHold());
  EXPECT_EQ(ValueOf(all, "magic"), "0x58444233 \"XDB3\"");
  EXPECT_EQ(ValueOf(all, "owner"), std::to_string(block.owner.value));
  EXPECT_EQ(ValueOf(all, "bestfree[0].length"), "2168");
  EXPECT_EQ(ValueOf(all, "entry at 120: name"), "\"entry-00001-x\"");
  EXPECT_EQ(ValueOf(all, "entry at 120: filetype"), "1 file");
  EXPECT_EQ(ValueOf(all, "unused entry at 1584: length"), "2168");
  EXPECT_EQ(ValueOf(all, "bleaf[2].hashval"), "0x1124a4e5");
  EXPECT_EQ(ValueOf(all, "count"), "42");
}

TEST(DirectoryData, ExplainsALieBesideItsField) {
  ForkBlock block = BlockForm();
  PutSealed(block.bytes, kCrc, 96 + 8, 1, 0);
  const Explanation all =
      ExplainDirectoryData(block.geometry, block.address, block.bytes);
  EXPECT_FALSE(all.AllChecksHold());
  bool found = false;
  for (const Finding& f : all.problems)
    found |= f.field == "entry at 96: namelen";
  EXPECT_TRUE(found);
}

// V4: no header but the magic, no file types.
TEST(DirectoryDataV4, IsReadWithoutHeader) {
  ForkBlock block =
      GoldenForkBlock("tiny-v4", "directories/block", Fork::kData, 0);
  EXPECT_EQ(FirstField(VerifyDirectoryBlock, block, block.bytes), "none");
  const auto first =
      DirectoryEntryAt(block.geometry.features, block.bytes, 16 + 16 + 16);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->name, "entry-00000-of-block");
  EXPECT_EQ(first->file_type, 0);
  block.bytes[48 + 8] = 0;
  EXPECT_EQ(FirstField(VerifyDirectoryBlock, block, block.bytes),
            "entry at 48: namelen");
}

}  // namespace
}  // namespace ondisk
