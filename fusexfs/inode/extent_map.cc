// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/extent_map.h"

#include <algorithm>

namespace fusexfs {

size_t ExtentMap::FindFrom(ondisk::FileBlock block) const {
  const auto found = std::partition_point(
      extents_.begin(), extents_.end(),
      [block](const Extent& e) { return e.end() <= block; });
  return static_cast<size_t>(found - extents_.begin());
}

}  // namespace fusexfs
