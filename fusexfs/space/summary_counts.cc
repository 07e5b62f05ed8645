// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/space/summary_counts.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

// Per AG: what a full split of both free-space btrees takes from the AGFL, and
// what a split of a file's extent btree takes.
constexpr uint64_t kSetAsidePerGroup = 4 + 4;
constexpr uint64_t kMostInodes = (uint64_t{1} << 56) - 1;
constexpr uint32_t kInodesPerChunk = 64;

// The limit that imax_pct sets, in whole chunks; 0: none.
uint64_t InodeLimit(const ondisk::Geometry& geometry) {
  if (geometry.inode_max_percent == 0) return 0;
  const uint64_t chunk_blocks =
      std::max(kInodesPerChunk, geometry.inodes_per_block) >>
      geometry.inodes_per_block_log;
  // data_blocks * percent could overflow; this cannot, and rounds the same way.
  const uint64_t percent = geometry.inode_max_percent;
  const uint64_t blocks = geometry.data_blocks / 100 * percent +
                          geometry.data_blocks % 100 * percent / 100;
  return blocks / chunk_blocks * chunk_blocks << geometry.inodes_per_block_log;
}

uint64_t Less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

bool ArePossible(const SummaryCounts& counts,
                 const ondisk::Geometry& geometry) {
  return counts.free_blocks <= geometry.data_blocks &&
         counts.inodes >> geometry.inodes_per_block_log <=
             geometry.data_blocks &&
         counts.free_inodes <= counts.inodes;
}

absl::StatusOr<SummaryCounts> SumOverGroups(const AllocationGroups& groups) {
  SummaryCounts sum;
  for (uint32_t ag = 0; ag < groups.count(); ++ag) {
    const AllocationGroup& group = groups[ondisk::AgNumber(ag)];
    ONDISK_ASSIGN_OR_RETURN(const auto agf, group.ReadAgf());
    ONDISK_ASSIGN_OR_RETURN(const auto agi, group.ReadAgi());
    const uint64_t btree_blocks = agf->btreeblks.value();
    sum.free_blocks +=
        uint64_t{agf->freeblks.value()} + agf->flcount.value() + btree_blocks;
    sum.inodes += agi->count.value();
    sum.free_inodes += agi->freecount.value();
    // btreeblks counts the rmap btree too, but for its root.
    const uint64_t rmap_blocks = groups.geometry().features.rmapbt
                                     ? Less(agf->rmapblocks.value(), 1)
                                     : 0;
    sum.space_btree_blocks += Less(btree_blocks, rmap_blocks);
  }
  if (!ArePossible(sum, groups.geometry())) {
    return ondisk::CorruptionError(
        "AG headers", ondisk::Where{}, "sums of their counters",
        fmt::format("{} free blocks, {} inodes, {} free inodes",
                    sum.free_blocks, sum.inodes, sum.free_inodes),
        "no more than the image can hold");
  }
  return sum;
}

FreeNumbers NumbersForStatfs(const ondisk::Geometry& geometry,
                             const SummaryCounts& counts) {
  FreeNumbers numbers;
  numbers.blocks = geometry.log_start == 0
                       ? geometry.data_blocks
                       : Less(geometry.data_blocks, geometry.log_blocks);
  numbers.blocks_free =
      Less(counts.free_blocks,
           kSetAsidePerGroup * geometry.ag_count + counts.space_btree_blocks);
  // A lie in the superblock must not make this overflow.
  const uint64_t possible = std::min(numbers.blocks_free, kMostInodes >> 16)
                            << geometry.inodes_per_block_log;
  numbers.files =
      std::min(std::min(counts.inodes, kMostInodes) + possible, kMostInodes);
  if (const uint64_t limit = InodeLimit(geometry); limit != 0) {
    numbers.files = std::min(numbers.files, limit);
  }
  numbers.files = std::max(numbers.files, counts.inodes);
  numbers.files_free =
      Less(numbers.files, Less(counts.inodes, counts.free_inodes));
  return numbers;
}

}  // namespace fusexfs
