// SPDX-License-Identifier: GPL-2.0-or-later
// Where the log starts and ends, and whether there is anything to recover.
//
// The head is where the next record would be written: found by cycle numbers,
// which drop by one there. Records that were in flight when the machine stopped
// may be torn; up to eight at the head are checksummed and cut off from the
// first bad one on. The tail comes from the last good record, and everything
// between tail and head must be sound. A log whose last record is an unmount
// record, or that was never written, is clean.
//
// The rules, down to the limits of each search, are the kernel's
// (fs/xfs/xfs_log_recover.c): an image must not be clean here and dirty there.
// Thread-safety: pure functions of what the device holds.
#ifndef FUSEXFS_FUSEXFS_JOURNAL_LOG_STATE_H_
#define FUSEXFS_FUSEXFS_JOURNAL_LOG_STATE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "fusexfs/journal/log_area.h"
#include "libondisk/types.h"

namespace fusexfs {

struct LogState {
  // Nothing to recover.
  bool clean = false;
  // The last record is an unmount record (false for a log of zeros).
  bool unmount_record = false;
  // No record was ever written: block 0 carries cycle 0.
  bool never_written = false;
  // Torn records were cut off; where the head stood before.
  bool torn = false;
  uint32_t head_before_truncation = 0;

  // Blocks of the log. Records to recover are in [tail_block, head_block), seen
  // as a ring; equal when clean.
  uint32_t head_block = 0;
  uint32_t tail_block = 0;
  uint32_t last_record_block = 0;
  // The cycle that the next record would carry, and its block.
  ondisk::Lsn head;
  // As the last record states it.
  ondisk::Lsn tail;
  ondisk::Lsn last_record;

  // One line for people: "clean", "dirty: head 1:490, tail 1:2", ...
  std::string ToString() const;
};

// Errors: I/O; corruption (no record found, another filesystem's UUID, a tail
// that cannot be, a damaged record too far from the head to be a torn write).
absl::StatusOr<LogState> FindLogState(const LogArea& area);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_JOURNAL_LOG_STATE_H_
