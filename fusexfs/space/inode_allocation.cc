// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/space/inode_allocation.h"

#include "fusexfs/btree/btree_cursor.h"
#include "fusexfs/btree/trees.h"

namespace fusexfs {

absl::StatusOr<bool> IsInodeAllocated(const AllocationGroups& groups,
                                      ondisk::InodeNumber inode) {
  const ondisk::Geometry& geometry = groups.geometry();
  if (!geometry.IsValid(inode)) return false;
  const AllocationGroup& group = groups[geometry.AgOf(inode)];
  const ondisk::AgInode number = geometry.AgInodeOf(inode);

  ONDISK_ASSIGN_OR_RETURN(const BtreeRoot root,
                          group.Root(ondisk::BtreeKind::kInobt));
  BtreeCursor<InobtTree> cursor(group.cache(), geometry, root);
  ONDISK_ASSIGN_OR_RETURN(const bool found, cursor.LookupAtMost(number));
  if (!found) return false;
  const uint32_t index = number - cursor.record().start;
  return index < ondisk::kInodesPerChunk && cursor.record().IsUsed(index);
}

absl::Status ForEachInodeChunk(
    const AllocationGroup& group,
    absl::FunctionRef<bool(const ondisk::InobtRecord&)> visit) {
  ONDISK_ASSIGN_OR_RETURN(const BtreeRoot root,
                          group.Root(ondisk::BtreeKind::kInobt));
  BtreeCursor<InobtTree> cursor(group.cache(), group.geometry(), root);
  ONDISK_ASSIGN_OR_RETURN(bool found, cursor.First());
  while (found && visit(cursor.record())) {
    ONDISK_ASSIGN_OR_RETURN(found, cursor.Next());
  }
  return absl::OkStatus();
}

}  // namespace fusexfs
