// SPDX-License-Identifier: GPL-2.0-or-later
// The quota items: a changed dquot, and quota switched off.
//
// A dquot item has two regions: the format, and the dquot as it stands on disk
// (dquot.h, big-endian). A quotaoff item makes recovery ignore earlier dquot
// items of the kinds of quota that it names; kernels since 5.12 write none.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_dq_logformat,
// xfs_qoff_logformat), fs/xfs/xfs_dquot_item_recover.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_QUOTA_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_QUOTA_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/log_item.h"

namespace ondisk {

struct LogDquotFormat {
  Host16 qlf_type;
  Host16 qlf_size;
  Host32 qlf_id;       // user, group or project
  Host64 qlf_blkno;    // the buffer that holds the dquot, 512-byte units
  Host32 qlf_len;      // its length, filesystem blocks
  Host32 qlf_boffset;  // bytes from its start to the dquot
};
static_assert(sizeof(LogDquotFormat) == 24);
static_assert(offsetof(LogDquotFormat, qlf_blkno) == 8);

// qf_flags
inline constexpr uint32_t kLogQuotaUser = 0x1;
inline constexpr uint32_t kLogQuotaProject = 0x8;
inline constexpr uint32_t kLogQuotaGroup = 0x40;

struct LogQuotaOffFormat {
  Host16 qf_type;
  Host16 qf_size;
  Host32 qf_flags;
  uint8_t qf_pad[12];
};
static_assert(sizeof(LogQuotaOffFormat) == 20);
static_assert(offsetof(LogQuotaOffFormat, qf_flags) == 4);

extern const FieldTable kLogDquotFields;
extern const FieldTable kLogQuotaOffFields;

void VerifyLogDquot(const Geometry& geometry, LogRegions regions,
                    Checker& check);
Explanation ExplainLogDquot(const Geometry& geometry, LogRegions regions,
                            uint64_t offset, Where where);
void VerifyLogQuotaOff(const Geometry& geometry, LogRegions regions,
                       Checker& check);
Explanation ExplainLogQuotaOff(const Geometry& geometry, LogRegions regions,
                               uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_QUOTA_H_
