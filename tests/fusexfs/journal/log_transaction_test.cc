// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_transaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "fusexfs/journal/log_state.h"
#include "libondisk/checker.h"
#include "libondisk/status.h"
#include "tests/support/bytes.h"
#include "tests/support/golden_log.h"

namespace fusexfs {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using Kind = LogTransactionAssembler::Event::Kind;

// ---- from a real log ----

// Counted by xfs_logprint -t in dirty-log, from the tail on.
TEST(LogTransactionTest, RealLogHoldsWhatLogprintCounts) {
  GoldenLog log("dirty-log");
  const LogArea area = log.Area();
  const absl::StatusOr<LogState> state = FindLogState(area);
  ASSERT_TRUE(state.ok());
  LogRecordReader reader(area, state->tail_block, state->head_block);
  LogTransactionAssembler assembler;
  LogRecord record;
  size_t records = 0, operations = 0, transactions = 0;
  std::map<std::string, size_t> items;
  while (*reader.Next(record)) {
    ++records;
    EXPECT_EQ(record.crc, ondisk::LogCrc::kMatches);
    ASSERT_TRUE(
        ForEachLogOperation(
            area, record,
            [&](const LogOperation& operation) -> absl::Status {
              ++operations;
              auto event = assembler.Add(record, operation);
              if (!event.ok()) return event.status();
              if (!event->committed.has_value()) {
                return absl::OkStatus();
              }
              ++transactions;
              for (const LogItem& item : event->committed->items) {
                ++items[std::string(ondisk::LogItemTypeName(item.type()))];
                ondisk::Checker check("item", ondisk::Where());
                ondisk::VerifyLogItem(log.geometry, item.views(), check);
                EXPECT_TRUE(check.status().ok())
                    << ondisk::MessageOf(check.status());
              }
              return absl::OkStatus();
            })
            .ok());
  }
  EXPECT_EQ(records, 24u);
  EXPECT_EQ(operations, 1731u);
  EXPECT_EQ(transactions, 20u);
  EXPECT_THAT(items, ElementsAre(Pair("buffer", 205), Pair("icreate", 5),
                                 Pair("inode", 385)));
}

TEST(LogTransactionTest, OperationCountPastTheDataIsCorruption) {
  GoldenLog log("dirty-log");
  const ondisk::MutableBytes header = log.Block(893);
  header[43] = static_cast<uint8_t>(header[43] + 1);  // h_num_logops
  log.SealRecord(893);
  const LogArea area = log.Area();
  LogRecordReader reader(area, 893, 918);
  LogRecord record;
  ASSERT_TRUE(*reader.Next(record));
  const absl::Status status = ForEachLogOperation(
      area, record, [](const LogOperation&) { return absl::OkStatus(); });
  EXPECT_TRUE(ondisk::IsCorruption(status));
  EXPECT_THAT(std::string(ondisk::MessageOf(status)),
              ::testing::HasSubstr("oh_clientid"));
}

TEST(LogTransactionTest, LogOfTheOtherByteOrderIsNotRead) {
  GoldenLog log("dirty-log");
  log.Block(893)[303] = 2;  // h_fmt
  log.SealRecord(893);
  const LogArea area = log.Area();
  LogRecordReader reader(area, 893, 918);
  LogRecord record;
  ASSERT_TRUE(*reader.Next(record));
  EXPECT_TRUE(ondisk::IsCorruption(ForEachLogOperation(
      area, record, [](const LogOperation&) { return absl::OkStatus(); })));
}

TEST(LogRecordReaderTest, SaysWhichRecordIsBad) {
  GoldenLog log("dirty-log");
  log.Block(895)[10] ^= 1;
  const LogArea area = log.Area();
  LogRecordReader reader(area, 884, 918);
  LogRecord record;
  EXPECT_TRUE(*reader.Next(record));
  EXPECT_EQ(record.block, 884u);
  EXPECT_TRUE(ondisk::IsCorruption(reader.Next(record).status()));
  EXPECT_EQ(reader.bad_block(), 893u);
}

TEST(LogRecordReaderTest, NothingLiesBetweenEqualEnds) {
  GoldenLog log("dirty-log");
  const LogArea area = log.Area();
  LogRecordReader reader(area, 893, 893);
  LogRecord record;
  EXPECT_FALSE(*reader.Next(record));
}

// ---- built by hand ----

class LogAssemblyTest : public ::testing::Test {
 protected:
  LogAssemblyTest() { record_.headers.resize(512); }

  absl::StatusOr<LogTransactionAssembler::Event> Add(uint8_t flags,
                                                     std::string_view hex = "",
                                                     uint32_t tid = 1) {
    header_.oh_tid.set(tid);
    header_.oh_flags = flags;
    header_.oh_clientid = ondisk::kLogClientTransaction;
    data_ = ondisk::BytesFromHex(hex);
    header_.oh_len.set(static_cast<uint32_t>(data_.size()));
    return assembler_.Add(record_, {&header_, data_, 0});
  }
  Kind KindOf(uint8_t flags, std::string_view hex = "", uint32_t tid = 1) {
    const auto event = Add(flags, hex, tid);
    EXPECT_TRUE(event.ok()) << ondisk::MessageOf(event.status());
    return event->kind;
  }
  bool Refused(uint8_t flags, std::string_view hex = "") {
    return ondisk::IsCorruption(Add(flags, hex).status());
  }

