// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/sparse_ranges.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr size_t kMostRanges = 200'000;

}  // namespace

void RangeCollector::Join(DataRange range) {
  if (!ranges_.empty()) {
    DataRange& last = ranges_.back();
    const uint64_t hole = range.offset - (last.offset + last.length);
    if (hole < least_hole_) {
      last.length += hole + range.length;
      return;
    }
  }
  ranges_.push_back(range);
}

void RangeCollector::Add(DataRange range) {
  Join(range);
  while (ranges_.size() > most_) {
    least_hole_ *= 2;
    std::vector<DataRange> all = std::exchange(ranges_, {});
    for (const DataRange& one : all) Join(one);
  }
}

absl::StatusOr<std::vector<DataRange>> FindDataRanges(Filesystem& filesystem,
                                                      ondisk::InodeNumber inode,
                                                      uint64_t size) {
  RangeCollector collector(kMostRanges);
  uint64_t position = 0;
  while (position < size) {
    auto data = filesystem.SeekData(inode, position);
    if (!data.ok()) {
      if (ondisk::ErrnoOf(data.status()) == ENXIO) break;  // holes to the end
      return data.status();
    }
    ONDISK_ASSIGN_OR_RETURN(const uint64_t hole,
                            filesystem.SeekHole(inode, *data));
    const uint64_t end = std::min(hole, size);
    if (end <= *data) break;
    collector.Add({*data, end - *data});
    position = end;
  }
  std::vector<DataRange> ranges = collector.Take();
  if (ranges.empty()) ranges.push_back({size, 0});
  return ranges;
}

}  // namespace fusexfs::tool
