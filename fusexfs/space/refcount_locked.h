// SPDX-License-Identifier: GPL-2.0-or-later
// refcount=locked: as the kernel does. A lookup holds its AG's AGF lock, which
// is exclusive, from the first block to the last; while it does, nobody else
// can reach the tree, so the locks that the kernel takes on each of its blocks
// are never waited for and are not taken here.
#ifndef FUSEXFS_FUSEXFS_SPACE_REFCOUNT_LOCKED_H_
#define FUSEXFS_FUSEXFS_SPACE_REFCOUNT_LOCKED_H_

#include <memory>

#include "fusexfs/space/refcount_lookup.h"

namespace fusexfs {

std::unique_ptr<RefcountLookup> NewLockedRefcountLookup(
    const AllocationGroups& groups);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_SPACE_REFCOUNT_LOCKED_H_
