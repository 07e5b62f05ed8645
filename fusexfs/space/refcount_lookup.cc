// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/space/refcount_lookup.h"

#include <cerrno>
#include <string>

#include <fmt/format.h>

#include "fusexfs/space/refcount_locked.h"
#include "libondisk/status.h"

namespace fusexfs {

std::span<const RefcountStrategy> RefcountStrategies() {
  static constexpr RefcountStrategy kStrategies[] = {
      {"locked",
       "as the kernel does: one lookup at a time in each AG, first come first "
       "served",
       &NewLockedRefcountLookup},
  };
  return kStrategies;
}

absl::StatusOr<std::unique_ptr<RefcountLookup>> NewRefcountLookup(
    std::string_view name, const AllocationGroups& groups) {
  std::string names;
  for (const RefcountStrategy& strategy : RefcountStrategies()) {
    if (strategy.name == name) return strategy.make(groups);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", strategy.name);
  }
  return ondisk::PosixError(
      EINVAL,
      fmt::format("refcount={}: no such strategy; there is: {}", name, names));
}

}  // namespace fusexfs
