// SPDX-License-Identifier: GPL-2.0-or-later
// The result of an experiment: cells, as a table for people and as JSON.
//
// Thread-safety: plain values.
#ifndef FUSEXFS_BENCH_REPORT_H_
#define FUSEXFS_BENCH_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bench/measure.h"
#include "nlohmann/json.hpp"

namespace fusexfs::bench {

struct Cell {
  std::string operation;
  std::string door;
  uint64_t items = 0;   // entries, bytes, reads, files
  std::string unit;     // what an item is
  uint64_t errors = 0;  // failed calls, and answers unlike the first door's
  std::vector<Sample> samples;

  Summary WallMs() const;
  double CpuMs() const;  // median
};

struct Report {
  nlohmann::json options;
  std::vector<Cell> cells;  // those of one operation stand together

  // Wall time over that of the kernel's cell of the same operation.
  std::optional<double> RatioToKernel(const Cell& cell) const;
  uint64_t Errors() const;

  std::string Table() const;
  nlohmann::json ToJson() const;
  absl::Status WriteJson(const std::string& path) const;
};

// Processor, cores, memory, kernel, and this program's version.
nlohmann::json DescribeMachine();

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_REPORT_H_
