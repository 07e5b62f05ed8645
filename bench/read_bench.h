// SPDX-License-Identifier: GPL-2.0-or-later
// `fusexfs-bench read`: what reading costs through each door.
//
// Operations, each cold (door opened afresh, the system's caches dropped) and
// warm (the second time and later):
//   walk     every directory and the attributes of every name
//   read     the largest file, from its start
//   random   4 KiB at random places of it
//   fiemap   all extents of many files
// The doors take turns within each run, so that what disturbs the machine
// disturbs all.
#ifndef FUSEXFS_BENCH_READ_BENCH_H_
#define FUSEXFS_BENCH_READ_BENCH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/door.h"
#include "bench/report.h"

namespace fusexfs::bench {

struct ReadOptions {
  uint32_t runs = 5;
  uint64_t read_bytes = uint64_t{256} << 20;  // at most, of the largest file
  uint32_t read_size = 128 << 10;             // bytes of one sequential read
  uint32_t random_reads = 20000;
  uint32_t fiemap_files = 20000;  // fewer files are mapped again in turn
  bool cold = true;               // needs root
};

// Opens and closes the doors as needed; they are closed at the end.
absl::StatusOr<std::vector<Cell>> RunReadBench(
    const ReadOptions& options,
    const std::vector<std::unique_ptr<Door>>& doors);

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_READ_BENCH_H_