  static constexpr std::string_view kHeader =
      "4e415254 28000000 00000000 02000000";
  static constexpr uint8_t kStart = 1, kCommit = 2, kContinue = 4,
                           kWasContinued = 8, kEnd = 16, kUnmount = 32;
  LogTransactionAssembler assembler_;

 private:
  LogRecord record_;
  ondisk::LogOperationHeader header_{};
  std::vector<uint8_t> data_;
};

TEST_F(LogAssemblyTest, CutRegionsAreJoined) {
  EXPECT_EQ(KindOf(kStart), Kind::kStart);
  EXPECT_EQ(KindOf(0, kHeader), Kind::kTransactionHeader);
  EXPECT_EQ(KindOf(0, "3b120200"), Kind::kRegion);
  EXPECT_EQ(Add(kContinue, "0102")->completed, nullptr);
  EXPECT_EQ(Add(kContinue | kWasContinued, "03")->completed, nullptr);
  const auto last = Add(kWasContinued | kEnd, "0405");
  ASSERT_NE(last->completed, nullptr);
  EXPECT_THAT(last->completed->regions[1], ElementsAre(1, 2, 3, 4, 5));
  const auto commit = Add(kCommit);
  ASSERT_TRUE(commit->committed.has_value());
  EXPECT_EQ(commit->committed->items.size(), 1u);
  EXPECT_EQ(commit->committed->items[0].type(), 0x123b);
}

TEST_F(LogAssemblyTest, CutTransactionHeaderIsJoined) {
  KindOf(kStart);
  EXPECT_EQ(KindOf(kContinue, "4e415254 28000000"), Kind::kTransactionHeader);
  EXPECT_EQ(KindOf(kWasContinued | kEnd, "00000000 02000000"),
            Kind::kTransactionHeader);
  EXPECT_EQ(KindOf(0, "3b120100"), Kind::kRegion);
}

TEST_F(LogAssemblyTest, TransactionsMayBeMixed) {
  KindOf(kStart, "", 1);
  KindOf(kStart, "", 2);
  KindOf(0, kHeader, 1);
  KindOf(0, kHeader, 2);
  KindOf(0, "3b120100", 2);
  EXPECT_EQ(Add(kCommit, "", 1)->committed->items.size(), 0u);
  EXPECT_EQ(Add(kCommit, "", 2)->committed->items.size(), 1u);
}

TEST_F(LogAssemblyTest, WhatStartedBeforeTheTailIsSkipped) {
  EXPECT_EQ(KindOf(0, "0102", 9), Kind::kSkipped);
  EXPECT_EQ(KindOf(kCommit, "", 9), Kind::kSkipped);
  EXPECT_EQ(KindOf(kUnmount, "6e550000 00000000", 9), Kind::kUnmount);
}

TEST_F(LogAssemblyTest, EmptyOperationsAddNothing) {
  KindOf(kStart);
  KindOf(0, kHeader);
  EXPECT_EQ(KindOf(kContinue), Kind::kSkipped);
  EXPECT_EQ(KindOf(kWasContinued | kEnd), Kind::kSkipped);
}

TEST_F(LogAssemblyTest, WrongHeaderMagicIsCorruption) {
  KindOf(kStart);
  EXPECT_TRUE(Refused(0, "5452414e 28000000 00000000 02000000"));
}

TEST_F(LogAssemblyTest, LongHeaderIsCorruption) {
  KindOf(kStart);
  EXPECT_TRUE(Refused(0, "4e415254 28000000 00000000 02000000 00"));
}

TEST_F(LogAssemblyTest, SecondStartIsCorruption) {
  KindOf(kStart);
  EXPECT_TRUE(Refused(kStart));
}

TEST_F(LogAssemblyTest, ContinuationOfNothingIsCorruption) {
  KindOf(kStart);
  KindOf(0, kHeader);
  EXPECT_TRUE(Refused(kWasContinued | kEnd, "01"));
}

TEST_F(LogAssemblyTest, RegionCountsThatCannotBeAreCorruption) {
  for (const std::string_view format :
       {"3b120000", "3b120201", "3b12ffff", "3b12"}) {
    assembler_ = LogTransactionAssembler();
    KindOf(kStart);
    KindOf(0, kHeader);
    EXPECT_TRUE(Refused(0, format)) << format;
  }
}

TEST_F(LogAssemblyTest, RegionsOfReportedItemsAreDroppedOnWish) {
  LogTransactionAssembler lean(/*keep_items=*/false);
  LogRecord record;
  record.headers.resize(512);
  ondisk::LogOperationHeader header{};
  const auto add = [&](uint8_t flags, const std::vector<uint8_t>& data) {
    header.oh_flags = flags;
    return lean.Add(record, {&header, data, 0});
  };
  (void)add(kStart, {});
  (void)add(0, ondisk::BytesFromHex(kHeader));
  EXPECT_NE(add(0, ondisk::BytesFromHex("3b120100"))->completed, nullptr);
  const auto commit = add(kCommit, {});
  ASSERT_EQ(commit->committed->items.size(), 1u);
  EXPECT_TRUE(commit->committed->items[0].regions[0].empty());
}

}  // namespace
}  // namespace fusexfs
