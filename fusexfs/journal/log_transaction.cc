// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_transaction.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "libondisk/checker.h"
#include "libondisk/log_operation.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::Bytes;
using ondisk::Checker;
using ondisk::Where;
using Event = LogTransactionAssembler::Event;

constexpr size_t kHeaderBytes = sizeof(ondisk::LogTransactionHeader);

absl::Status OperationError(const LogRecord& record, std::string_view field,
                            std::string_view found, std::string_view expected) {
  return ondisk::CorruptionError("log operation", Where::Log(record.block),
                                 field, found, expected);
}

void Append(std::vector<uint8_t>& to, Bytes bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// The transaction header, whole or in pieces: it comes before all items.
absl::StatusOr<Event> AddHeader(LogTransaction& transaction,
                                const LogRecord& record, Bytes data) {
  if (transaction.header.size() + data.size() > kHeaderBytes) {
    return OperationError(record, "oh_len", fmt::to_string(data.size()),
                          "a transaction header of 16 bytes");
  }
  Append(transaction.header, data);
  if (transaction.header.size() >= sizeof(ondisk::Host32)) {
    Checker check("transaction header", Where::Log(record.block));
    check.EqualHex("th_magic",
                   ondisk::View<ondisk::Host32>(transaction.header).value(),
                   ondisk::kLogTransactionMagic);
    ONDISK_RETURN_IF_ERROR(check.status());
  }
  Event event;
  event.kind = Event::Kind::kTransactionHeader;
  event.transaction = &transaction;
  return event;
}

Event RegionEvent(const LogTransaction& transaction) {
  Event event;
  event.kind = Event::Kind::kRegion;
  event.transaction = &transaction;
  event.item = transaction.items.size() - 1;
  event.region = transaction.items.back().regions.size() - 1;
  if (transaction.items.back().complete()) {
    event.completed = &transaction.items.back();
  }
  return event;
}

}  // namespace

void LogTransactionAssembler::DropReported() {
  if (!reported_.has_value()) return;
  const auto found = open_.find(*reported_);
  reported_.reset();
  if (found == open_.end()) return;
  LogItem& item = found->second.items.back();
  if (item.complete()) {
    for (std::vector<uint8_t>& region : item.regions) region = {};
  }
}

absl::StatusOr<Event> LogTransactionAssembler::AddRegion(
    LogTransaction& transaction, const LogRecord& record,
    const LogOperation& operation) {
  const Bytes data = operation.data;
  if (data.empty()) return Event();
  if (transaction.header.size() < kHeaderBytes) {
    return AddHeader(transaction, record, data);
  }
  if (transaction.items.empty() ||
      transaction.items.back().regions.size() ==
          transaction.items.back().expected_regions) {
    if (data.size() < sizeof(ondisk::LogItemHeader)) {
      return OperationError(record, "oh_len", fmt::to_string(data.size()),
                            "a log item's type and size");
    }
    const uint32_t regions =
        ondisk::View<ondisk::LogItemHeader>(data).size.value();
    Checker check("log item", Where::Log(record.block));
    check.InRange("size", regions, 1, ondisk::kLogMaxItemRegions);
    ONDISK_RETURN_IF_ERROR(check.status());
    transaction.items.emplace_back().expected_regions = regions;
  }
  LogItem& item = transaction.items.back();
  item.regions.emplace_back(data.begin(), data.end());
  item.unfinished_region =
      (operation.header->oh_flags & ondisk::kLogOpContinue) != 0;
  return RegionEvent(transaction);
}

absl::StatusOr<Event> LogTransactionAssembler::Continue(
    LogTransaction& transaction, const LogRecord& record,
    const LogOperation& operation) {
  if (transaction.header.size() < kHeaderBytes) {
    return AddHeader(transaction, record, operation.data);
  }
  if (transaction.items.empty()) {
    // The header ended exactly with the record before.
    if (operation.data.empty()) return Event();
    return OperationError(record, "oh_flags", "a continuation",
                          "a region that it continues");
  }
  LogItem& item = transaction.items.back();
  Append(item.regions.back(), operation.data);
  item.unfinished_region =
      (operation.header->oh_flags & ondisk::kLogOpContinue) != 0;
  return RegionEvent(transaction);
}

absl::StatusOr<Event> LogTransactionAssembler::Add(
    const LogRecord& record, const LogOperation& operation) {
  if (!keep_items_) DropReported();
  const uint32_t tid = operation.header->oh_tid.value();
  // The ends of cut regions add nothing to what WAS_CONTINUED says.
  const auto flags =
      static_cast<uint8_t>(operation.header->oh_flags & ~ondisk::kLogOpEnd);
  const auto found = open_.find(tid);
  if (found == open_.end()) {
    Event event;
    if ((flags & ondisk::kLogOpStart) != 0) {
      LogTransaction& transaction = open_[tid];
      transaction.tid = tid;
      transaction.lsn = record.header().lsn();
      event.kind = Event::Kind::kStart;
    } else if ((flags & ondisk::kLogOpUnmount) != 0) {
      event.kind = Event::Kind::kUnmount;
    }
    return event;
  }
  LogTransaction& transaction = found->second;

  absl::StatusOr<Event> event = Event();
  if (flags == ondisk::kLogOpWasContinued ||
      flags == (ondisk::kLogOpWasContinued | ondisk::kLogOpContinue)) {
    event = Continue(transaction, record, operation);
  } else if (flags == 0 || flags == ondisk::kLogOpContinue) {
    event = AddRegion(transaction, record, operation);
  } else if (flags == ondisk::kLogOpCommit) {
    event->kind = Event::Kind::kCommit;
    event->committed = std::move(transaction);
    open_.erase(found);
  } else if (flags == ondisk::kLogOpUnmount) {
    event->kind = Event::Kind::kUnmount;
    open_.erase(found);
  } else {
    return OperationError(record, "oh_flags", fmt::format("{:#x}", flags),
                          "a step that an open transaction can take");
  }
  if (event.ok() && event->completed != nullptr && !keep_items_) {
    reported_ = tid;
  }
  return event;
}

}  // namespace fusexfs
