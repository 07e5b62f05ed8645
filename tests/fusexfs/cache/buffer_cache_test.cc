// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/cache/buffer_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <random>
#include <vector>

#include "fusexfs/device/fault_device.h"
#include "fusexfs/device/memory_device.h"
#include "libondisk/status.h"
#include "tests/support/threads.h"

namespace fusexfs {
namespace {

using ondisk::Bytes;
using ondisk::DiskAddress;
using ondisk::Geometry;
using ::testing::HasSubstr;

constexpr uint32_t kBlock = 4096;
constexpr uint32_t kBlocks = 64;

DiskAddress At(uint64_t block) {
  return DiskAddress(block * (kBlock / ondisk::kDiskAddressUnit));
}

// Each block is filled with its own number.
std::unique_ptr<MemoryDevice> NumberedBlocks() {
  std::vector<uint8_t> bytes(kBlock * kBlocks);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(i / kBlock);
  }
  return std::make_unique<MemoryDevice>(std::move(bytes));
}

// Refuses block 13, and any block whose bytes are not all alike.
absl::Status VerifyNumbered(const Geometry&, DiskAddress address, Bytes bytes) {
  if (bytes.front() == 13 || bytes.front() != bytes.back()) {
    return ondisk::CorruptionError("numbered", ondisk::Where::Disk(address),
                                   "number", "bad", "good");
  }
  return absl::OkStatus();
}
absl::Status VerifyNothing(const Geometry&, DiskAddress, Bytes) {
  return absl::OkStatus();
}
constexpr BlockType kNumbered = {"numbered", &VerifyNumbered};
constexpr BlockType kOther = {"other", &VerifyNothing};

class BufferCacheTest : public ::testing::Test {
 protected:
  BufferCacheTest() { geometry_.block_size = kBlock; }

  Geometry geometry_;
  FaultDevice device_{NumberedBlocks()};
  BufferCache cache_{device_, geometry_, 1 << 20};
};

TEST_F(BufferCacheTest, ReadsEachBlockOnce) {
  for (int i = 0; i < 3; ++i) {
    auto buffer = cache_.Read(At(5), kBlock, kNumbered);
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(buffer->bytes().size(), kBlock);
    EXPECT_EQ(buffer->bytes()[100], 5);
    EXPECT_EQ(buffer->address(), At(5));
  }
  EXPECT_EQ(device_.reads(), 1u);
}

TEST_F(BufferCacheTest, VerifierFailureIsReturnedAndNotCached) {
  for (int i = 0; i < 2; ++i) {
    auto buffer = cache_.Read(At(13), kBlock, kNumbered);
    EXPECT_TRUE(ondisk::IsCorruption(buffer.status()));
  }
  EXPECT_EQ(device_.reads(), 2u);
  EXPECT_EQ(cache_.counters().entries, 0u);
}

TEST_F(BufferCacheTest, BlockAheadOfTheLogIsCorrupt) {
  // Block 5's LSN reads 0x0505...05.
  constexpr BlockType kLogged = {"logged", &VerifyNothing, 8};
  const ondisk::Lsn lsn(0x0505050505050505);
  geometry_.features.crc = true;
  BufferCache at_head(device_, geometry_, 1 << 20, lsn);
  EXPECT_TRUE(at_head.Read(At(5), kBlock, kLogged).ok());
  BufferCache behind(device_, geometry_, 1 << 20, ondisk::Lsn(lsn.value - 1));
  auto ahead = behind.Read(At(5), kBlock, kLogged);
  EXPECT_TRUE(ondisk::IsCorruption(ahead.status()));
  EXPECT_THAT(std::string(ondisk::MessageOf(ahead.status())),
              HasSubstr("logged at daddr 40: lsn is"));
  EXPECT_TRUE(behind.Read(At(5), kBlock, kOther).ok());   // carries none
  EXPECT_TRUE(cache_.Read(At(5), kBlock, kLogged).ok());  // no log was read
  geometry_.features.crc = false;                         // V4 has no LSNs
  EXPECT_TRUE(behind.Read(At(5), kBlock, kLogged).ok());
}

TEST_F(BufferCacheTest, DeviceErrorIsReturnedAndTheNextReaderTriesAgain) {
  device_.FailRead(1);
  auto buffer = cache_.Read(At(5), kBlock, kNumbered);
  EXPECT_EQ(ondisk::ErrnoOf(buffer.status()), EIO);
  EXPECT_FALSE(ondisk::IsCorruption(buffer.status()));
  EXPECT_THAT(std::string(ondisk::MessageOf(buffer.status())),
              HasSubstr("numbered at daddr 40"));
  EXPECT_TRUE(cache_.Read(At(5), kBlock, kNumbered).ok());
}

TEST_F(BufferCacheTest, EachClaimOfABlockIsJudgedByItsOwnVerifier) {
  // As block 13, one claim is a lie; whoever comes first, each gets his answer.
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(
        ondisk::IsCorruption(cache_.Read(At(13), kBlock, kNumbered).status()));
    auto other = cache_.Read(At(13), kBlock, kOther);
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(other->bytes()[kBlock - 1], 13);
  }
  auto first = cache_.Read(At(5), kBlock, kNumbered);
  auto second = cache_.Read(At(5), kBlock, kOther);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(second->bytes()[9], 5);
  EXPECT_EQ(second->address(), At(5));
}

