// SPDX-License-Identifier: GPL-2.0-or-later
// The walk of the refcount btree that the strategies have in common; what they
// differ in is what they hold while they walk.
#ifndef FUSEXFS_FUSEXFS_SPACE_REFCOUNT_WALK_H_
#define FUSEXFS_FUSEXFS_SPACE_REFCOUNT_WALK_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "fusexfs/space/allocation_group.h"
#include "fusexfs/space/refcount_lookup.h"
#include "libondisk/types.h"

namespace fusexfs {

// RefcountLookup::FindShared by walking the tree of `group`. REQUIRES: the tree
// does not change meanwhile, and the image has reflink.
absl::StatusOr<std::optional<SharedRun>> WalkForShared(
    const AllocationGroup& group, ondisk::AgBlock start, uint32_t count);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_SPACE_REFCOUNT_WALK_H_
