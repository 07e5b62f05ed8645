// SPDX-License-Identifier: GPL-2.0-or-later
// The trees of the golden image tiny-1k, whose blocks of 1 KiB make them deep.
// Expected values come from xfs_db 6.13: `agf 0`, `addr rmaproot` (or another),
// `btdump`; `inode 543`, `bmap`.
#include "fusexfs/btree/btree_cursor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fusexfs/btree/trees.h"
#include "fusexfs/device/fault_device.h"
#include "libondisk/btree_block.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/golden_image.h"
#include "tests/support/readahead.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::AgBlock;
using ondisk::AgNumber;
using ondisk::BtreeKind;
using ondisk::MessageOf;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kImage[] = "tiny-1k";
constexpr uint64_t kRmapRecords = 6714;  // in AG 0
constexpr uint64_t kRmapBlocks = 10860;

template <class Tree>
BtreeCursor<Tree> CursorOf(TestImage& image, uint32_t ag) {
  auto root = image.groups[AgNumber(ag)].Root(Tree::kKind);
  EXPECT_TRUE(root.ok());
  return BtreeCursor<Tree>(image.buffers, image.geometry, *root);
}

// All records from First on. Stops at an error, which it returns.
template <class Tree>
absl::Status Walk(BtreeCursor<Tree>& cursor,
                  std::vector<typename Tree::Record>& records) {
  ONDISK_ASSIGN_OR_RETURN(bool found, cursor.First());
  while (found) {
    records.push_back(cursor.record());
    ONDISK_ASSIGN_OR_RETURN(found, cursor.Next());
  }
  return absl::OkStatus();
}

class BtreeCursorTest : public ::testing::Test {
 protected:
  TestImage image_{kImage};
};

TEST_F(BtreeCursorTest, WalksEveryRecordOfADeepTreeBothWays) {
  auto cursor = CursorOf<RmapTree>(image_, 0);
  std::vector<ondisk::RmapRecord> records;
  ASSERT_TRUE(Walk(cursor, records).ok());
  ASSERT_EQ(records.size(), kRmapRecords);
  EXPECT_EQ(records.front().owner, ondisk::kRmapOwnerFs);
  EXPECT_EQ(records.back().start.value, 11658u);
  EXPECT_EQ(records.back().owner, 543u);
  EXPECT_EQ(records.back().offset, 5999u);
  EXPECT_TRUE(records.back().unwritten);
  uint64_t blocks = 0;
  for (const auto& record : records) blocks += record.count;
  EXPECT_EQ(blocks, kRmapBlocks);

  // The cursor stayed at the last record; back to the first.
  for (size_t i = records.size() - 1; i > 0; --i) {
    auto found = cursor.Previous();
    ASSERT_TRUE(found.ok() && *found) << i;
    ASSERT_EQ(RmapTree::KeyOf(cursor.record()),
              RmapTree::KeyOf(records[i - 1]));
  }
  EXPECT_FALSE(cursor.Previous().value());
}

TEST_F(BtreeCursorTest, FindsEveryRecordAndItsNeighbours) {
  auto cursor = CursorOf<RmapTree>(image_, 0);
  std::vector<ondisk::RmapRecord> records;
  ASSERT_TRUE(Walk(cursor, records).ok());
  for (size_t i = 0; i < records.size(); ++i) {
    const RmapTree::Key key = RmapTree::KeyOf(records[i]);
    ASSERT_TRUE(cursor.LookupEqual(key).value());
    ASSERT_EQ(cursor.record().count, records[i].count);
    // Just behind: at most gives this record, at least the next one.
    RmapTree::Key behind = key;
    ++behind.packed_offset;
    ASSERT_FALSE(cursor.LookupEqual(behind).value());
    ASSERT_TRUE(cursor.LookupAtMost(behind).value());
    ASSERT_EQ(RmapTree::KeyOf(cursor.record()), key);
    ASSERT_EQ(cursor.LookupAtLeast(behind).value(), i + 1 < records.size());
    if (i + 1 < records.size()) {
      ASSERT_EQ(RmapTree::KeyOf(cursor.record()),
                RmapTree::KeyOf(records[i + 1]));
    }
  }
}

