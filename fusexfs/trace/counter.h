// SPDX-License-Identifier: GPL-2.0-or-later
// A count of events that many threads add to and few read.
//
// The count is split over cache lines, so that two threads that count the same
// thing do not wait for each other's line. A sum taken while others add is the
// value of no particular moment, but never loses an event.
//
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_TRACE_COUNTER_H_
#define FUSEXFS_FUSEXFS_TRACE_COUNTER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fusexfs {

class Counter {
 public:
  void Add(uint64_t events = 1) {
    shards_[ShardOfThisThread()].count.fetch_add(events,
                                                 std::memory_order_relaxed);
  }
  uint64_t Sum() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) {
      sum += shard.count.load(std::memory_order_relaxed);
    }
    return sum;
  }

 private:
  static constexpr size_t kShards = 16;
  struct alignas(64) Shard {
    std::atomic<uint64_t> count{0};
  };

  static size_t ShardOfThisThread() {
    static std::atomic<size_t> threads{0};
    thread_local const size_t shard =
        threads.fetch_add(1, std::memory_order_relaxed) % kShards;
    return shard;
  }

  std::array<Shard, kShards> shards_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_TRACE_COUNTER_H_
