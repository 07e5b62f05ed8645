// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_state.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "fusexfs/journal/log_record_reader.h"
#include "fusexfs/journal/log_scan.h"
#include "libondisk/checker.h"
#include "libondisk/log_operation.h"
#include "libondisk/log_record.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::Checker;
using ondisk::kLogMaxBuffers;
using ondisk::LogRecordHeader;
using ondisk::Lsn;
using ondisk::Where;

absl::Status LogCorruption(uint32_t block, std::string_view field,
                           std::string_view found, std::string_view expected) {
  return ondisk::CorruptionError("log", Where::Log(block), field, found,
                                 expected);
}

class StateFinder {
 public:
  explicit StateFinder(const LogArea& area) : area_(area), scan_(area) {}

  absl::StatusOr<LogState> Find();

 private:
  // The largest record, and all records that can be in flight, in blocks.
  uint32_t record_blocks() const {
    return (area_.version2() ? ondisk::kLogMaxRecordBytes
                             : ondisk::kLogBigRecordBytes) /
           ondisk::kLogBlockSize;
  }
  uint32_t in_flight_blocks() const { return kLogMaxBuffers * record_blocks(); }

  // The first block that was never written; nothing if all were.
  absl::StatusOr<std::optional<uint32_t>> FindUnwritten();
  absl::StatusOr<uint32_t> FindHead();
  absl::StatusOr<uint32_t> HeadByCycle();
  absl::Status MoveToRecordBoundary(uint32_t& head);
  // `end` lies behind a record or within one; in the latter case it moves to
  // the record's start. Looks for the record in [start, end). `beyond`: blocks
  // that the record has before `start` of the ring's next turn. False if there
  // is no header in a range that starts at block 0.
  absl::StatusOr<bool> DropPartialRecord(uint32_t start, uint32_t& end,
                                         uint32_t beyond);

  // Sets clean and unmount_record if the last record is an unmount record.
  absl::Status CheckUnmountRecord(LogState& state);
  void TakeLastRecord(const LogScan::Found& found, LogState& state);
  absl::Status TrimTornRecords(LogState& state);
  absl::Status VerifyTail(LogState& state);
  absl::Status CheckDistance(const LogState& state) const;

  // Reads and checksums every record of [tail, head).
  absl::Status CheckRecords(uint32_t tail, uint32_t head,
                            std::optional<uint32_t>& bad) const;

  const LogArea& area_;
  LogScan scan_;
  LogRecordHeader last_header_{};
};

absl::StatusOr<bool> StateFinder::DropPartialRecord(uint32_t start,
                                                    uint32_t& end,
                                                    uint32_t beyond) {
  ONDISK_ASSIGN_OR_RETURN(const std::optional<uint32_t> block,
                          scan_.LastRecord(start, end));
  if (!block.has_value()) {
    if (start == 0) return false;
    return LogCorruption(
        end, "h_magicno", "no record header",
        fmt::format("one in the {} blocks before it", end - start));
  }
  ONDISK_ASSIGN_OR_RETURN(const ondisk::Bytes bytes, scan_.Block(*block));
  const auto& header = ondisk::View<LogRecordHeader>(bytes);
  Checker check("log record", Where::Log(*block));
  ondisk::VerifyLogRecordOwner(header, area_.uuid(), check);
  ONDISK_RETURN_IF_ERROR(check.status());
  const uint64_t expected =
      uint64_t{ondisk::LogPayloadBlocks(header.h_len.value())} +
      ondisk::LogHeaderBlocks(area_.version2(), header);
  if (uint64_t{end - *block} + beyond != expected) end = *block;
  return true;
}

