// SPDX-License-Identifier: GPL-2.0-or-later
// Looking for blocks and records in the log by what their first words say.
// Used by log_state.cc only.
// Thread-safety: a scan belongs to one thread.
#ifndef FUSEXFS_FUSEXFS_JOURNAL_LOG_SCAN_H_
#define FUSEXFS_FUSEXFS_JOURNAL_LOG_SCAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "fusexfs/journal/log_area.h"
#include "libondisk/log_record.h"
#include "libondisk/types.h"

namespace fusexfs {

class LogScan {
 public:
  explicit LogScan(const LogArea& area);

  // One block; valid until the next call. REQUIRES: block < blocks().
  absl::StatusOr<ondisk::Bytes> Block(uint32_t block);
  absl::StatusOr<uint32_t> Cycle(uint32_t block);

  // Binary search in (first, last] for the first block of `cycle`, `last` being
  // one. Only as right as the log is sorted.
  absl::StatusOr<uint32_t> FirstOfCycle(uint32_t first, uint32_t last,
                                        uint32_t cycle);
  // The first block of `cycle` in [start, start + count).
  absl::StatusOr<std::optional<uint32_t>> FindCycle(uint32_t start,
                                                    uint32_t count,
                                                    uint32_t cycle);

  struct Found {
    uint32_t records = 0;  // how many were seen, up to the number asked for
    uint32_t block = 0;    // of the last one seen
    bool wrapped = false;  // it was found behind the physical end
    ondisk::LogRecordHeader header{};  // its header
  };
  // Backwards from the block before `head` until `count` records were seen or
  // `tail` was. With head == tail the whole ring is looked at.
  absl::StatusOr<Found> RecordsBefore(uint32_t head, uint32_t tail,
                                      uint32_t count);
  // Forwards from `tail` until `count` records were seen or `head` was.
  absl::StatusOr<Found> RecordsFrom(uint32_t tail, uint32_t head,
                                    uint32_t count);

  // The last record header in [start, end); nothing if there is none.
  absl::StatusOr<std::optional<uint32_t>> LastRecord(uint32_t start,
                                                     uint32_t end);

 private:
  absl::StatusOr<bool> Visit(uint32_t block, bool wrapped, uint32_t count,
                             Found& found);

  const LogArea& area_;
  std::vector<uint8_t> window_;
  uint32_t window_start_ = 0;
  uint32_t window_blocks_ = 0;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_JOURNAL_LOG_SCAN_H_
