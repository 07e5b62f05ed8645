// SPDX-License-Identifier: GPL-2.0-or-later
// BUI and BUD: a file's mapping is to be changed, has been changed.
//
// A BUI carries exactly one extent. Thread-safety: plain data, pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_bui_log_format),
// fs/xfs/xfs_bmap_item.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_BMAP_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_BMAP_H_

#include <cstdint>

#include "libondisk/log_item.h"
#include "libondisk/log_item_intent.h"

namespace ondisk {

// The low byte of a BUI extent's flags.
enum class LogBmapOperation : uint8_t { kMap = 1, kUnmap = 2 };
inline constexpr uint32_t kLogBmapAttributeFork = 1u << 31;
inline constexpr uint32_t kLogBmapUnwritten = 1u << 30;
inline constexpr uint32_t kLogBmapRealtime = 1u << 29;

extern const FieldTable kLogBuiFields;
extern const FieldTable kLogBudFields;

void VerifyLogBui(const Geometry& geometry, LogRegions regions, Checker& check);
Explanation ExplainLogBui(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);
Explanation ExplainLogBud(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_BMAP_H_