TEST_F(BtreeCursorTest, LooksUpFreeSpaceByBlock) {
  auto cursor = CursorOf<BnobtTree>(image_, 0);
  EXPECT_FALSE(cursor.LookupAtMost(AgBlock(1270)).value());
  ASSERT_TRUE(cursor.LookupAtMost(AgBlock(1345)).value());
  EXPECT_EQ(cursor.record().start.value, 1271u);
  ASSERT_TRUE(cursor.LookupAtMost(AgBlock(1346)).value());
  EXPECT_EQ(cursor.record().count, 30u);
  ASSERT_TRUE(cursor.LookupAtLeast(AgBlock(1347)).value());
  EXPECT_EQ(cursor.record().start.value, 1408u);
  EXPECT_FALSE(cursor.LookupAtLeast(AgBlock(11660)).value());
  EXPECT_TRUE(cursor.LookupEqual(AgBlock(11659)).value());
  EXPECT_EQ(cursor.record().count, 8821u);
  EXPECT_FALSE(cursor.LookupEqual(AgBlock(11658)).value());
}

TEST_F(BtreeCursorTest, LooksUpFreeSpaceByLength) {
  auto cursor = CursorOf<CntbtTree>(image_, 0);
  ASSERT_TRUE(cursor.LookupAtLeast({3, AgBlock(0)}).value());
  EXPECT_EQ(cursor.record().start.value, 1271u);
  EXPECT_EQ(cursor.record().count, 11u);
  ASSERT_TRUE(cursor.LookupAtLeast({64, AgBlock(2115)}).value());
  EXPECT_EQ(cursor.record().start.value, 2242u);
  EXPECT_FALSE(cursor.LookupAtLeast({8822, AgBlock(0)}).value());
}

TEST_F(BtreeCursorTest, ReadsInodeChunksAndSharedBlocks) {
  auto chunks = CursorOf<InobtTree>(image_, 0);
  std::vector<ondisk::InobtRecord> inodes;
  ASSERT_TRUE(Walk(chunks, inodes).ok());
  ASSERT_EQ(inodes.size(), 10u);
  EXPECT_EQ(inodes[4].start.value, 512u);
  EXPECT_EQ(inodes[4].free, 0x1008040200000000u);

  auto shared = CursorOf<RefcountTree>(image_, 1);
  ASSERT_TRUE(shared.LookupAtMost({false, AgBlock(7525)}).value());
  EXPECT_EQ(shared.record().start.value, 7520u);
  EXPECT_EQ(shared.record().references, 5u);
  EXPECT_FALSE(CursorOf<RefcountTree>(image_, 0).First().value());
}

TEST_F(BtreeCursorTest, WalksExtentsBelowARootInAnInode) {
  ImageBytes bytes(kImage);
  const ondisk::InodeNumber number(543);
  const ondisk::Bytes inode = bytes.Inode(number);
  const ondisk::InodeCore core = ondisk::DecodeInode(number, inode);
  using Tree = BmbtTree<ondisk::Fork::kData>;
  BtreeCursor<Tree> cursor(
      image_.buffers, image_.geometry,
      BtreeRoot::InInode(number, ondisk::DataFork(core, inode)));
  std::vector<ondisk::ExtentRecord> extents;
  ASSERT_TRUE(Walk(cursor, extents).ok());
  ASSERT_EQ(extents.size(), 6000u);
  for (size_t i = 0; i < extents.size(); ++i) {
    ASSERT_EQ(extents[i].start.value, i);
    ASSERT_EQ(extents[i].block.value, 5659 + i);
    ASSERT_EQ(extents[i].unwritten, i % 2 == 1);
  }
  ASSERT_TRUE(cursor.LookupAtMost(ondisk::FileBlock(2536)).value());
  EXPECT_EQ(cursor.record().start.value, 2536u);  // last of the first subtree
  ASSERT_TRUE(cursor.Next().value());
  EXPECT_EQ(cursor.record().start.value, 2537u);
  // Blocks of another inode's tree are refused.
  BtreeCursor<Tree> foreign(image_.buffers, image_.geometry,
                            BtreeRoot::InInode(ondisk::InodeNumber(544),
                                               ondisk::DataFork(core, inode)));
  EXPECT_THAT(std::string(MessageOf(foreign.First().status())),
              HasSubstr("bmbt of inode 544"));
}

