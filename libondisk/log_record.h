// SPDX-License-Identifier: GPL-2.0-or-later
// The frame of the log: records.
//
// The log is a ring of 512-byte blocks. A record is one header block, more
// header blocks if the record's buffer is larger than 32 KiB, and h_len bytes
// of operations (log_operation.h). Two stamps make the ring readable after a
// crash:
//
//   - cycle numbers. The first four bytes of every block of the log are the
//     number of the turn of the ring in which the block was written (in a
//     header block the magic stands there, and the cycle follows it). The bytes
//     that they displace are kept in h_cycle_data, and in the extended headers
//     for blocks after the 64th. A reader puts them back: RestoreCycleData.
//   - the checksum: CRC32C of the header (its first 328 bytes, with h_crc
//   zero),
//     of the used part of each extended header that the payload's length calls
//     for, and of the payload as it stands on disk, before restoring. mkfs
//     writes 0, which means "none". A 32-bit x86 kernel computes it over 324
//     bytes of the header instead, because its compiler pads the structure less
//     (kernel e747883c7d73); both are accepted.
//
// h_size is the size of the buffer that the record was built in. It alone gives
// the number of header blocks. Log version 1 has no h_size, no extended headers
// and records of at most 32 KiB.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h, fs/xfs/xfs_log.c
// (xlog_cksum, xlog_pack_data), fs/xfs/xfs_log_recover.c.
#ifndef FUSEXFS_LIBONDISK_LOG_RECORD_H_
#define FUSEXFS_LIBONDISK_LOG_RECORD_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/log_endian.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kLogRecordMagic = 0xfeedbabe;
inline constexpr uint32_t kLogBlockSize = 512;  // bytes; the unit of the log
inline constexpr uint32_t kLogCycleDataBytes = 32u << 10;  // one header's worth
inline constexpr uint32_t kLogCycleDataCount =
    kLogCycleDataBytes / kLogBlockSize;
inline constexpr uint32_t kLogBigRecordBytes = 32u << 10;  // version 1's limit
inline constexpr uint32_t kLogMaxRecordBytes = 256u << 10;
inline constexpr uint32_t kLogMaxBuffers = 8;  // records in flight at once

// h_version is a mask of these.
inline constexpr uint32_t kLogVersion1 = 1;
inline constexpr uint32_t kLogVersion2 = 2;

struct LogRecordHeader {
  Be32 h_magicno;
  Be32 h_cycle;
  Be32 h_version;
  Be32 h_len;
  Be64 h_lsn;
  Be64 h_tail_lsn;
  Le32 h_crc;
  Be32 h_prev_block;
  Be32 h_num_logops;
  Be32 h_cycle_data[kLogCycleDataCount];
  Be32 h_fmt;
  uint8_t h_fs_uuid[16];
  Be32 h_size;
  Be32 h_pad0;
  uint8_t h_reserved[184];

  Lsn lsn() const { return Lsn(h_lsn.value()); }
  Lsn tail() const { return Lsn(h_tail_lsn.value()); }
};
static_assert(sizeof(LogRecordHeader) == kLogBlockSize);
static_assert(offsetof(LogRecordHeader, h_crc) == 32);
static_assert(offsetof(LogRecordHeader, h_cycle_data) == 44);
static_assert(offsetof(LogRecordHeader, h_fmt) == 300);
static_assert(offsetof(LogRecordHeader, h_size) == 320);
static_assert(offsetof(LogRecordHeader, h_pad0) == 324);
static_assert(offsetof(LogRecordHeader, h_reserved) == 328);

struct LogExtendedHeader {
  Be32 xh_cycle;
  Be32 xh_cycle_data[kLogCycleDataCount];
  uint8_t xh_reserved[252];
};
static_assert(sizeof(LogExtendedHeader) == kLogBlockSize);
static_assert(offsetof(LogExtendedHeader, xh_reserved) == 260);

extern const FieldTable kLogRecordHeaderFields;
extern const FieldTable kLogExtendedHeaderFields;

// Whether `block` (512 bytes) starts a record.
bool IsLogRecordHeader(Bytes block);
// The turn of the ring in which `block` (512 bytes) was written.
uint32_t LogCycleOf(Bytes block);

// Header blocks of a record, from h_size taken as the kernel takes it (a value
// above 2^31 is negative and counts as one block). `log_v2`: the superblock's
// feature. Not bounded by anything but h_size: check it against the log.
uint32_t LogHeaderBlocks(bool log_v2, const LogRecordHeader& header);
// 512-byte blocks that `bytes` bytes of payload take.
constexpr uint32_t LogPayloadBlocks(uint32_t bytes) {
  return static_cast<uint32_t>((uint64_t{bytes} + kLogBlockSize - 1) /
                               kLogBlockSize);
}

// What the frame of a record must say whatever stands in it: magic, version,
// and a length between 1 and `buffer_bytes`.
void VerifyLogRecordHeader(const LogRecordHeader& header, uint32_t buffer_bytes,
                           Checker& check);
// The same filesystem wrote it. (A zero UUID is IRIX's and passes.)
void VerifyLogRecordOwner(const LogRecordHeader& header, const Uuid& uuid,
                          Checker& check);
// Its items are in this machine's byte order: REQUIRED before reading items.
void VerifyLogRecordFormat(const LogRecordHeader& header, Checker& check);

// `headers`: all header blocks of the record; `payload`: h_len bytes as on
// disk. REQUIRES: headers hold at least one block. Extended headers beyond
// `headers` are left out of the sum (the record then fails it).
enum class LogCrc { kNone, kMatches, kMatches32Bit, kMismatch };
LogCrc CheckLogRecordCrc(bool log_v2, Bytes headers, Bytes payload);
uint32_t LogRecordCrc(bool log_v2, Bytes headers, Bytes payload,
                      bool as_32bit_x86 = false);

// Puts back the bytes that cycle numbers displaced. `payload` is padded to
// whole blocks. False if `headers` are too few for it (nothing past them is
// changed).
bool RestoreCycleData(bool log_v2, Bytes headers, MutableBytes payload);

// The header blocks and their checks, for people. `log_v2` as above.
Explanation ExplainLogRecordHeader(bool log_v2, Bytes headers,
                                   uint64_t log_block, const Uuid& uuid);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_RECORD_H_
