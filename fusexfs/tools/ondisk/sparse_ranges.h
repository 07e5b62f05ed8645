// SPDX-License-Identifier: GPL-2.0-or-later
// Where a file has data, for writing it without its holes.
//
// Thread-safety: pure functions on a Filesystem.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_SPARSE_RANGES_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_SPARSE_RANGES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/tools/ondisk/tar_writer.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

// Collects ranges in bounded memory: when there are too many, the smallest
// holes become data. REQUIRES: ranges are added in ascending order.
class RangeCollector {
 public:
  explicit RangeCollector(size_t most) : most_(most) {}

  void Add(DataRange range);
  std::vector<DataRange> Take() { return std::move(ranges_); }

 private:
  void Join(DataRange range);

  const size_t most_;
  uint64_t least_hole_ = 1;  // bytes: a smaller hole is data
  std::vector<DataRange> ranges_;
};

// The data ranges of bytes [0, size). A file of holes only has one empty range
// at its end, as tar wants it.
absl::StatusOr<std::vector<DataRange>> FindDataRanges(Filesystem& filesystem,
                                                      ondisk::InodeNumber inode,
                                                      uint64_t size);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_SPARSE_RANGES_H_
