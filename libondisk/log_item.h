// SPDX-License-Identifier: GPL-2.0-or-later
// Log items: what a transaction says was changed, and what it promises to do.
//
// An item is one or more regions. The first, the format, starts with the item's
// type and its number of regions, both in the writer's byte order; what follows
// depends on the type:
//
//   log_item_buffer.h      changed 128-byte chunks of a metadata block
//   log_item_inode.h       an inode's core and forks
//   log_item_create.h      a chunk of inodes, initialised
//   log_item_quota.h       a dquot; quota switched off
//   log_item_extent_free.h EFI/EFD: free extents
//   log_item_rmap.h        RUI/RUD: change reverse mappings
//   log_item_refcount.h    CUI/CUD: change reference counts
//   log_item_bmap.h        BUI/BUD: change a file's mapping
//   log_item_attribute.h   ATTRI/ATTRD: change an attribute, a parent pointer
//   log_item_exchange.h    XMI/XMD: exchange mappings of two files
//
// The pairs are intents and their done items: an intent without its done item,
// both with one identifier, is work that recovery must finish. Types that end
// in Rt work on the realtime device and have the layout of their twins.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h, fs/xfs/xfs_*_item*.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "libondisk/checker.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/log_endian.h"
#include "libondisk/types.h"

namespace ondisk {

enum class LogItemType : uint16_t {
  kEfi = 0x1236,
  kEfd = 0x1237,
  kIunlink = 0x1238,  // never written to disk by Linux
  kInode = 0x123b,
  kBuffer = 0x123c,
  kDquot = 0x123d,
  kQuotaOff = 0x123e,
  kInodeCreate = 0x123f,
  kRui = 0x1240,
  kRud = 0x1241,
  kCui = 0x1242,
  kCud = 0x1243,
  kBui = 0x1244,
  kBud = 0x1245,
  kAttri = 0x1246,
  kAttrd = 0x1247,
  kXmi = 0x1248,
  kXmd = 0x1249,
  kEfiRt = 0x124a,
  kEfdRt = 0x124b,
  kRuiRt = 0x124c,
  kRudRt = 0x124d,
  kCuiRt = 0x124e,
  kCudRt = 0x124f,
};

extern const std::span<const NamedValue> kLogItemTypeNames;

// The first four bytes of every format.
struct LogItemHeader {
  Host16 type;
  Host16 size;  // regions of the item, this one included
};
static_assert(sizeof(LogItemHeader) == 4);

// The most regions that an item can have: a 64 KiB buffer with every second
// chunk changed, and its format.
inline constexpr uint32_t kLogMaxItemRegions = (65536 / 128) / 2 + 1;

// The regions of one item, whole (cut regions joined), the format first.
using LogRegions = std::span<const Bytes>;

// The type's short name ("EFI", "inode"); "unknown" for others.
std::string_view LogItemTypeName(uint16_t type);
bool IsLogIntent(LogItemType type);
bool IsLogDone(LogItemType type);

// Any item: dispatches on its type. An unknown type is a finding. Checks what
// recovery would rely on: sizes, counts, flags, addresses within the geometry.
void VerifyLogItem(const Geometry& geometry, LogRegions regions,
                   Checker& check);
// The same for people. `offset`: where the format stands in what is explained.
Explanation ExplainLogItem(const Geometry& geometry, LogRegions regions,
                           uint64_t offset, Where where);

// ---- for the items' own verifiers ----
// The number of regions is the one that the format states.
bool CheckLogRegionCount(LogRegions regions, Checker& check);
// The format has the stated size.
bool CheckLogFormatSize(LogRegions regions, size_t bytes, Checker& check);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_H_
