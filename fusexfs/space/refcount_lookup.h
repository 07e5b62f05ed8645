// SPDX-License-Identifier: GPL-2.0-or-later
// How the refcount btree is asked whether blocks are shared: a strategy
// (refcount= at mount).
//
// Thread-safety: every implementation is safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_SPACE_REFCOUNT_LOOKUP_H_
#define FUSEXFS_FUSEXFS_SPACE_REFCOUNT_LOOKUP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "fusexfs/space/allocation_group.h"
#include "libondisk/types.h"

namespace fusexfs {

// A run of blocks of one AG.
struct SharedRun {
  ondisk::AgBlock start;
  uint32_t count = 0;  // blocks, at least 1
};

class RefcountLookup {
 public:
  virtual ~RefcountLookup() = default;

  virtual std::string_view name() const = 0;

  // The first run of shared blocks within the `count` blocks from `start` on,
  // as long as it goes there (records that touch are one run). Nothing: no
  // block is shared. REQUIRES: the range lies within the AG. Errors: I/O,
  // corruption.
  virtual absl::StatusOr<std::optional<SharedRun>> FindShared(
      ondisk::AgNumber ag, ondisk::AgBlock start, uint32_t count) = 0;
};

struct RefcountStrategy {
  std::string_view name;
  std::string_view about;  // the trade-off, for --help
  std::unique_ptr<RefcountLookup> (*make)(const AllocationGroups& groups);
};
std::span<const RefcountStrategy> RefcountStrategies();

// The strategy called `name`. EINVAL, naming those that there are. REQUIRES:
// `groups` outlives it. On an image without reflink, whatever the name, nothing
// is ever shared.
absl::StatusOr<std::unique_ptr<RefcountLookup>> NewRefcountLookup(
    std::string_view name, const AllocationGroups& groups);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_SPACE_REFCOUNT_LOOKUP_H_
