// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/extent_loader.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <string>
#include <string_view>

#include "fusexfs/inode/inode_cache.h"
#include "libondisk/btree_block.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::DiskExtent;
using ondisk::DiskInode;
using ondisk::FsBlock;
using ondisk::InodeNumber;

// files/twenty-extents: 36 records in one leaf under the inode's root.
// files/unwritten: six records in the inode.
class ExtentLoaderTest : public testing::Test {
 protected:
  struct Outcome {
    int error;
    std::string message;
    size_t extents;
  };

  InodeNumber Number(std::string_view path) {
    return InodeOfPath("tiny-v5", path);
  }
  DiskInode& Disk(InodeNumber number) {
    return *reinterpret_cast<DiskInode*>(image_.Inode(number).data());
  }
  uint8_t* Fork(InodeNumber number) {
    return image_.Inode(number).data() + sizeof(DiskInode);
  }
  // The leaf below a root of one pointer.
  FsBlock Leaf(InodeNumber number) {
    const ondisk::Bytes fork =
        ondisk::DataFork(ondisk::DecodeInode(number, image_.Inode(number)),
                         image_.Inode(number));
    return FsBlock(ondisk::BmbtRoot(fork).Pointer(0));
  }
  ondisk::BtreeLongHeader& LeafHeader(InodeNumber number) {
    return *reinterpret_cast<ondisk::BtreeLongHeader*>(
        image_.Block(Leaf(number)).data());
  }
  DiskExtent& LeafRecord(InodeNumber number, size_t i) {
    return *reinterpret_cast<DiskExtent*>(image_.Block(Leaf(number)).data() +
                                          72 + 16 * i);
  }
  void SealLeaf(InodeNumber number) {
    image_.SealBlock(Leaf(number), ondisk::kBtreeLongCrcOffset);
  }

  // Loads the extents of the damaged inode; the image is restored.
  Outcome Load(InodeNumber number) {
    TestImage image(image_.bytes);
    const absl::StatusOr<InodeRef> inode = image.inodes.Get(number);
    EXPECT_TRUE(inode.ok()) << "stat must still work: " << inode.status();
    if (!inode.ok()) return {-1, "", 0};
    const absl::StatusOr<const ExtentMap*> map = (*inode)->DataExtents();
    if (map.ok()) return {0, "", (*map)->extents().size()};
    // Asked again it says the same, and nothing was kept.
    EXPECT_EQ((*inode)->DataExtents().status(), map.status());
    return {ondisk::ErrnoOf(map.status()),
            std::string(ondisk::MessageOf(map.status())), 0};
  }

  ImageBytes image_{std::string_view("tiny-v5")};
};

TEST_F(ExtentLoaderTest, GivesWhatXfsDbCounts) {
  EXPECT_EQ(Load(Number("files/twenty-extents")).extents, 36u);
  EXPECT_EQ(Load(Number("files/unwritten")).extents, 6u);
  EXPECT_EQ(Load(Number("files/empty")).extents, 0u);
  EXPECT_EQ(Load(Number("files")).extents, 0u);
  EXPECT_EQ(Load(Number("special_files/char")).extents, 0u);
}

TEST_F(ExtentLoaderTest, RefusesRecordsOutOfOrder) {
  const InodeNumber number = Number("files/unwritten");
  std::swap(reinterpret_cast<DiskExtent*>(Fork(number))[0],
            reinterpret_cast<DiskExtent*>(Fork(number))[1]);
  image_.SealInode(number);
  const Outcome outcome = Load(number);
  EXPECT_EQ(outcome.error, EUCLEAN);
  EXPECT_NE(outcome.message.find("data fork block 0: startoff is 0"),
            std::string::npos)
      << outcome.message;
}

TEST_F(ExtentLoaderTest, RefusesRecordsThatOverlap) {
  const InodeNumber number = Number("files/unwritten");
  auto& record = reinterpret_cast<DiskExtent*>(Fork(number))[0];
  ondisk::ExtentRecord longer = ondisk::UnpackExtent(record);
  ++longer.count;  // 17 blocks; the next record starts at 16
  record = ondisk::PackExtent(longer);
  image_.SealInode(number);
  EXPECT_EQ(Load(number).error, EUCLEAN);
}

