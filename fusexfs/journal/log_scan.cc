// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_scan.h"

#include <algorithm>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

constexpr uint32_t kWindowBlocks = 128;  // 64 KiB

}  // namespace

LogScan::LogScan(const LogArea& area)
    : area_(area),
      window_(size_t{std::min(kWindowBlocks, area.blocks())} *
              ondisk::kLogBlockSize) {}

absl::StatusOr<ondisk::Bytes> LogScan::Block(uint32_t block) {
  if (block < window_start_ || block - window_start_ >= window_blocks_) {
    const uint32_t start = block - block % kWindowBlocks;
    const uint32_t blocks = std::min(kWindowBlocks, area_.blocks() - start);
    window_blocks_ = 0;
    ONDISK_RETURN_IF_ERROR(area_.Read(
        start, ondisk::MutableBytes(window_).first(size_t{blocks} *
                                                   ondisk::kLogBlockSize)));
    window_start_ = start;
    window_blocks_ = blocks;
  }
  return ondisk::Bytes(window_).subspan(
      size_t{block - window_start_} * ondisk::kLogBlockSize,
      ondisk::kLogBlockSize);
}

absl::StatusOr<uint32_t> LogScan::Cycle(uint32_t block) {
  ONDISK_ASSIGN_OR_RETURN(const ondisk::Bytes bytes, Block(block));
  return ondisk::LogCycleOf(bytes);
}

absl::StatusOr<uint32_t> LogScan::FirstOfCycle(uint32_t first, uint32_t last,
                                               uint32_t cycle) {
  while (last - first > 1) {
    const uint32_t middle = first + (last - first) / 2;
    ONDISK_ASSIGN_OR_RETURN(const uint32_t found, Cycle(middle));
    (found == cycle ? last : first) = middle;
  }
  return last;
}

absl::StatusOr<std::optional<uint32_t>> LogScan::FindCycle(uint32_t start,
                                                           uint32_t count,
                                                           uint32_t cycle) {
  for (uint32_t block = start; block < start + count; ++block) {
    ONDISK_ASSIGN_OR_RETURN(const uint32_t found, Cycle(block));
    if (found == cycle) return std::optional<uint32_t>(block);
  }
  return std::optional<uint32_t>();
}

absl::StatusOr<bool> LogScan::Visit(uint32_t block, bool wrapped,
                                    uint32_t count, Found& found) {
  ONDISK_ASSIGN_OR_RETURN(const ondisk::Bytes bytes, Block(block));
  if (!ondisk::IsLogRecordHeader(bytes)) return false;
  ++found.records;
  found.block = block;
  found.wrapped = wrapped;
  found.header = ondisk::View<ondisk::LogRecordHeader>(bytes);
  return found.records == count;
}

absl::StatusOr<LogScan::Found> LogScan::RecordsBefore(uint32_t head,
                                                      uint32_t tail,
                                                      uint32_t count) {
  Found found;
  const uint32_t stop = head > tail ? tail : 0;
  for (uint32_t block = head; block-- > stop;) {
    ONDISK_ASSIGN_OR_RETURN(const bool enough,
                            Visit(block, false, count, found));
    if (enough) return found;
  }
  if (tail < head) return found;
  for (uint32_t block = area_.blocks(); block-- > tail;) {
    ONDISK_ASSIGN_OR_RETURN(const bool enough,
                            Visit(block, true, count, found));
    if (enough) return found;
  }
  return found;
}

absl::StatusOr<LogScan::Found> LogScan::RecordsFrom(uint32_t tail,
                                                    uint32_t head,
                                                    uint32_t count) {
  Found found;
  // The head's own block counts, as it does for the kernel.
  const uint32_t stop =
      head > tail ? std::min(head + 1, area_.blocks()) : area_.blocks();
  for (uint32_t block = tail; block < stop; ++block) {
    ONDISK_ASSIGN_OR_RETURN(const bool enough,
                            Visit(block, false, count, found));
    if (enough) return found;
  }
  if (tail <= head) return found;
  for (uint32_t block = 0; block < head; ++block) {
    ONDISK_ASSIGN_OR_RETURN(const bool enough,
                            Visit(block, true, count, found));
    if (enough) return found;
  }
  return found;
}

absl::StatusOr<std::optional<uint32_t>> LogScan::LastRecord(uint32_t start,
                                                            uint32_t end) {
  for (uint32_t block = end; block-- > start;) {
    ONDISK_ASSIGN_OR_RETURN(const ondisk::Bytes bytes, Block(block));
    if (ondisk::IsLogRecordHeader(bytes)) {
      return std::optional<uint32_t>(block);
    }
  }
  return std::optional<uint32_t>();
}

}  // namespace fusexfs
