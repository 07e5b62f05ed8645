// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/measure.h"

#include <sys/resource.h>

#include <algorithm>

namespace fusexfs::bench {
namespace {

double OwnCpuMs() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 +
           static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

}  // namespace

Stopwatch::Stopwatch(const Door& door)
    : door_(door),
      start_(std::chrono::steady_clock::now()),
      own_cpu_ms_(OwnCpuMs()),
      server_cpu_ms_(door.ServerCpuMs()) {}

Sample Stopwatch::Stop() const {
  const std::chrono::duration<double, std::milli> wall =
      std::chrono::steady_clock::now() - start_;
  return {wall.count(),
          OwnCpuMs() - own_cpu_ms_ + door_.ServerCpuMs() - server_cpu_ms_};
}

Summary Summary::Of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1
                            ? values[half]
                            : (values[half - 1] + values[half]) / 2;
  return {values.front(), median, values.back()};
}

}  // namespace fusexfs::bench
