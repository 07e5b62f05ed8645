// SPDX-License-Identifier: GPL-2.0-or-later
// Which inodes exist, as the inode btrees say.
//
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_SPACE_INODE_ALLOCATION_H_
#define FUSEXFS_FUSEXFS_SPACE_INODE_ALLOCATION_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/space/allocation_group.h"
#include "libondisk/btree_records.h"
#include "libondisk/types.h"

namespace fusexfs {

// Whether the inode btree of its AG says that the inode is in use: for numbers
// that did not come from a directory (file handles). False for a number that
// cannot name an inode. Errors: I/O, corruption.
absl::StatusOr<bool> IsInodeAllocated(const AllocationGroups& groups,
                                      ondisk::InodeNumber inode);

// Calls `visit` for each inode chunk of the AG, in order, until it returns
// false. Reads the leaves of the tree ahead.
absl::Status ForEachInodeChunk(
    const AllocationGroup& group,
    absl::FunctionRef<bool(const ondisk::InobtRecord&)> visit);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_SPACE_INODE_ALLOCATION_H_
