// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "libondisk/log_record.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/golden_log.h"

namespace fusexfs {
namespace {

using ondisk::Lsn;
using ondisk::PutBig;
using ::testing::HasSubstr;

// What xfs_logprint 6.13 says of dirty-log: records of cycle 1 from block 265
// to 918; the last two start at 884 and 893. What the kernel does with each
// damage below was seen by mounting images damaged in the same way.
constexpr uint32_t kTail = 265, kHead = 918, kLastRecord = 893;
constexpr size_t kHSize = 320, kLength = 12, kOperations = 40, kTailLsn = 24;

absl::StatusOr<LogState> StateOf(GoldenLog& log) {
  return FindLogState(log.Area());
}

void ExpectDirty(GoldenLog& log, uint32_t head) {
  const absl::StatusOr<LogState> state = StateOf(log);
  ASSERT_TRUE(state.ok()) << ondisk::MessageOf(state.status());
  EXPECT_FALSE(state->clean);
  EXPECT_EQ(state->head_block, head);
  EXPECT_EQ(state->tail_block, kTail);
}

void ExpectCorrupt(GoldenLog& log, std::string_view field) {
  const absl::StatusOr<LogState> state = StateOf(log);
  EXPECT_TRUE(ondisk::IsCorruption(state.status())) << state->ToString();
  EXPECT_THAT(std::string(ondisk::MessageOf(state.status())),
              HasSubstr(std::string(field)));
}

TEST(LogStateTest, DirtyLogHasTheHeadAndTailThatLogprintSays) {
  GoldenLog log("dirty-log");
  ExpectDirty(log, kHead);
  const LogState state = *StateOf(log);
  EXPECT_EQ(state.head, Lsn(1, kHead));
  EXPECT_EQ(state.tail, Lsn(1, kTail));
  EXPECT_EQ(state.last_record, Lsn(1, kLastRecord));
  EXPECT_FALSE(state.unmount_record);
  EXPECT_FALSE(state.torn);
  EXPECT_EQ(state.ToString(),
            "dirty: head 1:918, tail 1:265, last record at 1:893");
}

TEST(LogStateTest, UnmountedLogIsClean) {
  GoldenLog log("tiny-v5");
  const absl::StatusOr<LogState> state = StateOf(log);
  ASSERT_TRUE(state.ok());
  EXPECT_TRUE(state->clean);
  EXPECT_TRUE(state->unmount_record);
  EXPECT_EQ(state->head_block, state->tail_block);
}

TEST(LogStateTest, LogThatMkfsWroteIsClean) {
  GoldenLog log("tiny-v4");  // never mounted
  const absl::StatusOr<LogState> state = StateOf(log);
  ASSERT_TRUE(state.ok()) << ondisk::MessageOf(state.status());
  EXPECT_TRUE(state->clean);
  EXPECT_TRUE(state->unmount_record);
  EXPECT_EQ(state->last_record_block, 0u);
}

TEST(LogStateTest, LogOfZerosIsClean) {
  GoldenLog log("dirty-log");
  const ondisk::MutableBytes all = log.From(0);
  std::fill(all.begin(), all.end(), 0);
  const absl::StatusOr<LogState> state = StateOf(log);
  ASSERT_TRUE(state.ok());
  EXPECT_TRUE(state->clean);
  EXPECT_TRUE(state->never_written);
}

TEST(LogStateTest, LogOfGarbageIsCorrupt) {
  GoldenLog log("dirty-log");
  std::mt19937 random(5);
  for (uint8_t& byte : log.From(0)) byte = static_cast<uint8_t>(random());
  EXPECT_TRUE(ondisk::IsCorruption(StateOf(log).status()));
}

TEST(LogStateTest, TornLastRecordIsCutOff) {
  GoldenLog log("dirty-log");
  log.Block(kLastRecord + 1)[188] ^= 0xff;
  ExpectDirty(log, kLastRecord);
  const LogState state = *StateOf(log);
  EXPECT_TRUE(state.torn);
  EXPECT_EQ(state.head_before_truncation, kHead);
  EXPECT_EQ(state.last_record_block, 884u);
}

TEST(LogStateTest, DamageFarFromTheHeadIsCorruption) {
  GoldenLog log("dirty-log");
  log.Block(400)[188] ^= 0xff;
  ExpectCorrupt(log, "h_crc");
}

TEST(LogStateTest, DamagedTailIsCorruption) {
  GoldenLog log("dirty-log");
  log.Block(kTail + 5)[188] ^= 0xff;
  ExpectCorrupt(log, "h_crc");
}

TEST(LogStateTest, WrongSizeOfTheLastRecordIsTakenAsTheKernelTakesIt) {
  for (const uint32_t size : {0u, 512u, 0xfffffe00u}) {
    GoldenLog log("dirty-log");
    PutBig(log.Block(kLastRecord), kHSize, 4, size);
    log.SealRecord(kLastRecord);
    ExpectDirty(log, kHead);
  }
  // More header blocks than are there: the record does not end at the head, so
  // it is a partial one.
  for (const uint32_t size : {65536u, 0x40000000u}) {
    GoldenLog log("dirty-log");
    PutBig(log.Block(kLastRecord), kHSize, 4, size);
    log.SealRecord(kLastRecord);
    ExpectDirty(log, kLastRecord);
  }
}

TEST(LogStateTest, WrongSizeOfTheTailRecordIsCorruption) {
  for (const uint32_t size : {0u, 512u, 16384u, 0xfffffe00u}) {
    GoldenLog log("dirty-log");
    PutBig(log.Block(kTail), kHSize, 4, size);
    log.SealRecord(kTail);
    ExpectCorrupt(log, "h_len");
  }
  GoldenLog log("dirty-log");
  PutBig(log.Block(kTail), kHSize, 4, 65536);
  log.SealRecord(kTail);
  EXPECT_TRUE(ondisk::IsCorruption(StateOf(log).status()));
}

TEST(LogStateTest, HugeSizeOfTheTailRecordAllocatesNothing) {
  GoldenLog log("dirty-log");
  PutBig(log.Block(kTail), kHSize, 4, 0x7ffffe00);
  log.SealRecord(kTail);
  ExpectCorrupt(log, "h_size");
}

TEST(LogStateTest, OperationCountsAreNotTheStatesBusiness) {
  GoldenLog log("dirty-log");
  PutBig(log.Block(kLastRecord), kOperations, 4, 0x7fffff00);
  log.SealRecord(kLastRecord);
  ExpectDirty(log, kHead);
}

TEST(LogStateTest, TailThatCannotBeIsCorruption) {
  const uint64_t one_turn = uint64_t{1} << 32;
  for (const uint64_t tail :
       {one_turn | 0xffffffff,              // behind the log
        one_turn | 16384, one_turn | 1000,  // before the head in this turn
        2 * one_turn | 1000,                // of a later turn
        uint64_t{100}}) {  // of the turn before, but behind the head
    GoldenLog log("dirty-log");
    PutBig(log.Block(kLastRecord), kTailLsn, 8, tail);
    log.SealRecord(kLastRecord);
    EXPECT_TRUE(ondisk::IsCorruption(StateOf(log).status())) << tail;
  }
}

TEST(LogStateTest, ForeignUuidIsCorruption) {
  GoldenLog log("dirty-log");
  log.Block(kLastRecord)[304] ^= 1;
  log.SealRecord(kLastRecord);
  ExpectCorrupt(log, "h_fs_uuid");
}

TEST(LogStateTest, LengthsThatLieAreHandled) {
  for (const uint32_t length :
       {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    GoldenLog log("dirty-log");
    PutBig(log.Block(kLastRecord), kLength, 4, length);
    ExpectDirty(log, kLastRecord);  // partial, by its length
  }
}

// A log that wrapped: the same records, moved so that one lies across the end.
TEST(LogStateTest, RingIsFollowedAroundItsEnd) {
  GoldenLog log("dirty-log");
  const ondisk::MutableBytes all = log.From(0);
  const std::vector<uint8_t> before(all.begin(), all.end());
  const uint32_t blocks = log.blocks();
  const uint32_t shift = blocks - 890;  // 884 goes to blocks - 6
  std::vector<uint8_t> old_cycle(512);
  for (uint32_t block = 0; block < blocks; ++block) {
    const ondisk::MutableBytes to = log.Block((block + shift) % blocks);
    const auto from = before.begin() + ptrdiff_t{block} * 512;
    std::copy(from, from + 512, to.begin());
    const bool header = ondisk::IsLogRecordHeader(to);
    const bool wrapped = block + shift >= blocks;
    // Cycle 2 up to the physical end, 3 after it; the rest of the ring is of
    // cycle 2 and holds no header.
    if (block < kTail || block >= kHead) {
      std::fill(to.begin(), to.end(), 0);
      PutBig(to, 0, 4, wrapped ? 2 : 1);
      if (block + shift < blocks) PutBig(to, 0, 4, 2);
      continue;
    }
    PutBig(to, header ? 4 : 0, 4, wrapped ? 3 : 2);
    if (header) {
      PutBig(to, 16, 8,
             uint64_t{wrapped ? 3u : 2u} << 32 | ((block + shift) % blocks));
      PutBig(to, kTailLsn, 8, uint64_t{2} << 32 | (kTail + shift));
    }
  }
  // Checksums: a record across the end cannot be sealed in place; none is a
  // checksum too.
  for (uint32_t block = 0; block < blocks; ++block) {
    if (ondisk::IsLogRecordHeader(log.Block(block))) {
      PutBig(log.Block(block), 32, 4, 0);
    }
  }
  const absl::StatusOr<LogState> state = StateOf(log);
  ASSERT_TRUE(state.ok()) << ondisk::MessageOf(state.status());
  EXPECT_EQ(state->head, Lsn(3, kHead - 890));
  EXPECT_EQ(state->tail, Lsn(2, kTail + shift));
  EXPECT_EQ(state->tail_block, kTail + shift);
  EXPECT_EQ(state->last_record_block, kLastRecord - 890);
  EXPECT_FALSE(state->clean);
}

TEST(LogAreaTest, ExternalAndInternalLogsAreNotMixedUp) {
  GoldenLog log("tiny-v5");
  const MemoryDevice data(std::vector<uint8_t>(512)),
      other(std::vector<uint8_t>(size_t{1} << 20));
  EXPECT_EQ(ondisk::ErrnoOf(LogArea::Of(log.geometry, data, &other).status()),
            EINVAL);
  log.geometry.log_start = 0;
  EXPECT_EQ(ondisk::ErrnoOf(LogArea::Of(log.geometry, data, nullptr).status()),
            EINVAL);
  EXPECT_TRUE(ondisk::IsCorruption(
      LogArea::Of(log.geometry, data, &other).status()));  // too small
  log.geometry.log_blocks = 256;
  const auto area = LogArea::Of(log.geometry, data, &other);
  ASSERT_TRUE(area.ok());
  EXPECT_EQ(area->blocks(), 2048u);
}

TEST(LogAreaTest, LogOutsideItsGroupIsCorruption) {
  GoldenLog log("tiny-v5");
  const MemoryDevice data(std::vector<uint8_t>(512));
  for (const uint64_t start : {uint64_t{1}, ~uint64_t{0}}) {
    log.geometry.log_start = start;
    EXPECT_TRUE(ondisk::IsCorruption(
        LogArea::Of(log.geometry, data, nullptr).status()));
  }
}

}  // namespace
}  // namespace fusexfs
