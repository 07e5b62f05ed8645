// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/space/refcount_walk.h"

#include <algorithm>

#include "fusexfs/btree/btree_cursor.h"
#include "fusexfs/btree/trees.h"
#include "libondisk/btree_records.h"

namespace fusexfs {
namespace {

using ondisk::AgBlock;
using ondisk::RefcountRecord;

bool IsShared(const RefcountRecord& record) {
  return !record.cow_staging && record.references > 1;
}

}  // namespace

absl::StatusOr<std::optional<SharedRun>> WalkForShared(
    const AllocationGroup& group, AgBlock start, uint32_t count) {
  ONDISK_ASSIGN_OR_RETURN(const BtreeRoot root,
                          group.Root(ondisk::BtreeKind::kRefcountbt));
  BtreeCursor<RefcountTree> cursor(group.cache(), group.geometry(), root);
  const AgBlock end = start + count;

  // The record that covers `start`, or the next one.
  ONDISK_ASSIGN_OR_RETURN(
      bool found, cursor.LookupAtMost({.cow_staging = false, .start = start}));
  if (!found) {
    ONDISK_ASSIGN_OR_RETURN(found, cursor.First());
  } else if (cursor.record().start + cursor.record().count <= start) {
    ONDISK_ASSIGN_OR_RETURN(found, cursor.Next());
  }
  while (found && cursor.record().start < end && !IsShared(cursor.record()) &&
         !cursor.record().cow_staging) {
    ONDISK_ASSIGN_OR_RETURN(found, cursor.Next());
  }
  if (!found || cursor.record().start >= end || !IsShared(cursor.record())) {
    return std::nullopt;
  }

  // As far as records touch.
  const AgBlock first = std::max(cursor.record().start, start);
  AgBlock last = cursor.record().start + cursor.record().count;
  while (last < end) {
    ONDISK_ASSIGN_OR_RETURN(const bool more, cursor.Next());
    if (!more || cursor.record().start != last || !IsShared(cursor.record())) {
      break;
    }
    last = last + cursor.record().count;
  }
  return SharedRun{first, std::min(last, end) - first};
}

}  // namespace fusexfs
