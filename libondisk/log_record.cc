// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_record.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "libondisk/crc32c.h"

namespace ondisk {
namespace {

constexpr NamedValue kVersions[] = {
    {kLogVersion1, "1", "records of at most 32 KiB"},
    {kLogVersion2, "2", "records of up to 256 KiB, stripe units"},
};
constexpr NamedValue kFormats[] = {
    {kLogFormatUnknown, "unknown", "written by IRIX"},
    {kLogFormatLinuxLittle, "little-endian Linux"},
    {kLogFormatLinuxBig, "big-endian Linux"},
    {kLogFormatIrixBig, "big-endian IRIX"},
};

constexpr Field kHeaderRows[] = {
    ONDISK_FIELD(LogRecordHeader, h_magicno, kMagic,
                 "0xfeedbabe marks a record header"),
    ONDISK_FIELD(LogRecordHeader, h_cycle, kUnsigned,
                 "turn of the ring in which the record was written"),
    ONDISK_FIELD(LogRecordHeader, h_version, kFlags, "log version", kVersions),
    ONDISK_FIELD(LogRecordHeader, h_len, kUnsigned,
                 "bytes of operations that follow the header blocks"),
    ONDISK_FIELD(LogRecordHeader, h_lsn, kLsn,
                 "this record's own place: cycle and block"),
    ONDISK_FIELD(
        LogRecordHeader, h_tail_lsn, kLsn,
        "where recovery would have to start: the oldest change not yet "
        "written in place"),
    ONDISK_FIELD(LogRecordHeader, h_crc, kCrc,
                 "checksum of the header and all that follows; 0: none"),
    ONDISK_FIELD(LogRecordHeader, h_prev_block, kUnsigned,
                 "block of the record before this one"),
    ONDISK_FIELD(LogRecordHeader, h_num_logops, kUnsigned,
                 "operations in this record"),
    {"h_cycle_data",
     offsetof(LogRecordHeader, h_cycle_data),
     4,
     FieldKind::kHex,
     "the first four bytes of each block, displaced by the cycle number",
     {},
     kLogCycleDataCount},
    ONDISK_FIELD(LogRecordHeader, h_fmt, kEnum,
                 "byte order of the machine that wrote the items", kFormats),
    ONDISK_FIELD(LogRecordHeader, h_fs_uuid, kUuid,
                 "the filesystem that the log belongs to"),
    ONDISK_FIELD(
        LogRecordHeader, h_size, kUnsigned,
        "bytes of the buffer that the record was built in (version 2)"),
};

constexpr Field kExtendedRows[] = {
    ONDISK_FIELD(LogExtendedHeader, xh_cycle, kUnsigned,
                 "turn of the ring, as in the first header block"),
    {"xh_cycle_data",
     offsetof(LogExtendedHeader, xh_cycle_data),
     4,
     FieldKind::kHex,
     "the first four bytes of the next 64 blocks",
     {},
     kLogCycleDataCount},
};

// Bytes of the header that the checksum covers.
constexpr size_t kCrcHeaderBytes = offsetof(LogRecordHeader, h_reserved);
constexpr size_t kCrcHeaderBytes32Bit = offsetof(LogRecordHeader, h_pad0);
constexpr size_t kCrcExtendedBytes = offsetof(LogExtendedHeader, xh_reserved);

// Where block `index` of the payload had its first word displaced to; nullptr
// if `headers` do not reach so far.
const Be32* DisplacedWord(bool log_v2, Bytes headers, uint32_t index) {
  if (index < kLogCycleDataCount) {
    return &View<LogRecordHeader>(headers).h_cycle_data[index];
  }
  const uint64_t offset = uint64_t{index / kLogCycleDataCount} * kLogBlockSize;
  if (!log_v2 || !Within(headers, offset, kLogBlockSize)) return nullptr;
  return &View<LogExtendedHeader>(headers, offset)
              .xh_cycle_data[index % kLogCycleDataCount];
}

}  // namespace

const FieldTable kLogRecordHeaderFields = {
    "log record",
    "The log is a ring of records. Each carries operations of one or more "
    "transactions and says how far back recovery would have to start.",
    sizeof(LogRecordHeader), kHeaderRows};

const FieldTable kLogExtendedHeaderFields = {
    "log record, extended header",
    "More displaced words, for a record larger than 32 KiB.",
    sizeof(LogExtendedHeader), kExtendedRows};

bool IsLogRecordHeader(Bytes block) {
  return View<Be32>(block).value() == kLogRecordMagic;
}

uint32_t LogCycleOf(Bytes block) {
  const uint32_t first = View<Be32>(block).value();
  return first == kLogRecordMagic ? View<Be32>(block, 4).value() : first;
}

uint32_t LogHeaderBlocks(bool log_v2, const LogRecordHeader& header) {
  const auto size = static_cast<int32_t>(header.h_size.value());
  if (!log_v2 || (header.h_version.value() & kLogVersion2) == 0 ||
      size <= static_cast<int32_t>(kLogCycleDataBytes)) {
    return 1;
  }
  return (static_cast<uint32_t>(size) + kLogCycleDataBytes - 1) /
         kLogCycleDataBytes;
}

void VerifyLogRecordHeader(const LogRecordHeader& header, uint32_t buffer_bytes,
                           Checker& check) {
  check.EqualHex("h_magicno", header.h_magicno.value(), kLogRecordMagic);
  if (check.done()) return;
  const uint32_t version = header.h_version.value();
  check.That(version != 0 && (version & ~(kLogVersion1 | kLogVersion2)) == 0,
             "h_version", version, "1 or 2");
  if (check.done()) return;
  // Above 2^31 a length is negative to the kernel, whatever the buffer's size.
  check.InRange("h_len", header.h_len.value(), 1,
                std::min<uint32_t>(buffer_bytes, INT32_MAX));
}

void VerifyLogRecordOwner(const LogRecordHeader& header, const Uuid& uuid,
                          Checker& check) {
  static constexpr Uuid kNil{};
  const Bytes found(header.h_fs_uuid, sizeof(header.h_fs_uuid));
  if (std::equal(found.begin(), found.end(), kNil.begin()) ||
      std::equal(found.begin(), found.end(), uuid.begin())) {
    return;
  }
  check.Fail("h_fs_uuid", RenderUuid(found), RenderUuid(uuid));
}

void VerifyLogRecordFormat(const LogRecordHeader& header, Checker& check) {
  check.Equal("h_fmt", header.h_fmt.value(), kLogFormatOfHost);
}

uint32_t LogRecordCrc(bool log_v2, Bytes headers, Bytes payload,
                      bool as_32bit_x86) {
  constexpr size_t kCrcOffset = offsetof(LogRecordHeader, h_crc);
  constexpr uint8_t kZero[sizeof(Le32)] = {};
  const size_t covered = as_32bit_x86 ? kCrcHeaderBytes32Bit : kCrcHeaderBytes;
  uint32_t crc = Crc32cExtend(kCrc32cSeed, headers.first(kCrcOffset));
  crc = Crc32cExtend(crc, kZero);
  constexpr size_t kBehind = kCrcOffset + sizeof(Le32);
  crc = Crc32cExtend(crc, headers.subspan(kBehind, covered - kBehind));
  if (log_v2) {
    for (uint64_t at = kLogBlockSize, bytes = kLogCycleDataBytes;
         bytes < payload.size() && Within(headers, at, kLogBlockSize);
         at += kLogBlockSize, bytes += kLogCycleDataBytes) {
      crc = Crc32cExtend(crc, headers.subspan(at, kCrcExtendedBytes));
    }
  }
  return ~Crc32cExtend(crc, payload);
}

LogCrc CheckLogRecordCrc(bool log_v2, Bytes headers, Bytes payload) {
  const uint32_t stored = View<LogRecordHeader>(headers).h_crc.value();
  if (stored == 0) return LogCrc::kNone;
  if (stored == LogRecordCrc(log_v2, headers, payload)) {
    return LogCrc::kMatches;
  }
  if (stored == LogRecordCrc(log_v2, headers, payload, true)) {
    return LogCrc::kMatches32Bit;
  }
  return LogCrc::kMismatch;
}

bool RestoreCycleData(bool log_v2, Bytes headers, MutableBytes payload) {
  uint32_t index = 0;
  for (size_t at = 0; at + kLogBlockSize <= payload.size();
       at += kLogBlockSize, ++index) {
    const Be32* word = DisplacedWord(log_v2, headers, index);
    if (word == nullptr) return false;
    std::memcpy(payload.data() + at, word, sizeof(*word));
  }
  return true;
}

Explanation ExplainLogRecordHeader(bool log_v2, Bytes headers,
                                   uint64_t log_block, const Uuid& uuid) {
  const auto& header = View<LogRecordHeader>(headers);
  const Where where = Where::Log(log_block);
  Explanation result = ExplainTable(kLogRecordHeaderFields,
                                    headers.first(kLogBlockSize), 0, where);
  Checker check(kLogRecordHeaderFields.structure, where,
                Checker::Mode::kAllFindings);
  // What the buffer held is bounded by its size, if the record states one.
  const uint32_t buffer = log_v2 && header.h_size.value() != 0
                              ? header.h_size.value()
                              : kLogBigRecordBytes;
  VerifyLogRecordHeader(header, buffer, check);
  VerifyLogRecordOwner(header, uuid, check);
  VerifyLogRecordFormat(header, check);
  AttachFindings(check, result);
  for (uint64_t at = kLogBlockSize; Within(headers, at, kLogBlockSize);
       at += kLogBlockSize) {
    Explanation part =
        ExplainTable(kLogExtendedHeaderFields,
                     headers.subspan(at, kLogBlockSize), at, where);
    Checker extended(kLogExtendedHeaderFields.structure, where,
                     Checker::Mode::kAllFindings);
    extended.Equal("xh_cycle",
                   View<LogExtendedHeader>(headers, at).xh_cycle.value(),
                   header.h_cycle.value());
    AttachFindings(extended, part);
    result.parts.push_back(std::move(part));
  }
  return result;
}

}  // namespace ondisk