// The scan that also reads inode chunks. The tree has a root, 9 nodes and 170
// leaves (their numrecs, by xfs_db); a node tells all its leaves, of which the
// first is needed at once.
TEST(BtreeReadahead, AsksOnceForTheLeavesToCome) {
  const auto device = std::make_shared<FaultDevice>(GoldenImage(kImage));
  TestImage image(device);
  auto cursor = CursorOf<RmapTree>(image, 0);
  device->TakeAccesses();
  std::vector<ondisk::RmapRecord> records;
  ASSERT_TRUE(Walk(cursor, records).ok());
  const Readahead readahead = JudgeReadahead(device->TakeAccesses());
  EXPECT_EQ(readahead.reads, 1u + 9 + 170);
  EXPECT_EQ(readahead.announced, 170u - 9);
  EXPECT_EQ(readahead.asked_twice, 0u);
  EXPECT_EQ(readahead.never_read, 0u);
}

// ---- lies, each with a right checksum ----

// The reverse-mapping btree of AG 0: root, nodes, leaves.
class HostileBtreeTest : public ::testing::Test {
 protected:
  using Header = ondisk::BtreeShortHeader;

  HostileBtreeTest() {
    TestImage sound(kImage);
    root_ = AgBlock(static_cast<uint32_t>(
        sound.groups[AgNumber(0)].Root(BtreeKind::kRmapbt)->block.value));
    node_ = Child(root_, 0);
    leaf_ = Child(node_, 0);
    next_leaf_ = Child(node_, 1);
  }

  ondisk::MutableBytes Block(AgBlock block) {
    return image_.Block(image_.geometry.ToFsBlock(AgNumber(0), block));
  }
  ondisk::BtreeLayout layout() const {
    return ondisk::BtreeLayout::Of(BtreeKind::kRmapbt, image_.geometry);
  }
  AgBlock Child(AgBlock node, uint32_t i) {
    const ondisk::BtreeLayout shape = layout();
    return AgBlock(static_cast<uint32_t>(
        ondisk::BtreeBlock(Block(node), shape).Pointer(i)));
  }
  void Put(AgBlock block, size_t offset, size_t size, uint64_t value) {
    ondisk::PutSealed(Block(block), ondisk::kBtreeShortCrcOffset, offset, size,
                      value);
  }
  // The error of walking the whole tree.
  std::string WalkError() {
    TestImage image(image_.bytes);
    auto cursor = CursorOf<RmapTree>(image, 0);
    std::vector<ondisk::RmapRecord> records;
    const absl::Status status = Walk(cursor, records);
    EXPECT_LE(records.size(), kRmapRecords);
    EXPECT_TRUE(status.ok() || ondisk::IsCorruption(status));
    return std::string(MessageOf(status));
  }

  ImageBytes image_{kImage};
  AgBlock root_, node_, leaf_, next_leaf_;
};

TEST_F(HostileBtreeTest, ErrorNamesTreeAgBlockAndField) {
  Put(node_, offsetof(Header, level), 2, 2);
  const std::string error = WalkError();
  EXPECT_THAT(error, HasSubstr("rmapbt of AG 0: "));
  EXPECT_THAT(error, HasSubstr("daddr " + std::to_string(node_.value * 2)));
  EXPECT_THAT(error, HasSubstr("level is 2, expected 1"));
}

TEST_F(HostileBtreeTest, PointerBackToTheRootIsNoCycle) {
  Put(node_, layout().PointerOffset(1), 4, root_.value);
  EXPECT_THAT(WalkError(), HasSubstr("level is 2, expected 0"));
}

TEST_F(HostileBtreeTest, LeafThatIsPointedToTwiceIsFound) {
  Put(node_, layout().PointerOffset(1), 4, leaf_.value);
  EXPECT_NE(WalkError(), "");
}

