// SPDX-License-Identifier: GPL-2.0-or-later
// RUI and RUD: reverse mappings are to be changed, have been changed.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_rui_log_format),
// fs/xfs/xfs_rmap_item.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_RMAP_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_RMAP_H_

#include <cstdint>

#include "libondisk/log_item.h"
#include "libondisk/log_item_intent.h"

namespace ondisk {

// The low byte of a RUI extent's flags. "Shared" operations belong to images
// with reflink.
enum class LogRmapOperation : uint8_t {
  kMap = 1,
  kMapShared = 2,
  kUnmap = 3,
  kUnmapShared = 4,
  kConvert = 5,
  kConvertShared = 6,
  kAllocate = 7,
  kFree = 8,
};
inline constexpr uint32_t kLogRmapAttributeFork = 1u << 31;
inline constexpr uint32_t kLogRmapBmbtBlock = 1u << 30;
inline constexpr uint32_t kLogRmapUnwritten = 1u << 29;

extern const FieldTable kLogRuiFields;
extern const FieldTable kLogRudFields;

void VerifyLogRui(const Geometry& geometry, LogRegions regions, Checker& check);
Explanation ExplainLogRui(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);
Explanation ExplainLogRud(const Geometry& geometry, LogRegions regions,
                          uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_RMAP_H_
