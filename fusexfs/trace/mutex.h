// SPDX-License-Identifier: GPL-2.0-or-later
// trace/: what every room is watched and guarded with: counters, and the mutex
// that Clang's thread-safety analysis understands.
//
// Mutex is std::mutex under the names that absl's annotation macros expect.
// (absl::Mutex itself is not used: the distributions' library is not built for
// ThreadSanitizer, which then sees no lock at all.) The one order in which
// locks are taken stands in fusexfs/LOCKING.md.
//
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_TRACE_MUTEX_H_
#define FUSEXFS_FUSEXFS_TRACE_MUTEX_H_

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace fusexfs {

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_TRACE_MUTEX_H_
