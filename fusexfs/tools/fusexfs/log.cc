// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/fusexfs/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/syslog_sink.h>
#include <spdlog/spdlog.h>
#include <syslog.h>

#include <memory>
#include <utility>

namespace fusexfs::tool {

namespace {

void Use(spdlog::sink_ptr sink, const char* pattern) {
  auto logger = std::make_shared<spdlog::logger>("fusexfs", std::move(sink));
  logger->set_pattern(pattern);
  logger->set_level(spdlog::level::debug);
  logger->flush_on(spdlog::level::debug);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace

void LogToStandardError() {
  Use(std::make_shared<spdlog::sinks::stderr_sink_mt>(), "fusexfs: %v");
}

void LogToSyslog() {
  constexpr bool kFormatted = true;
  Use(std::make_shared<spdlog::sinks::syslog_sink_mt>("fusexfs", LOG_PID,
                                                      LOG_DAEMON, kFormatted),
      "%v");
}

}  // namespace fusexfs::tool
