// SPDX-License-Identifier: GPL-2.0-or-later
// Wall and CPU time of a piece of work, and the summary of several runs.
//
// CPU time is that of this process and of the door's daemon. Kernel threads
// that work for either (the loop device's) are not in it.
// Thread-safety: plain values; a Stopwatch belongs to one thread.
#ifndef FUSEXFS_BENCH_MEASURE_H_
#define FUSEXFS_BENCH_MEASURE_H_

#include <chrono>
#include <cstdint>
#include <vector>

#include "bench/door.h"

namespace fusexfs::bench {

struct Sample {
  double wall_ms = 0;
  double cpu_ms = 0;
};

class Stopwatch {
 public:
  explicit Stopwatch(const Door& door);
  Sample Stop() const;

 private:
  const Door& door_;
  const std::chrono::steady_clock::time_point start_;
  const double own_cpu_ms_, server_cpu_ms_;
};

struct Summary {
  double min = 0, median = 0, max = 0;

  // REQUIRES: at least one value.
  static Summary Of(std::vector<double> values);
};

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_MEASURE_H_
