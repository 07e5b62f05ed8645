// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_operation.h"

namespace ondisk {
namespace {

constexpr NamedValue kFlags[] = {
    {kLogOpStart, "start", "a transaction begins"},
    {kLogOpCommit, "commit", "the transaction is complete"},
    {kLogOpContinue, "continue", "the region goes on in a later operation"},
    {kLogOpWasContinued, "was-continued", "goes on from an earlier operation"},
    {kLogOpEnd, "end", "last piece of a continued region"},
    {kLogOpUnmount, "unmount", "the filesystem was unmounted cleanly"},
};
constexpr NamedValue kClients[] = {
    {kLogClientTransaction, "transaction"},
    {kLogClientLog, "log", "the log itself: unmount records"},
};
constexpr NamedValue kTypes[] = {
    {kLogTransactionCheckpoint, "checkpoint"},
};

constexpr Field kOperationRows[] = {
    ONDISK_FIELD(LogOperationHeader, oh_tid, kHex,
                 "the transaction that the operation belongs to"),
    ONDISK_FIELD(LogOperationHeader, oh_len, kUnsigned,
                 "bytes of data behind this header"),
    ONDISK_FIELD(LogOperationHeader, oh_clientid, kEnum, "who wrote it",
                 kClients),
    ONDISK_FIELD(LogOperationHeader, oh_flags, kFlags,
                 "what part of a transaction this is", kFlags),
    ONDISK_FIELD(LogOperationHeader, oh_res2, kPadding, "unused"),
};

constexpr Field kTransactionRows[] = {
    ONDISK_HOST_FIELD(LogTransactionHeader, th_magic, kMagic,
                      "0x5452414e (\"TRAN\") in the writer's byte order"),
    ONDISK_HOST_FIELD(LogTransactionHeader, th_type, kEnum,
                      "what kind of transaction", kTypes),
    ONDISK_HOST_FIELD(LogTransactionHeader, th_tid, kHex,
                      "its number, as in the operation headers"),
    ONDISK_HOST_FIELD(LogTransactionHeader, th_num_items, kUnsigned,
                      "regions that the transaction was planned to have"),
};

constexpr Field kUnmountRows[] = {
    ONDISK_HOST_FIELD(LogUnmountFormat, magic, kMagic,
                      "0x556e (\"Un\") in the writer's byte order"),
    ONDISK_HOST_FIELD(LogUnmountFormat, pad1, kPadding, "zero"),
    ONDISK_HOST_FIELD(LogUnmountFormat, pad2, kPadding, "zero"),
};

}  // namespace

const FieldTable kLogOperationHeaderFields = {
    "log operation",
    "One piece of a transaction: its start, its header, a region of a log "
    "item, or its commit.",
    sizeof(LogOperationHeader), kOperationRows};

const FieldTable kLogTransactionHeaderFields = {
    "transaction header",
    "The first region of a transaction. What follows are the log items.",
    sizeof(LogTransactionHeader), kTransactionRows};

const FieldTable kLogUnmountFormatFields = {
    "unmount record",
    "Written last by a clean unmount: nothing before it needs recovery.",
    sizeof(LogUnmountFormat), kUnmountRows};

void VerifyLogOperationHeader(const LogOperationHeader& header,
                              uint64_t available, Checker& check) {
  check.That(header.oh_clientid == kLogClientTransaction ||
                 header.oh_clientid == kLogClientLog,
             "oh_clientid", header.oh_clientid, "105 or 170");
  if (check.done()) return;
  check.AtMost("oh_len", header.oh_len.value(), available);
}

void VerifyLogTransactionHeader(const LogTransactionHeader& header,
                                Checker& check) {
  check.EqualHex("th_magic", header.th_magic.value(), kLogTransactionMagic);
}

}  // namespace ondisk