absl::StatusOr<std::optional<uint32_t>> StateFinder::FindUnwritten() {
  ONDISK_ASSIGN_OR_RETURN(const uint32_t first, scan_.Cycle(0));
  if (first == 0) return std::optional<uint32_t>(0);
  const uint32_t last_block = area_.blocks() - 1;
  ONDISK_ASSIGN_OR_RETURN(const uint32_t last, scan_.Cycle(last_block));
  if (last != 0) return std::optional<uint32_t>();

  ONDISK_ASSIGN_OR_RETURN(uint32_t head, scan_.FirstOfCycle(0, last_block, 0));
  // Records in flight may have left holes before what the search found.
  const uint32_t window = std::min(head, in_flight_blocks());
  const uint32_t start = head - window;
  ONDISK_ASSIGN_OR_RETURN(const std::optional<uint32_t> hole,
                          scan_.FindCycle(start, window, 0));
  head = hole.value_or(head);
  ONDISK_ASSIGN_OR_RETURN(const bool found, DropPartialRecord(start, head, 0));
  if (!found) {
    return LogCorruption(head, "h_magicno", "no record header",
                         "one before it");
  }
  return std::optional<uint32_t>(head);
}

// Cycle numbers fall by one at the head; at blocks() if they never do. Three
// things disturb the picture: the search assumes sorted cycles; records written
// at once may be complete out of order, so that an older block stands before
// the newest ones; and at the ring's end such holes belong to the turn before.
absl::StatusOr<uint32_t> StateFinder::HeadByCycle() {
  const uint32_t blocks = area_.blocks();
  ONDISK_ASSIGN_OR_RETURN(const uint32_t first, scan_.Cycle(0));
  ONDISK_ASSIGN_OR_RETURN(const uint32_t last, scan_.Cycle(blocks - 1));
  uint32_t head = blocks;
  uint32_t older = last - 1;  // the cycle that must not stand before the head
  if (first != last) {
    older = last;
    ONDISK_ASSIGN_OR_RETURN(head, scan_.FirstOfCycle(0, blocks - 1, last));
  }
  const uint32_t window = std::min(blocks, in_flight_blocks());
  if (head >= window) {
    ONDISK_ASSIGN_OR_RETURN(const std::optional<uint32_t> hole,
                            scan_.FindCycle(head - window, window, older));
    return hole.value_or(head);
  }
  const uint32_t at_end = window - head;
  ONDISK_ASSIGN_OR_RETURN(const std::optional<uint32_t> hole_at_end,
                          scan_.FindCycle(blocks - at_end, at_end, older - 1));
  if (hole_at_end.has_value()) return *hole_at_end;
  ONDISK_ASSIGN_OR_RETURN(const std::optional<uint32_t> hole,
                          scan_.FindCycle(0, head, older));
  return hole.value_or(head);
}

