// SPDX-License-Identifier: GPL-2.0-or-later
// Says what goes wrong inside a mount, once per place and never too fast: a
// damaged directory that is listed a million times is one line.
//
// Corruption and I/O errors are logged; what a program may expect (ENOENT,
// ENODATA, ERANGE, ...) is not. Lines go through spdlog's default logger, which
// the program points at standard error or at syslog.
// Thread-safety: safe for any number of threads. Costs nothing unless there is
// an error to say.
#ifndef FUSEXFS_FUSEXFS_FUSE_ERROR_LOG_H_
#define FUSEXFS_FUSEXFS_FUSE_ERROR_LOG_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "fusexfs/trace/mutex.h"

namespace fusexfs {

class ErrorLog {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    size_t places = 4096;          // remembered; then all are forgotten at once
    uint32_t lines_per_span = 20;  // different places, within one span
    Clock::duration span = std::chrono::seconds(10);
  };

  using Sink = std::function<void(std::string_view line)>;

  ErrorLog();  // default limits, to spdlog
  ErrorLog(Limits limits, Sink sink);

  // Logs `status` if it is worth a line. `now` is for tests.
  void Report(const absl::Status& status, Clock::time_point now = Clock::now());

 private:
  const Limits limits_;
  const Sink sink_;

  Mutex mutex_;
  absl::flat_hash_set<size_t> seen_ ABSL_GUARDED_BY(mutex_);
  Clock::time_point span_start_ ABSL_GUARDED_BY(mutex_){};
  uint32_t lines_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t suppressed_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_ERROR_LOG_H_
