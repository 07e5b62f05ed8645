// SPDX-License-Identifier: GPL-2.0-or-later
// Prints explanations: as tables for people, or as elements of a JSON array.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_EXPLANATION_PRINTER_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_EXPLANATION_PRINTER_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "fusexfs/tools/ondisk/console.h"
#include "fusexfs/tools/ondisk/names.h"
#include "libondisk/fields.h"

namespace fusexfs::tool {

Json ExplanationJson(const ondisk::Explanation& explanation);

// Failed checks of an explanation and all its parts.
uint64_t CountProblems(const ondisk::Explanation& explanation);

class ExplanationPrinter {
 public:
  explicit ExplanationPrinter(Console& console);

  // From now on, LSNs of blocks are judged by where the log's head is.
  void set_log_head(ondisk::Lsn log_head) { log_head_ = log_head; }

  // Prints one structure with all its parts.
  void Print(ondisk::Explanation explanation);

  // Ends the output; `status` is how the explaining itself went. Says so if all
  // went well, and is an error if it did not or if a check did not hold.
  absl::Status Finish(const absl::Status& status);

 private:
  void PrintText(const ondisk::Explanation& explanation, size_t depth);

  Console& console_;
  ondisk::Lsn log_head_ = ondisk::kNullLsn;
  std::optional<JsonArray> array_;
  uint64_t structures_ = 0;
  uint64_t problems_ = 0;
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_EXPLANATION_PRINTER_H_