absl::Status StateFinder::MoveToRecordBoundary(uint32_t& head) {
  const uint32_t blocks = area_.blocks();
  const uint32_t window = record_blocks();
  const uint32_t start = head >= window ? head - window : 0;
  ONDISK_ASSIGN_OR_RETURN(bool found, DropPartialRecord(start, head, 0));
  if (!found && head < window) {
    // The record before the head started before the physical end.
    const uint32_t back = std::min(window - head, blocks);
    uint32_t end = blocks;
    ONDISK_ASSIGN_OR_RETURN(found, DropPartialRecord(blocks - back, end, head));
    if (found && end != blocks) head = end;
  }
  if (!found) {
    return LogCorruption(head, "h_magicno", "no record header",
                         "one in the blocks before it");
  }
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> StateFinder::FindHead() {
  ONDISK_ASSIGN_OR_RETURN(const std::optional<uint32_t> unwritten,
                          FindUnwritten());
  if (unwritten.has_value()) return *unwritten;
  ONDISK_ASSIGN_OR_RETURN(uint32_t head, HeadByCycle());
  ONDISK_RETURN_IF_ERROR(MoveToRecordBoundary(head));
  return head == area_.blocks() ? 0 : head;
}

void StateFinder::TakeLastRecord(const LogScan::Found& found, LogState& state) {
  last_header_ = found.header;
  state.last_record_block = found.block;
  state.last_record = found.header.lsn();
  state.tail = found.header.tail();
  state.tail_block = state.tail.block();
  // A head behind a record before the physical end starts the next turn.
  state.head = Lsn(found.header.h_cycle.value() + (found.wrapped ? 1 : 0),
                   state.head_block);
}

absl::Status StateFinder::CheckUnmountRecord(LogState& state) {
  const uint64_t data = uint64_t{state.last_record_block} +
                        ondisk::LogHeaderBlocks(area_.version2(), last_header_);
  const uint32_t behind =
      area_.Wrap(data + ondisk::LogPayloadBlocks(last_header_.h_len.value()));
  if (behind != state.head_block || last_header_.h_num_logops.value() != 1) {
    return absl::OkStatus();
  }
  ONDISK_ASSIGN_OR_RETURN(const ondisk::Bytes bytes,
                          scan_.Block(area_.Wrap(data)));
  const auto& operation = ondisk::View<ondisk::LogOperationHeader>(bytes);
  if ((operation.oh_flags & ondisk::kLogOpUnmount) == 0) {
    return absl::OkStatus();
  }
  state.unmount_record = true;
  state.tail_block = state.head_block;
  return absl::OkStatus();
}

absl::Status StateFinder::CheckRecords(uint32_t tail, uint32_t head,
                                       std::optional<uint32_t>& bad) const {
  LogRecordReader reader(area_, tail, head);
  LogRecord record;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next(record);
    if (!more.ok()) {
      bad = reader.bad_block();
      return more.status();
    }
    if (!*more) return absl::OkStatus();
  }
}

// A damaged record among the last eight is taken for a torn write: it and all
// behind it never happened.
absl::Status StateFinder::TrimTornRecords(LogState& state) {
  ONDISK_ASSIGN_OR_RETURN(
      const LogScan::Found first,
      scan_.RecordsBefore(state.head_block, state.tail_block, kLogMaxBuffers));
  if (first.records == 0) {
    return LogCorruption(state.last_record_block, "h_tail_lsn",
                         fmt::to_string(state.tail_block),
                         "a block with a record between it and the head");
  }
  std::optional<uint32_t> bad;
  const absl::Status checked = CheckRecords(first.block, state.head_block, bad);
  if (checked.ok()) return VerifyTail(state);
  // The kernel takes a bad block 0 for "none": it cannot be cut off.
  if (!ondisk::IsCorruption(checked) || bad.value_or(0) == 0) return checked;

  ONDISK_ASSIGN_OR_RETURN(const LogScan::Found good,
                          scan_.RecordsBefore(*bad, state.tail_block, 1));
  if (good.records == 0) return checked;
  state.torn = true;
  state.head_before_truncation = state.head_block;
  state.head_block = *bad;
  TakeLastRecord(good, state);
  if (state.head_block == state.tail_block) return absl::OkStatus();
  return VerifyTail(state);
}

// Every record from the tail on must be sound. One near the tail may have been
// overwritten by a torn write that came around the ring: then the tail was
// about to move past it, and moves now.
absl::Status StateFinder::VerifyTail(LogState& state) {
  if (state.tail_block >= area_.blocks()) {
    return LogCorruption(state.last_record_block, "h_tail_lsn",
                         fmt::to_string(state.tail_block),
                         fmt::format("a block below {}", area_.blocks()));
  }
  ONDISK_ASSIGN_OR_RETURN(
      const LogScan::Found first,
      scan_.RecordsFrom(state.tail_block, state.head_block, 1));
  if (first.records == 0) {
    return LogCorruption(state.tail_block, "h_magicno", "no record header",
                         "one at the tail");
  }
  state.tail_block = first.block;
  const auto buffer = static_cast<int32_t>(last_header_.h_size.value());
  const int64_t reach =
      (int64_t{kLogMaxBuffers} * buffer + ondisk::kLogBlockSize - 1) >>
      ondisk::kDiskAddressShift;
  while (true) {
    std::optional<uint32_t> bad;
    const absl::Status checked =
        CheckRecords(state.tail_block, state.head_block, bad);
    if (checked.ok()) return checked;
    if (!ondisk::IsCorruption(checked) || bad.value_or(0) == 0) return checked;
    const uint32_t distance = state.head_block < *bad
                                  ? *bad - state.head_block
                                  : *bad + (area_.blocks() - state.head_block);
    if (distance > reach) return checked;
    ONDISK_ASSIGN_OR_RETURN(const LogScan::Found next,
                            scan_.RecordsFrom(*bad, state.head_block, 2));
    if (next.records == 0 || next.block == state.tail_block) return checked;
    state.tail_block = next.block;
  }
}

