// SPDX-License-Identifier: GPL-2.0-or-later
// The extents of one fork in memory, in file order.
//
// Invariants: starts strictly increase, extents do not overlap, every extent
// lies within one AG past its headers (extent_loader.h checks it all).
// Thread-safety: immutable once built.
#ifndef FUSEXFS_FUSEXFS_INODE_EXTENT_MAP_H_
#define FUSEXFS_FUSEXFS_INODE_EXTENT_MAP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "libondisk/extents.h"
#include "libondisk/types.h"

namespace fusexfs {

using Extent = ondisk::ExtentRecord;

class ExtentMap {
 public:
  ExtentMap() = default;
  // REQUIRES: the invariants above.
  explicit ExtentMap(std::vector<Extent> extents)
      : extents_(std::move(extents)) {}

  std::span<const Extent> extents() const { return extents_; }
  bool empty() const { return extents_.empty(); }
  size_t memory_bytes() const { return extents_.capacity() * sizeof(Extent); }

  // Index of the first extent that ends behind `block`: the one that holds it,
  // or the next one; extents().size() if there is none.
  size_t FindFrom(ondisk::FileBlock block) const;

 private:
  std::vector<Extent> extents_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_INODE_EXTENT_MAP_H_