TEST_F(ExtentLoaderTest, RefusesATreeWithMoreOrFewerRecordsThanCounted) {
  const InodeNumber number = Number("files/twenty-extents");
  for (const uint64_t count : {uint64_t{35}, uint64_t{37}}) {
    Disk(number).big_nextents.set(count);
    image_.SealInode(number);
    const Outcome outcome = Load(number);
    EXPECT_EQ(outcome.error, EUCLEAN);
    EXPECT_NE(outcome.message.find("nextents is " + std::to_string(count)),
              std::string::npos)
        << outcome.message;
  }
}

TEST_F(ExtentLoaderTest, RefusesALeafOfAnotherInode) {
  const InodeNumber number = Number("files/twenty-extents");
  LeafHeader(number).owner.set(131);
  SealLeaf(number);
  const Outcome outcome = Load(number);
  EXPECT_EQ(outcome.error, EUCLEAN);
  EXPECT_NE(outcome.message.find("owner is 131"), std::string::npos)
      << outcome.message;
}

TEST_F(ExtentLoaderTest, RefusesALeafThatIsANode) {
  const InodeNumber number = Number("files/twenty-extents");
  LeafHeader(number).level.set(1);
  LeafHeader(number).numrecs.set(1);
  SealLeaf(number);
  EXPECT_EQ(Load(number).error, EUCLEAN);
}

TEST_F(ExtentLoaderTest, RefusesRecordsOfALeafOutOfOrderOrRange) {
  const InodeNumber number = Number("files/twenty-extents");
  const DiskExtent good = LeafRecord(number, 2);
  ondisk::ExtentRecord record = ondisk::UnpackExtent(good);
  const auto refused = [&](auto change) {
    ondisk::ExtentRecord bad = record;
    change(bad);
    LeafRecord(number, 2) = ondisk::PackExtent(bad);
    SealLeaf(number);
    return Load(number).error;
  };
  EXPECT_EQ(refused([](auto& r) { r.start = ondisk::FileBlock(0); }), EUCLEAN);
  EXPECT_EQ(refused([](auto& r) { r.count = 0; }), EUCLEAN);
  EXPECT_EQ(refused([](auto& r) { r.block = FsBlock(1) + (1ull << 40); }),
            EUCLEAN);
  EXPECT_EQ(refused([](auto& r) { r.block = FsBlock(0); }), EUCLEAN);
  EXPECT_EQ(refused([](auto&) {}), 0);
}

TEST_F(ExtentLoaderTest, RefusesAPointerThatLeadsNowhere) {
  const InodeNumber number = Number("files/twenty-extents");
  const ondisk::InodeCore core =
      ondisk::DecodeInode(number, image_.Inode(number));
  // The pointers follow the room for all keys.
  const uint32_t room = (core.data_fork_size - 4) / 16;
  auto& pointer = *reinterpret_cast<ondisk::Be64*>(Fork(number) + 4 + 8 * room);
  for (const uint64_t bad :
       {uint64_t{0}, uint64_t{1} << 40, ~uint64_t{0}, uint64_t{100}}) {
    pointer.set(bad);
    image_.SealInode(number);
    EXPECT_EQ(Load(number).error, EUCLEAN) << bad;
  }
}

// A root whose pointers all lead to the same leaf: the walk ends, because the
// records do not ascend.
TEST_F(ExtentLoaderTest, EndsOnATreeWithACircle) {
  const InodeNumber number = Number("files/twenty-extents");
  const ondisk::InodeCore core =
      ondisk::DecodeInode(number, image_.Inode(number));
  const uint64_t leaf = Leaf(number).value;
  const uint32_t room = (core.data_fork_size - 4) / 16;
  Fork(number)[3] = static_cast<uint8_t>(room);
  for (uint32_t i = 0; i < room; ++i) {
    reinterpret_cast<ondisk::Be64*>(Fork(number) + 4)[i].set(i);
    reinterpret_cast<ondisk::Be64*>(Fork(number) + 4 + 8 * room)[i].set(leaf);
  }
  Disk(number).big_nextents.set(200);
  image_.SealInode(number);
  EXPECT_EQ(Load(number).error, EUCLEAN);
}

}  // namespace
}  // namespace fusexfs
