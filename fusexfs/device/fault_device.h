// SPDX-License-Identifier: GPL-2.0-or-later
// A wrapper that makes chosen reads of another device fail, to prove that an
// I/O error of any read is survived and reported.
//
// It also counts the reads, so that a test can fail each of them in turn, and
// keeps what was read and prefetched, so that a test can judge the reading
// ahead. Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_DEVICE_FAULT_DEVICE_H_
#define FUSEXFS_FUSEXFS_DEVICE_FAULT_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "fusexfs/device/device.h"
#include "fusexfs/trace/mutex.h"

namespace fusexfs {

class FaultDevice : public Device {
 public:
  struct Access {
    bool is_prefetch = false;
    uint64_t offset = 0;
    uint64_t length = 0;
  };

  // The base must not be null. It may be shared, as golden images are.
  explicit FaultDevice(std::shared_ptr<const Device> base)
      : base_(std::move(base)) {}

  // Every read that touches the range fails with EIO, until Heal.
  void FailRange(uint64_t offset, uint64_t length);
  // The n-th read from now on fails, counted from 1, once.
  void FailRead(uint64_t n) { countdown_.store(n, std::memory_order_relaxed); }
  void Heal();

  uint64_t reads() const { return reads_.load(std::memory_order_relaxed); }
  // All since the last call, in order.
  std::vector<Access> TakeAccesses() const;

  uint64_t size() const override { return base_->size(); }
  const std::string& name() const override { return base_->name(); }
  absl::Status ReadAt(uint64_t offset,
                      ondisk::MutableBytes into) const override;
  void Prefetch(uint64_t offset, uint64_t length) const override;

 private:
  struct Range {
    uint64_t offset, length;
  };
  bool InBadRange(uint64_t offset, uint64_t length) const;
  bool IsCountedOut() const;
  void Note(const Access& access) const;

  const std::shared_ptr<const Device> base_;
  mutable std::atomic<uint64_t> reads_{0};
  mutable std::atomic<uint64_t> countdown_{0};  // 0: off
  mutable Mutex mutex_;
  std::vector<Range> bad_ ABSL_GUARDED_BY(mutex_);
  mutable std::vector<Access> accesses_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_FAULT_DEVICE_H_
