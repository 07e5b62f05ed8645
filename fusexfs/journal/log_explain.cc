// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_explain.h"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "fusexfs/journal/log_record_reader.h"
#include "fusexfs/journal/log_state.h"
#include "fusexfs/journal/log_transaction.h"
#include "libondisk/log_item.h"
#include "libondisk/log_operation.h"
#include "libondisk/log_record.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::Bytes;
using ondisk::Explanation;
using ondisk::Where;

constexpr auto kOperationBytes =
    static_cast<uint32_t>(sizeof(ondisk::LogOperationHeader));

std::string AtLsn(ondisk::Lsn lsn) {
  return fmt::format("{}:{}", lsn.cycle(), lsn.block());
}

Explanation ExplainState(const LogArea& area, const LogState& state) {
  Explanation result;
  result.structure = "log";
  result.about =
      "A ring of records. The head is where the next one goes; recovery starts "
      "at the tail.";
  const auto add = [&result](std::string_view name, const std::string& value,
                             std::string_view meaning) {
    result.Add(name, 0, Bytes(), value, meaning);
  };
  add("device", area.device().name(), "where the log lives");
  add("blocks", fmt::to_string(area.blocks()), "of 512 bytes");
  add("version", area.version2() ? "2" : "1", "of the log's format");
  add("state", state.clean ? "clean" : "dirty",
      state.clean ? "nothing to recover" : "recovery is needed");
  if (state.never_written) return result;
  add("head", AtLsn(state.head), "cycle and block of the next record");
  add("tail", AtLsn(state.tail), "as the last record states it");
  add("last record", AtLsn(state.last_record),
      state.unmount_record ? "an unmount record" : "not an unmount record");
  if (!state.clean) {
    add("recover from", fmt::to_string(state.tail_block),
        "block of the first record that recovery reads");
  }
  if (state.torn) {
    add("torn", fmt::to_string(state.head_block),
        fmt::format("records from here to block {} were not written "
                    "completely and do not count",
                    state.head_before_truncation));
  }
  return result;
}

std::string_view CrcMeaning(ondisk::LogCrc crc) {
  switch (crc) {
    case ondisk::LogCrc::kNone:
      return "none was computed";
    case ondisk::LogCrc::kMatches:
      return "right";
    case ondisk::LogCrc::kMatches32Bit:
      return "right, as a 32-bit x86 kernel computes it";
    case ondisk::LogCrc::kMismatch:
      break;
  }
  return "wrong";
}

// Explains records one by one, keeping track of transactions between them.
class RecordExplainer {
 public:
  RecordExplainer(const LogArea& area, const ondisk::Geometry& geometry)
      : area_(area), geometry_(geometry) {}

  // `status` is what made it impossible to go on, with the record as far as it
  // could be read.
  Explanation Explain(const LogRecord& record, absl::Status& status);

 private:
  Explanation ExplainOperation(const LogRecord& record,
                               const LogOperation& operation,
                               absl::Status& status);
  std::string Describe(const LogTransactionAssembler::Event& event,
                       const LogOperation& operation);

  const LogArea& area_;
  const ondisk::Geometry& geometry_;
  LogTransactionAssembler assembler_{/*keep_items=*/false};
};

std::string RecordExplainer::Describe(
    const LogTransactionAssembler::Event& event,
    const LogOperation& operation) {
  using Kind = LogTransactionAssembler::Event::Kind;
  switch (event.kind) {
    case Kind::kStart:
      return "a transaction starts";
    case Kind::kTransactionHeader:
      return "transaction header";
    case Kind::kCommit:
      return fmt::format("the transaction is complete: {} items",
                         event.committed->items.size());
    case Kind::kUnmount:
      return "unmount record";
    case Kind::kSkipped:
      return operation.data.empty() ? "nothing"
                                    : "of a transaction that started before";
    case Kind::kRegion:
      break;
  }
  const LogItem& item = event.transaction->items[event.item];
  return fmt::format("item {} ({}), region {} of {}{}", event.item + 1,
                     ondisk::LogItemTypeName(item.type()), event.region + 1,
                     item.expected_regions,
                     item.unfinished_region ? ", to be continued" : "");
}

Explanation RecordExplainer::ExplainOperation(const LogRecord& record,
                                              const LogOperation& operation,
                                              absl::Status& status) {
  const Where where = Where::Log(record.block);
  const Bytes all = record.operations();
  Explanation result = ondisk::ExplainTable(
      ondisk::kLogOperationHeaderFields,
      all.subspan(operation.offset, kOperationBytes), operation.offset, where);
  const absl::StatusOr<LogTransactionAssembler::Event> event =
      assembler_.Add(record, operation);
  if (!event.ok()) {
    status = event.status();
    return result;
  }
  const uint32_t data_at = operation.offset + kOperationBytes;
  result.Add("data", data_at, operation.data, Describe(*event, operation),
             "what the data is");
  using Kind = LogTransactionAssembler::Event::Kind;
  if (event->kind == Kind::kTransactionHeader) {
    result.parts.push_back(
        ondisk::ExplainTable(ondisk::kLogTransactionHeaderFields,
                             event->transaction->header, data_at, where));
  } else if (event->kind == Kind::kUnmount) {
    result.parts.push_back(ondisk::ExplainTable(
        ondisk::kLogUnmountFormatFields, operation.data, data_at, where));
  } else if (event->completed != nullptr) {
    result.parts.push_back(
        ondisk::ExplainLogItem(geometry_, event->completed->views(), 0, where));
  }
  return result;
}

Explanation RecordExplainer::Explain(const LogRecord& record,
                                     absl::Status& status) {
  Explanation result = ondisk::ExplainLogRecordHeader(
      area_.version2(), record.headers, record.block, area_.uuid());
  result.Add("checksum", offsetof(ondisk::LogRecordHeader, h_crc), Bytes(),
             CrcMeaning(record.crc), "whether h_crc is right");
  if (record.crc == ondisk::LogCrc::kMismatch) {
    result.fields.back().problem = "expected the checksum to be right";
  }
  status = ForEachLogOperation(
      area_, record, [&](const LogOperation& operation) -> absl::Status {
        absl::Status failed;
        result.parts.push_back(ExplainOperation(record, operation, failed));
        return failed;
      });
  if (!status.ok()) {
    result.problems.push_back(
        {"operations", std::string(ondisk::MessageOf(status)), "sound ones"});
  }
  return result;
}

}  // namespace

absl::Status ExplainLog(
    const LogArea& area, const ondisk::Geometry& geometry,
    absl::FunctionRef<bool(const ondisk::Explanation&)> visit) {
  ONDISK_ASSIGN_OR_RETURN(const LogState state, FindLogState(area));
  if (!visit(ExplainState(area, state)) || state.never_written) {
    return absl::OkStatus();
  }
  LogRecordReader reader(
      area, state.clean ? state.last_record_block : state.tail_block,
      state.head_block);
  reader.AcceptWrongChecksums();
  RecordExplainer explainer(area, geometry);
  LogRecord record;
  while (true) {
    ONDISK_ASSIGN_OR_RETURN(const bool more, reader.Next(record));
    if (!more) return absl::OkStatus();
    absl::Status status;
    if (!visit(explainer.Explain(record, status))) return absl::OkStatus();
    ONDISK_RETURN_IF_ERROR(status);
  }
}

}  // namespace fusexfs
