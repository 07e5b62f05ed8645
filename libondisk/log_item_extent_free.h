// SPDX-License-Identifier: GPL-2.0-or-later
// EFI and EFD: extents are to be freed, extents have been freed.
//
// Both carry the list of extents. On 64-bit machines (and all newer kernels) an
// extent takes 16 bytes with padding, on 32-bit ones 12; the size of the region
// tells them apart. The Rt twins free space of the realtime device.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_efi_log_format),
// fs/xfs/xfs_extfree_item.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_EXTENT_FREE_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_EXTENT_FREE_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/log_item.h"
#include "libondisk/log_item_intent.h"

namespace ondisk {

struct LogExtent64 {
  Host64 start;
  Host32 length;
  Host32 pad;
};
static_assert(sizeof(LogExtent64) == 16);

struct LogExtent32 {
  Host64 start;
  Host32 length;
};
static_assert(sizeof(LogExtent32) == 12);
static_assert(offsetof(LogExtent32, length) == 8);

extern const FieldTable kLogEfiFields;
extern const FieldTable kLogEfdFields;

struct LogFreeExtent {
  FsBlock start;
  uint32_t length;  // blocks
};

void VerifyLogExtentFree(const Geometry& geometry, LogRegions regions,
                         Checker& check);
// Extent `index` of an EFI or EFD in either form. REQUIRES: VerifyLogExtentFree
// found nothing, index < count.
LogFreeExtent LogFreeExtentAt(Bytes format, uint32_t index);

Explanation ExplainLogExtentFree(const Geometry& geometry, LogRegions regions,
                                 uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_EXTENT_FREE_H_
