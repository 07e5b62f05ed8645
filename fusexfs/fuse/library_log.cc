// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/library_log.h"

#include <spdlog/spdlog.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "fusexfs/fuse/library.h"

namespace fusexfs {

namespace {

spdlog::level::level_enum LevelOf(fuse_log_level level) {
  switch (level) {
    case FUSE_LOG_DEBUG:
      return spdlog::level::debug;
    case FUSE_LOG_INFO:
    case FUSE_LOG_NOTICE:
      return spdlog::level::info;
    case FUSE_LOG_WARNING:
      return spdlog::level::warn;
    default:
      return spdlog::level::err;
  }
}

void Forward(fuse_log_level level, const char* format, va_list arguments) {
  std::array<char, 1024> text;
  const int length =
      std::vsnprintf(text.data(), text.size(), format, arguments);
  if (length < 0) return;
  std::string_view line(text.data());
  while (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (!line.empty()) spdlog::log(LevelOf(level), "{}", line);
}

}  // namespace

void RouteLibraryMessages() { fuse_set_log_func(Forward); }

}  // namespace fusexfs
