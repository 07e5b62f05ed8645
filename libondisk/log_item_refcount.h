// SPDX-License-Identifier: GPL-2.0-or-later
// CUI and CUD: reference counts are to be changed, have been changed.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_cui_log_format),
// fs/xfs/libxfs/xfs_refcount.h, fs/xfs/xfs_refcount_item.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_REFCOUNT_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_REFCOUNT_H_

#include <cstdint>

#include "libondisk/log_item.h"
#include "libondisk/log_item_intent.h"

namespace ondisk {

// The low byte of a CUI extent's flags; no other bit may be set.
enum class LogRefcountOperation : uint8_t {
  kIncrease = 1,
  kDecrease = 2,
  kAllocateCow = 3,  // a staging extent for copy-on-write
  kFreeCow = 4,
};

extern const FieldTable kLogCuiFields;
extern const FieldTable kLogCudFields;

void VerifyLogCui(const Geometry& geometry, LogRegions regions, Checker& check);
Explanation ExplainLogCui(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);
Explanation ExplainLogCud(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_REFCOUNT_H_
