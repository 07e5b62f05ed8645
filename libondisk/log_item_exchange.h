// SPDX-License-Identifier: GPL-2.0-or-later
// XMI and XMD: two files' mappings are to be exchanged, have been exchanged.
//
// The intent is logged anew with each step, with what is left to do, so that an
// interrupted exchange goes on where it stopped.
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_xmi_log_format),
// fs/xfs/xfs_exchmaps_item.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_EXCHANGE_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_EXCHANGE_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/log_item.h"
#include "libondisk/log_item_intent.h"

namespace ondisk {

// xmi_flags
inline constexpr uint64_t kLogExchangeAttributeFork = 1u << 0;
inline constexpr uint64_t kLogExchangeSetSizes = 1u << 1;
inline constexpr uint64_t kLogExchangeWrittenOnly = 1u << 2;
inline constexpr uint64_t kLogExchangeClearReflink1 = 1u << 3;
inline constexpr uint64_t kLogExchangeClearReflink2 = 1u << 4;
inline constexpr uint64_t kLogExchangeKnownFlags = 0x1f;

struct LogXmiFormat {
  Host16 xmi_type;
  Host16 xmi_size;
  Host32 xmi_pad;
  Host64 xmi_id;
  Host64 xmi_inode1;
  Host64 xmi_inode2;
  Host32 xmi_igen1;
  Host32 xmi_igen2;
  Host64 xmi_startoff1;   // blocks
  Host64 xmi_startoff2;   // blocks
  Host64 xmi_blockcount;  // blocks
  Host64 xmi_flags;
  Host64 xmi_isize1;  // bytes
  Host64 xmi_isize2;  // bytes
};
static_assert(sizeof(LogXmiFormat) == 88);
static_assert(offsetof(LogXmiFormat, xmi_startoff1) == 40);
static_assert(offsetof(LogXmiFormat, xmi_flags) == 64);

extern const FieldTable kLogXmiFields;
extern const FieldTable kLogXmdFields;

void VerifyLogXmi(const Geometry& geometry, LogRegions regions, Checker& check);
Explanation ExplainLogXmi(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);
Explanation ExplainLogXmd(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_EXCHANGE_H_