// Neighbours that agree, pointers that repeat, keys that match: only the order
// of the records tells.
TEST_F(HostileBtreeTest, TwoLeavesThatFormARingAreFound) {
  const uint32_t third = Child(node_, 2).value;
  ASSERT_NE(third, leaf_.value);
  Put(leaf_, offsetof(Header, leftsib), 4, next_leaf_.value);
  Put(next_leaf_, offsetof(Header, rightsib), 4, leaf_.value);
  Put(node_, layout().PointerOffset(2), 4, leaf_.value);
  const ondisk::MutableBytes node = Block(node_);
  const uint32_t first_key = layout().KeyOffset(0);
  for (uint32_t i = 0; i < layout().key_size; ++i) {
    node[layout().KeyOffset(2) + i] = node[first_key + i];
  }
  ondisk::Reseal(node, ondisk::kBtreeShortCrcOffset);
  EXPECT_THAT(WalkError(), HasSubstr("record order"));
}

TEST_F(HostileBtreeTest, NeighbourThatDisagreesIsFound) {
  Put(next_leaf_, offsetof(Header, leftsib), 4, root_.value);
  EXPECT_THAT(WalkError(), HasSubstr("leftsib is"));
}

TEST_F(HostileBtreeTest, OldLeafThatPointsElsewhereIsFound) {
  Put(leaf_, offsetof(Header, rightsib), 4, root_.value);
  EXPECT_THAT(WalkError(), HasSubstr("rightsib is"));
}

TEST_F(HostileBtreeTest, RootWithANeighbourIsFound) {
  Put(root_, offsetof(Header, rightsib), 4, leaf_.value);
  EXPECT_THAT(WalkError(), HasSubstr("rightsib"));
}

TEST_F(HostileBtreeTest, EmptyLeafBelowARootIsFound) {
  Put(next_leaf_, offsetof(Header, numrecs), 2, 0);
  EXPECT_THAT(WalkError(), HasSubstr("numrecs is 0, expected at least 1"));
}

TEST_F(HostileBtreeTest, KeyThatIsNotItsChildsFirstIsFound) {
  Put(node_, layout().KeyOffset(0), 4, 1);
  EXPECT_THAT(WalkError(), HasSubstr("first key"));
}

TEST_F(HostileBtreeTest, RecordsOutOfOrderAreFound) {
  // Record 1 starts where record 3 does: behind record 2.
  Put(leaf_, layout().RecordOffset(1), 4, 6);
  EXPECT_THAT(WalkError(),
              AllOf(HasSubstr("record order"), HasSubstr("rmapbt of AG 0")));
}

TEST_F(HostileBtreeTest, RecordBeyondTheAgIsFound) {
  Put(leaf_, layout().RecordOffset(3) + 4, 4, 0x7fffffff);
  EXPECT_THAT(WalkError(), HasSubstr("rmapbt"));
}

TEST_F(HostileBtreeTest, ImpossibleRootsAreErrorsOfTheirOwn) {
  TestImage image(kImage);
  for (const auto& [block, levels] :
       std::vector<std::pair<uint32_t, uint32_t>>{{0x7ffffff, 1},
                                                  {0, 1},
                                                  {root_.value, 0},
                                                  {root_.value, 16},
                                                  {root_.value, 2}}) {
    BtreeCursor<RmapTree> cursor(
        image.buffers, image.geometry,
        BtreeRoot::InAg(BtreeKind::kRmapbt, AgNumber(0), AgBlock(block),
                        levels));
    EXPECT_TRUE(ondisk::IsCorruption(cursor.First().status()))
        << block << " " << levels;
  }
}

// Flips one byte of a leaf after the other, with a right checksum: the walk
// ends, and within the records that there are.
TEST_F(HostileBtreeTest, AByteOfALeafMayLie) {
  const std::vector<uint8_t> sound(Block(leaf_).begin(), Block(leaf_).end());
  for (size_t i = 0; i < sound.size(); i += 17) {
    if (i / 4 == ondisk::kBtreeShortCrcOffset / 4) continue;
    Put(leaf_, i, 1, sound[i] ^ 0xffu);
    WalkError();
    Put(leaf_, i, 1, sound[i]);
  }
}

}  // namespace
}  // namespace fusexfs