// Head and tail lie in the order that their cycles say.
absl::Status StateFinder::CheckDistance(const LogState& state) const {
  const uint32_t head = state.head.block();
  const bool same_turn = state.head.cycle() == state.tail.cycle();
  const bool holds = same_turn
                         ? head >= state.tail.block() && head < area_.blocks()
                         : head < state.tail.block() &&
                               state.head.cycle() == state.tail.cycle() + 1;
  if (holds) return absl::OkStatus();
  return LogCorruption(
      state.last_record_block, "h_tail_lsn",
      fmt::format("{}:{}", state.tail.cycle(), state.tail.block()),
      fmt::format("at most one turn of the ring before the head {}:{}",
                  state.head.cycle(), head));
}

absl::StatusOr<LogState> StateFinder::Find() {
  LogState state;
  ONDISK_ASSIGN_OR_RETURN(state.head_block, FindHead());
  if (state.head_block == 0) {
    ONDISK_ASSIGN_OR_RETURN(const uint32_t cycle, scan_.Cycle(0));
    if (cycle == 0) {
      state.clean = true;
      state.never_written = true;
      state.head = Lsn(1, 0);
      state.tail = state.last_record = state.head;
      return state;
    }
  }
  ONDISK_ASSIGN_OR_RETURN(
      const LogScan::Found last,
      scan_.RecordsBefore(state.head_block, state.head_block, 1));
  if (last.records == 0) {
    return LogCorruption(state.head_block, "h_magicno", "no record header",
                         "one in the log");
  }
  TakeLastRecord(last, state);
  ONDISK_RETURN_IF_ERROR(CheckUnmountRecord(state));
  if (!state.unmount_record) {
    if (state.tail_block >= area_.blocks()) {
      return LogCorruption(state.last_record_block, "h_tail_lsn",
                           fmt::to_string(state.tail_block),
                           fmt::format("a block below {}", area_.blocks()));
    }
    ONDISK_RETURN_IF_ERROR(TrimTornRecords(state));
    if (state.torn) ONDISK_RETURN_IF_ERROR(CheckUnmountRecord(state));
  }
  ONDISK_RETURN_IF_ERROR(CheckDistance(state));
  state.clean = state.head_block == state.tail_block;
  return state;
}

}  // namespace

absl::StatusOr<LogState> FindLogState(const LogArea& area) {
  return StateFinder(area).Find();
}

std::string LogState::ToString() const {
  if (never_written) return "clean: never written";
  std::string text = fmt::format(
      "{}: head {}:{}, ",
      clean ? unmount_record ? "clean (unmounted)" : "clean" : "dirty",
      head.cycle(), head.block());
  if (!clean) {
    text += fmt::format("tail {}:{}, ", tail.cycle(), tail.block());
  }
  text += fmt::format("last record at {}:{}", last_record.cycle(),
                      last_record.block());
  if (torn) {
    text += fmt::format(", torn records from block {} to {} cut off",
                        head_block, head_before_truncation);
  }
  return text;
}

}  // namespace fusexfs
