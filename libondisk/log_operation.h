// SPDX-License-Identifier: GPL-2.0-or-later
// What a log record carries: operations, and the transactions they build.
//
// A record's payload is a run of operations: a 12-byte big-endian header and
// oh_len bytes. Operations with one oh_tid belong to one transaction (a
// checkpoint, since delayed logging). In order:
//
//   START            no data
//   (no flag)        16 bytes: the transaction header
//   (no flag) ...    one operation per region of each log item; the first
//   region
//                    of an item says how many regions it has (log_item.h)
//   COMMIT           no data; without it the transaction never happened
//
// A region that does not fit into a record is cut: the first piece is marked
// CONTINUE, middle pieces CONTINUE and WAS_CONTINUED, the last one
// WAS_CONTINUED and END. The transaction header itself may be cut that way.
//
// A clean unmount writes one operation of its own with UNMOUNT set.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h, fs/xfs/xfs_log_recover.c.
#ifndef FUSEXFS_LIBONDISK_LOG_OPERATION_H_
#define FUSEXFS_LIBONDISK_LOG_OPERATION_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/log_endian.h"
#include "libondisk/types.h"

namespace ondisk {

// oh_flags
inline constexpr uint8_t kLogOpStart = 0x01;
inline constexpr uint8_t kLogOpCommit = 0x02;
inline constexpr uint8_t kLogOpContinue = 0x04;
inline constexpr uint8_t kLogOpWasContinued = 0x08;
inline constexpr uint8_t kLogOpEnd = 0x10;
inline constexpr uint8_t kLogOpUnmount = 0x20;

// oh_clientid
inline constexpr uint8_t kLogClientTransaction = 0x69;
inline constexpr uint8_t kLogClientLog = 0xaa;

struct LogOperationHeader {
  Be32 oh_tid;
  Be32 oh_len;
  uint8_t oh_clientid;
  uint8_t oh_flags;
  Be16 oh_res2;
};
static_assert(sizeof(LogOperationHeader) == 12);
static_assert(offsetof(LogOperationHeader, oh_clientid) == 8);

inline constexpr uint32_t kLogTransactionMagic = 0x5452414e;  // "TRAN"
inline constexpr uint32_t kLogTransactionCheckpoint = 40;

struct LogTransactionHeader {
  Host32 th_magic;
  Host32 th_type;
  Host32 th_tid;
  Host32 th_num_items;
};
static_assert(sizeof(LogTransactionHeader) == 16);
static_assert(offsetof(LogTransactionHeader, th_num_items) == 12);

inline constexpr uint16_t kLogUnmountMagic = 0x556e;  // "Un"

struct LogUnmountFormat {
  Host16 magic;
  Host16 pad1;
  Host32 pad2;
};
static_assert(sizeof(LogUnmountFormat) == 8);

extern const FieldTable kLogOperationHeaderFields;
extern const FieldTable kLogTransactionHeaderFields;
extern const FieldTable kLogUnmountFormatFields;

// The client is known and the data lies within the `available` bytes behind the
// header.
void VerifyLogOperationHeader(const LogOperationHeader& header,
                              uint64_t available, Checker& check);
// REQUIRES: sizeof(LogTransactionHeader) bytes.
void VerifyLogTransactionHeader(const LogTransactionHeader& header,
                                Checker& check);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_OPERATION_H_
