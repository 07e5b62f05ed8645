// SPDX-License-Identifier: GPL-2.0-or-later
// How many blocks and inodes an image has and how many are free: as the
// superblock says after a clean unmount, and as the AG headers say otherwise.
//
// Thread-safety: plain values and a function that may be called from anywhere.
// Source: kernel fs/xfs/libxfs/xfs_ag.c (xfs_initialize_perag_data),
// fs/xfs/xfs_super.c (xfs_fs_statfs).
#ifndef FUSEXFS_FUSEXFS_SPACE_SUMMARY_COUNTS_H_
#define FUSEXFS_FUSEXFS_SPACE_SUMMARY_COUNTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "fusexfs/space/allocation_group.h"
#include "libondisk/geometry.h"

namespace fusexfs {

struct SummaryCounts {
  uint64_t inodes = 0;  // allocated, in use or free
  uint64_t free_inodes = 0;
  uint64_t free_blocks = 0;  // the AGFL and the free-space btrees count as free
  // Blocks of the free-space btrees, which no file can ever get.
  uint64_t space_btree_blocks = 0;
};

// Whether an image of this size can have such counts.
bool ArePossible(const SummaryCounts& counts, const ondisk::Geometry& geometry);

// Sums over all AGFs and AGIs. Errors: I/O, corruption of a header, or
// counters that cannot be.
absl::StatusOr<SummaryCounts> SumOverGroups(const AllocationGroups& groups);

struct FreeNumbers {  // as statfs(2) wants them
  uint64_t blocks = 0;
  uint64_t blocks_free = 0;
  uint64_t files = 0;
  uint64_t files_free = 0;
};

// The kernel's numbers: what is kept back for freeing things in a full image is
// not free, and as many inodes are promised as the free blocks could hold.
FreeNumbers NumbersForStatfs(const ondisk::Geometry& geometry,
                             const SummaryCounts& counts);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_SPACE_SUMMARY_COUNTS_H_
