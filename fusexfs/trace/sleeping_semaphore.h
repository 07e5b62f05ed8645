// SPDX-License-Identifier: GPL-2.0-or-later
// A lock that is handed over in the order of arrival, and whose waiters sleep:
// the kind that the kernel puts on each metadata buffer.
//
// Whoever comes first gets it first, even if the lock is free for a moment and
// a running thread could have taken it. That is fair, and it is what makes the
// lock expensive when many want it: each handover wakes a sleeper.
//
// Thread-safety: safe for any number of threads. Not recursive.
// Source (of the behaviour): kernel/locking/semaphore.c.
#ifndef FUSEXFS_FUSEXFS_TRACE_SLEEPING_SEMAPHORE_H_
#define FUSEXFS_FUSEXFS_TRACE_SLEEPING_SEMAPHORE_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "fusexfs/trace/mutex.h"

namespace fusexfs {

class ABSL_LOCKABLE SleepingSemaphore {
 public:
  SleepingSemaphore() = default;
  SleepingSemaphore(const SleepingSemaphore&) = delete;
  SleepingSemaphore& operator=(const SleepingSemaphore&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION();
  void Unlock() ABSL_UNLOCK_FUNCTION();

 private:
  struct Waiter {  // on the waiting thread's stack
    std::atomic<bool> granted{false};
    Waiter* next = nullptr;
  };

  Mutex mutex_;
  bool held_ ABSL_GUARDED_BY(mutex_) = false;
  Waiter* first_ ABSL_GUARDED_BY(mutex_) = nullptr;
  Waiter* last_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

class ABSL_SCOPED_LOCKABLE SemaphoreLock {
 public:
  explicit SemaphoreLock(SleepingSemaphore& semaphore)
      ABSL_EXCLUSIVE_LOCK_FUNCTION(semaphore)
      : semaphore_(semaphore) {
    semaphore_.Lock();
  }
  ~SemaphoreLock() ABSL_UNLOCK_FUNCTION() { semaphore_.Unlock(); }
  SemaphoreLock(const SemaphoreLock&) = delete;
  SemaphoreLock& operator=(const SemaphoreLock&) = delete;

 private:
  SleepingSemaphore& semaphore_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_TRACE_SLEEPING_SEMAPHORE_H_
