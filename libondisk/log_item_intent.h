// SPDX-License-Identifier: GPL-2.0-or-later
// What the intents and done items have in common.
//
// An intent says what will be done to a list of extents and carries an
// identifier of the writer's choosing; its done item carries the same one.
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_efi_log_format,
// xfs_map_extent, xfs_phys_extent and their kin).
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_INTENT_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_INTENT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "libondisk/checker.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/log_endian.h"
#include "libondisk/log_item.h"

namespace ondisk {

// EFI, EFD, RUI, CUI, BUI; extents follow in the same region.
struct LogIntentFormat {
  Host16 type;
  Host16 size;
  Host32 count;  // extents
  Host64 id;
};
static_assert(sizeof(LogIntentFormat) == 16);
static_assert(offsetof(LogIntentFormat, id) == 8);

// RUD, CUD, BUD, ATTRD, XMD.
struct LogDoneFormat {
  Host16 type;
  Host16 size;
  Host32 pad;
  Host64 intent_id;
};
static_assert(sizeof(LogDoneFormat) == 16);
static_assert(offsetof(LogDoneFormat, intent_id) == 8);

// An extent of a file and where it is (RUI, BUI). The low byte of the flags is
// the operation.
struct LogMapExtent {
  Host64 owner;
  Host64 start_block;
  Host64 start_offset;  // blocks within the file
  Host32 length;        // blocks
  Host32 flags;
};
static_assert(sizeof(LogMapExtent) == 32);
static_assert(offsetof(LogMapExtent, flags) == 28);

// An extent of the disk (CUI). The low byte of the flags is the operation.
struct LogPhysicalExtent {
  Host64 start_block;
  Host32 length;  // blocks
  Host32 flags;
};
static_assert(sizeof(LogPhysicalExtent) == 16);
static_assert(offsetof(LogPhysicalExtent, length) == 8);

inline constexpr uint32_t kLogOperationMask = 0xff;

// The rows of LogIntentFormat and LogDoneFormat, for the types' own tables.
extern const std::span<const Field> kLogIntentRows;
extern const std::span<const Field> kLogDoneRows;

// The format is a LogIntentFormat followed by exactly `count` extents of
// `extent_bytes` bytes each, and the item has no other region.
bool CheckLogIntent(LogRegions regions, size_t extent_bytes, Checker& check);
void VerifyLogDone(const Geometry& geometry, LogRegions regions,
                   Checker& check);
Explanation ExplainLogDone(const FieldTable& table, LogRegions regions,
                           uint64_t offset, Where where);

// [start, start + length) of the disk. Realtime addresses are only checked for
// a length: their geometry is not read.
bool CheckLogDiskExtent(const Geometry& geometry, bool realtime, uint32_t index,
                        uint64_t start, uint32_t length, Checker& check);
// [start, start + length) of a file.
bool CheckLogFileExtent(std::string_view field, uint64_t start, uint64_t length,
                        Checker& check);

// "extent[3].length": how findings name a field of an extent.
std::string LogExtentField(uint32_t index, std::string_view field);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_INTENT_H_
