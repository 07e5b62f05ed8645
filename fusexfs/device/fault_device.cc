// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/fault_device.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs {

void FaultDevice::FailRange(uint64_t offset, uint64_t length) {
  MutexLock lock(mutex_);
  bad_.push_back({offset, length});
}

void FaultDevice::Heal() {
  countdown_.store(0, std::memory_order_relaxed);
  MutexLock lock(mutex_);
  bad_.clear();
}

bool FaultDevice::InBadRange(uint64_t offset, uint64_t length) const {
  MutexLock lock(mutex_);
  return std::ranges::any_of(bad_, [&](const Range& range) {
    return offset < range.offset + range.length &&
           range.offset < offset + length;
  });
}

bool FaultDevice::IsCountedOut() const {
  uint64_t left = countdown_.load(std::memory_order_relaxed);
  while (left > 0 && !countdown_.compare_exchange_weak(
                         left, left - 1, std::memory_order_relaxed)) {
  }
  return left == 1;
}

std::vector<FaultDevice::Access> FaultDevice::TakeAccesses() const {
  MutexLock lock(mutex_);
  return std::exchange(accesses_, {});
}

void FaultDevice::Note(const Access& access) const {
  MutexLock lock(mutex_);
  accesses_.push_back(access);
}

void FaultDevice::Prefetch(uint64_t offset, uint64_t length) const {
  Note({true, offset, length});
  base_->Prefetch(offset, length);
}

absl::Status FaultDevice::ReadAt(uint64_t offset,
                                 ondisk::MutableBytes into) const {
  reads_.fetch_add(1, std::memory_order_relaxed);
  Note({false, offset, into.size()});
  if (IsCountedOut() || InBadRange(offset, into.size())) {
    return ondisk::PosixError(
        EIO, fmt::format("{}: reading {} bytes at {}: injected fault", name(),
                         into.size(), offset));
  }
  return base_->ReadAt(offset, into);
}

}  // namespace fusexfs
