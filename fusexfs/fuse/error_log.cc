// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/error_log.h"

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <string>
#include <utility>

#include "libondisk/status.h"

namespace fusexfs {

namespace {

bool IsWorthALine(int error) {
  return error == EUCLEAN || error == EIO || error == ENOMEM ||
         error == EBADMSG;
}

}  // namespace

ErrorLog::ErrorLog()
    : ErrorLog(Limits(), [](std::string_view line) { spdlog::error(line); }) {}

ErrorLog::ErrorLog(Limits limits, Sink sink)
    : limits_(limits), sink_(std::move(sink)) {}

void ErrorLog::Report(const absl::Status& status, Clock::time_point now) {
  if (!IsWorthALine(ondisk::ErrnoOf(status))) return;
  const std::string_view message = ondisk::MessageOf(status);
  const size_t place = std::hash<std::string_view>{}(message);

  uint64_t left_out = 0;
  {
    MutexLock lock(mutex_);
    if (seen_.contains(place)) return;
    if (now - span_start_ >= limits_.span) {
      span_start_ = now;
      lines_ = 0;
      left_out = std::exchange(suppressed_, 0);
    }
    if (lines_ >= limits_.lines_per_span) {
      ++suppressed_;
      return;
    }
    ++lines_;
    if (seen_.size() >= limits_.places) seen_.clear();
    seen_.insert(place);
  }
  if (left_out > 0) {
    sink_(fmt::format("{} more errors came too fast to be logged", left_out));
  }
  sink_(message);
}

}  // namespace fusexfs
