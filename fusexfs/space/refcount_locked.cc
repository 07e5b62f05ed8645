// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/space/refcount_locked.h"

#include "fusexfs/space/refcount_walk.h"
#include "fusexfs/trace/sleeping_semaphore.h"

namespace fusexfs {
namespace {

class LockedRefcountLookup : public RefcountLookup {
 public:
  explicit LockedRefcountLookup(const AllocationGroups& groups)
      : groups_(groups) {}

  std::string_view name() const override { return "locked"; }

  absl::StatusOr<std::optional<SharedRun>> FindShared(ondisk::AgNumber ag,
                                                      ondisk::AgBlock start,
                                                      uint32_t count) override {
    if (!groups_.geometry().features.reflink) return std::nullopt;
    const AllocationGroup& group = groups_[ag];
    SemaphoreLock lock(group.agf_lock());
    return WalkForShared(group, start, count);
  }

 private:
  const AllocationGroups& groups_;
};

}  // namespace

std::unique_ptr<RefcountLookup> NewLockedRefcountLookup(
    const AllocationGroups& groups) {
  return std::make_unique<LockedRefcountLookup>(groups);
}

}  // namespace fusexfs
