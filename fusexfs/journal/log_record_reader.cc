// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_record_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/checker.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::Checker;
using ondisk::kLogBlockSize;
using ondisk::LogRecordHeader;
using ondisk::Where;

constexpr std::string_view kRecord = "log record";

absl::Status VerifyHeader(const LogRecordHeader& header, uint32_t block,
                          uint32_t buffer_bytes) {
  Checker check(kRecord, Where::Log(block));
  ondisk::VerifyLogRecordHeader(header, buffer_bytes, check);
  return check.status();
}

}  // namespace

LogRecordReader::LogRecordReader(const LogArea& area, uint32_t tail,
                                 uint32_t head)
    : area_(area), head_(head), before_end_(tail > head), next_(tail) {}

absl::Status LogRecordReader::ReadFirstHeader() {
  started_ = true;
  buffer_bytes_ = ondisk::kLogBigRecordBytes;
  if (!area_.version2()) return absl::OkStatus();

  const auto block = static_cast<uint32_t>(next_);
  std::vector<uint8_t> bytes(kLogBlockSize);
  ONDISK_RETURN_IF_ERROR(area_.Read(block, bytes));
  const auto& header = ondisk::View<LogRecordHeader>(bytes);
  // Sizes are signed to the kernel: those above 2^31 admit no length at all.
  auto size = static_cast<int32_t>(header.h_size.value());
  const auto length = static_cast<int32_t>(header.h_len.value());
  const auto usual = static_cast<int32_t>(area_.default_buffer_bytes());
  if (length > size && length <= usual && header.h_num_logops.value() == 1) {
    size = usual;
  }
  bad_block_ = block;
  ONDISK_RETURN_IF_ERROR(VerifyHeader(
      header, block, static_cast<uint32_t>(std::max<int32_t>(size, 0))));
  bad_block_.reset();

  buffer_bytes_ = static_cast<uint32_t>(size);
  header_blocks_ = 1;
  if ((header.h_version.value() & ondisk::kLogVersion2) != 0 &&
      buffer_bytes_ > ondisk::kLogCycleDataBytes) {
    header_blocks_ = (buffer_bytes_ - 1) / ondisk::kLogCycleDataBytes + 1;
  }
  if (header_blocks_ > area_.blocks() ||
      ondisk::LogPayloadBlocks(buffer_bytes_) > area_.blocks()) {
    return ondisk::CorruptionError(kRecord, Where::Log(block), "h_size",
                                   fmt::to_string(buffer_bytes_),
                                   "a buffer smaller than the log");
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> LogRecordReader::Next(LogRecord& record) {
  if (!started_) ONDISK_RETURN_IF_ERROR(ReadFirstHeader());
  if (before_end_ && next_ >= area_.blocks()) {
    before_end_ = false;
    next_ -= area_.blocks();
  }
  if (!before_end_ && next_ >= head_) return false;
  bad_block_ = static_cast<uint32_t>(next_);
  ONDISK_RETURN_IF_ERROR(ReadRecord(record));
  bad_block_.reset();
  return true;
}

absl::Status LogRecordReader::ReadRecord(LogRecord& record) {
  record.block = static_cast<uint32_t>(next_);
  const Where where = Where::Log(record.block);
  // Only the part before the physical end may run around it.
  const auto fits = [this](uint64_t block, uint64_t count) {
    return before_end_ || block + count <= area_.blocks();
  };
  if (!fits(next_, header_blocks_)) {
    return ondisk::CorruptionError(kRecord, where, "h_size", "past the end",
                                   "a header within the log");
  }
  record.headers.resize(size_t{header_blocks_} * kLogBlockSize);
  ONDISK_RETURN_IF_ERROR(area_.Read(record.block, record.headers));
  const LogRecordHeader& header = record.header();
  ONDISK_RETURN_IF_ERROR(VerifyHeader(header, record.block, buffer_bytes_));

  const uint32_t length = header.h_len.value();
  const uint32_t blocks = ondisk::LogPayloadBlocks(length);
  const uint64_t payload_at = next_ + header_blocks_;
  if (!fits(payload_at, blocks)) {
    return ondisk::CorruptionError(kRecord, where, "h_len",
                                   fmt::to_string(length),
                                   "operations within the log");
  }
  record.payload.resize(size_t{blocks} * kLogBlockSize);
  ONDISK_RETURN_IF_ERROR(area_.Read(area_.Wrap(payload_at), record.payload));
  record.crc =
      ondisk::CheckLogRecordCrc(area_.version2(), record.headers,
                                ondisk::Bytes(record.payload).first(length));
  if (record.crc == ondisk::LogCrc::kMismatch && !accept_wrong_checksums_) {
    return ondisk::CorruptionError(
        kRecord, where, "h_crc", fmt::format("{:#x}", header.h_crc.value()),
        fmt::format("{:#x}", ondisk::LogRecordCrc(
                                 area_.version2(), record.headers,
                                 ondisk::Bytes(record.payload).first(length))));
  }
  if (!ondisk::RestoreCycleData(area_.version2(), record.headers,
                                record.payload)) {
    return ondisk::CorruptionError(
        kRecord, where, "h_len", fmt::to_string(length),
        fmt::format("at most {}, for {} header blocks",
                    header_blocks_ * ondisk::kLogCycleDataBytes,
                    header_blocks_));
  }
  next_ = payload_at + blocks;
  return absl::OkStatus();
}

absl::Status ForEachLogOperation(
    const LogArea& area, const LogRecord& record,
    absl::FunctionRef<absl::Status(const LogOperation&)> visit) {
  {
    Checker check(kRecord, Where::Log(record.block));
    ondisk::VerifyLogRecordFormat(record.header(), check);
    // Recovery, unlike finding the head, does not take a zero UUID.
    const ondisk::Bytes uuid(record.header().h_fs_uuid);
    if (!std::equal(uuid.begin(), uuid.end(), area.uuid().begin())) {
      check.Fail("h_fs_uuid", ondisk::RenderUuid(uuid),
                 ondisk::RenderUuid(area.uuid()));
    }
    ONDISK_RETURN_IF_ERROR(check.status());
  }
  const ondisk::Bytes operations = record.operations();
  const uint32_t count = record.header().h_num_logops.value();
  uint32_t at = 0;
  for (uint32_t i = 0; i < count && at < operations.size(); ++i) {
    Checker check("log operation", Where::Log(record.block));
    if (!check.AtLeast("bytes left", operations.size() - at,
                       sizeof(ondisk::LogOperationHeader))) {
      return check.status();
    }
    const auto& header =
        ondisk::View<ondisk::LogOperationHeader>(operations, at);
    const auto data_at =
        at + static_cast<uint32_t>(sizeof(ondisk::LogOperationHeader));
    ondisk::VerifyLogOperationHeader(header, operations.size() - data_at,
                                     check);
    ONDISK_RETURN_IF_ERROR(check.status());
    const uint32_t length = header.oh_len.value();
    ONDISK_RETURN_IF_ERROR(
        visit({&header, operations.subspan(data_at, length), at}));
    at = data_at + length;
  }
  return absl::OkStatus();
}

}  // namespace fusexfs
