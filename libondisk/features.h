// SPDX-License-Identifier: GPL-2.0-or-later
// The optional features of an XFS image, read from the superblock's feature
// words.
//
// Unknown bits keep XFS's own meaning: an unknown incompat bit forbids any use,
// an unknown ro-compat bit forbids writing, an unknown log-incompat bit forbids
// recovery. Thread-safety: plain values.
// Source: kernel fs/xfs/libxfs/xfs_format.h (XFS_SB_FEAT_*, XFS_SB_VERSION*).
#ifndef FUSEXFS_LIBONDISK_FEATURES_H_
#define FUSEXFS_LIBONDISK_FEATURES_H_

#include <cstdint>
#include <span>
#include <string>

#include "libondisk/fields.h"

namespace ondisk {

// sb_features_ro_compat
inline constexpr uint32_t kRoCompatFinobt = 1u << 0;
inline constexpr uint32_t kRoCompatRmapbt = 1u << 1;
inline constexpr uint32_t kRoCompatReflink = 1u << 2;
inline constexpr uint32_t kRoCompatInobtcount = 1u << 3;
inline constexpr uint32_t kRoCompatKnown = 0xfu;

// sb_features_incompat
inline constexpr uint32_t kIncompatFtype = 1u << 0;
inline constexpr uint32_t kIncompatSparseInodes = 1u << 1;
inline constexpr uint32_t kIncompatMetaUuid = 1u << 2;
inline constexpr uint32_t kIncompatBigtime = 1u << 3;
inline constexpr uint32_t kIncompatNeedsRepair = 1u << 4;
inline constexpr uint32_t kIncompatNrext64 = 1u << 5;
inline constexpr uint32_t kIncompatExchange = 1u << 6;
inline constexpr uint32_t kIncompatParent = 1u << 7;
inline constexpr uint32_t kIncompatMetadir = 1u << 8;
inline constexpr uint32_t kIncompatZoned = 1u << 9;
inline constexpr uint32_t kIncompatZoneGaps = 1u << 10;
// What this project can read. Zoned images keep file data on a realtime device.
inline constexpr uint32_t kIncompatKnown = 0x1ffu;

// sb_features_log_incompat
inline constexpr uint32_t kLogIncompatXattrs = 1u << 0;
inline constexpr uint32_t kLogIncompatKnown = 1u;

extern const std::span<const NamedValue> kRoCompatNames;
extern const std::span<const NamedValue> kIncompatNames;
extern const std::span<const NamedValue> kLogIncompatNames;

// One bool per feature that changes how bytes are read, for V4 and V5 alike.
struct Features {
  bool crc = false;  // V5: self-describing, checksummed metadata
  bool ftype = false;
  bool finobt = false;
  bool rmapbt = false;
  bool reflink = false;
  bool inobtcount = false;
  bool sparse_inodes = false;
  bool meta_uuid = false;
  bool bigtime = false;
  bool needs_repair = false;
  bool nrext64 = false;
  bool exchange = false;
  bool parent = false;
  bool metadir = false;
  bool attr2 = false;     // V4: fork offset may vary
  bool has_attr = false;  // an attribute was ever written
  bool lazy_counters = false;
  bool project32 = false;
  bool ascii_ci = false;  // directory names compare case-insensitively
  bool log_v2 = false;
  bool extent_flag = false;  // V4: unwritten extents allowed
  bool quota = false;
  bool aligned_inodes = false;
  bool nlink32 = false;
};

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_FEATURES_H_