TEST_F(BufferCacheTest, EachClaimOfABlockGetsTheSizeItAskedFor) {
  ASSERT_TRUE(cache_.Read(At(5), kBlock, kOther).ok());
  for (int i = 0; i < 200; ++i) {
    auto second = cache_.Read(At(5), kBlock / 2, kOther);
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(second->bytes().size(), kBlock / 2);
  }
}

TEST_F(BufferCacheTest, PiecesAreJoinedInOrder) {
  const BlockPiece pieces[] = {
      {At(9), kBlock}, {At(2), kBlock}, {At(30), kBlock}};
  auto buffer = cache_.ReadPieces(pieces, kOther);
  ASSERT_TRUE(buffer.ok());
  ASSERT_EQ(buffer->bytes().size(), 3 * kBlock);
  EXPECT_EQ(buffer->bytes()[0], 9);
  EXPECT_EQ(buffer->bytes()[kBlock], 2);
  EXPECT_EQ(buffer->bytes()[3 * kBlock - 1], 30);
  EXPECT_EQ(buffer->address(), At(9));
}

TEST_F(BufferCacheTest, TwoBlocksThatShareTheirFirstPieceAreKeptApart) {
  const BlockPiece one[] = {{At(9), kBlock}, {At(2), kBlock}};
  const BlockPiece two[] = {{At(9), kBlock}, {At(3), kBlock}};
  ASSERT_TRUE(cache_.ReadPieces(one, kOther).ok());
  auto again = cache_.ReadPieces(one, kOther);
  auto other = cache_.ReadPieces(two, kOther);
  ASSERT_TRUE(again.ok() && other.ok());
  EXPECT_EQ(again->bytes()[kBlock], 2);
  EXPECT_EQ(other->bytes()[kBlock], 3);
}

TEST_F(BufferCacheTest, BeyondTheDeviceIsAnErrorWithoutAnAllocation) {
  EXPECT_EQ(ondisk::ErrnoOf(cache_.Read(At(kBlocks), kBlock, kOther).status()),
            EIO);
  EXPECT_EQ(ondisk::ErrnoOf(cache_.Read(At(0), 0xfffffe00u, kOther).status()),
            EIO);
  EXPECT_EQ(
      ondisk::ErrnoOf(
          cache_.Read(DiskAddress(~uint64_t{0}), kBlock, kOther).status()),
      EIO);
  EXPECT_EQ(device_.reads(), 0u);
}

TEST_F(BufferCacheTest, HeldBufferOutlivesReclaim) {
  BufferCache small(device_, geometry_, 2 * kBlock);
  auto held = small.Read(At(1), kBlock, kNumbered);
  ASSERT_TRUE(held.ok());
  for (uint64_t block = 20; block < 60; ++block) {
    ASSERT_TRUE(small.Read(At(block), kBlock, kNumbered).ok());
  }
  EXPECT_EQ(held->bytes()[kBlock - 1], 1);
  EXPECT_GE(small.counters().reclaimed, 38u);
}

TEST(BufferCache, ManyThreadsOnAFailingDeviceUnderATinyLimit) {
  Geometry geometry;
  geometry.block_size = kBlock;
  FaultDevice device(NumberedBlocks());
  BufferCache cache(device, geometry, 4 * kBlock);
  device.FailRange(kBlock * 20, kBlock * 2);
  std::atomic<uint64_t> io{0}, corrupt{0}, good{0}, wrong{0};
  InThreads(8, [&](int i) {
    std::minstd_rand random(static_cast<unsigned>(i) + 1);
    for (int n = 0; n < 5000; ++n) {
      const uint64_t block = random() % kBlocks;
      auto buffer = cache.Read(At(block), kBlock, kNumbered);
      if (block == 20 || block == 21) {
        if (ondisk::ErrnoOf(buffer.status()) == EIO) ++io;
      } else if (block == 13) {
        if (ondisk::IsCorruption(buffer.status())) ++corrupt;
      } else if (buffer.ok() && buffer->bytes()[7] == block &&
                 buffer->bytes()[kBlock - 1] == block) {
        ++good;
      } else {
        ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(io, 0u);
  EXPECT_GT(corrupt, 0u);
  EXPECT_EQ(io + corrupt + good, 8u * 5000);
}

}  // namespace
}  // namespace fusexfs
