// SPDX-License-Identifier: GPL-2.0-or-later
// The inode create item: a chunk of inodes was allocated and initialised.
//
// It stands for what would otherwise be a buffer item per block: recovery
// stamps fresh inode cores over the extent. All but the type and the size is
// big-endian, unlike any other item.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_icreate_log),
// fs/xfs/xfs_icreate_item.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_CREATE_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_CREATE_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/endian.h"
#include "libondisk/log_item.h"

namespace ondisk {

struct LogInodeCreateFormat {
  Host16 icl_type;
  Host16 icl_size;
  Be32 icl_ag;
  Be32 icl_agbno;
  Be32 icl_count;   // inodes
  Be32 icl_isize;   // bytes of one
  Be32 icl_length;  // blocks
  Be32 icl_gen;     // their generation
};
static_assert(sizeof(LogInodeCreateFormat) == 28);
static_assert(offsetof(LogInodeCreateFormat, icl_gen) == 24);

extern const FieldTable kLogInodeCreateFields;

void VerifyLogInodeCreate(const Geometry& geometry, LogRegions regions,
                          Checker& check);
Explanation ExplainLogInodeCreate(const Geometry& geometry, LogRegions regions,
                                  uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_CREATE_H_
