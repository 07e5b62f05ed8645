// SPDX-License-Identifier: GPL-2.0-or-later
// The log in words, for `ondisk explain IMAGE log`.
// Thread-safety: pure functions of what the device holds.
#ifndef FUSEXFS_FUSEXFS_JOURNAL_LOG_EXPLAIN_H_
#define FUSEXFS_FUSEXFS_JOURNAL_LOG_EXPLAIN_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "fusexfs/journal/log_area.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"

namespace fusexfs {

// Calls `visit` with the log's state (head, tail, clean or not), then with each
// record from the tail to the head: header fields, and its operations as parts,
// each with the log item that it completes. A clean log shows its last record.
// Stops when `visit` returns false. A record or item that fails its checks is
// shown with its problems; what makes it impossible to go on is returned.
absl::Status ExplainLog(
    const LogArea& area, const ondisk::Geometry& geometry,
    absl::FunctionRef<bool(const ondisk::Explanation&)> visit);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_JOURNAL_LOG_EXPLAIN_H_
