// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/trace/sleeping_semaphore.h"

namespace fusexfs {

// The grant goes from the unlocking thread to one waiter, out of the analysis's
// sight.
void SleepingSemaphore::Lock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  Waiter self;
  {
    MutexLock lock(mutex_);
    if (!held_) {
      held_ = true;
      return;
    }
    (last_ == nullptr ? first_ : last_->next) = &self;
    last_ = &self;
  }
  self.granted.wait(false, std::memory_order_acquire);
}

void SleepingSemaphore::Unlock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  MutexLock lock(mutex_);
  Waiter* waiter = first_;
  if (waiter == nullptr) {
    held_ = false;
    return;
  }
  first_ = waiter->next;
  if (first_ == nullptr) last_ = nullptr;
  // `waiter` may be gone as soon as it is granted; a wake-up of a stale address
  // is harmless.
  std::atomic<bool>& granted = waiter->granted;
  granted.store(true, std::memory_order_release);
  granted.notify_one();
}

}  // namespace fusexfs
