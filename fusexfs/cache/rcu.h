// SPDX-License-Identifier: GPL-2.0-or-later
// Userspace RCU (liburcu, "bulletproof" flavour), in the three steps that the
// project uses: read sections, publication, and waiting for the readers.
//
// liburcu is not built for ThreadSanitizer, so each step also tells it what the
// library guarantees. Everything that ThreadSanitizer must know about RCU is in
// this header.
//
// A thread in a read section must not wait for a lock, do I/O, or call
// RcuSynchronize. Threads need no registration.
// Source: liburcu's README and doc/rcu-api.md.
#ifndef FUSEXFS_FUSEXFS_CACHE_RCU_H_
#define FUSEXFS_FUSEXFS_CACHE_RCU_H_

#include <urcu/urcu-bp.h>

// GCC's macro first: with it, __has_feature may be a library's, always 0.
#if defined(__SANITIZE_THREAD__)
#define FUSEXFS_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FUSEXFS_THREAD_SANITIZER 1
#endif
#endif
#ifdef FUSEXFS_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace fusexfs {

// What is written before RcuPublishing(object) is seen after RcuFound(object).
inline void RcuPublishing([[maybe_unused]] void* object) {
#ifdef FUSEXFS_THREAD_SANITIZER
  __tsan_release(object);
#endif
}
inline void RcuFound([[maybe_unused]] void* object) {
#ifdef FUSEXFS_THREAD_SANITIZER
  __tsan_acquire(object);
#endif
}

namespace internal {
// Stands for "all read sections so far" in ThreadSanitizer's eyes.
inline char rcu_readers;
}  // namespace internal

// While one lives, nothing that this thread finds through RCU is freed.
class RcuReadSection {
 public:
  RcuReadSection() { urcu_bp_read_lock(); }
  ~RcuReadSection() {
    RcuPublishing(&internal::rcu_readers);
    urcu_bp_read_unlock();
  }
  RcuReadSection(const RcuReadSection&) = delete;
  RcuReadSection& operator=(const RcuReadSection&) = delete;
};

// Returns when every read section that was open at the call has ended: what was
// unpublished before may be freed after. REQUIRES: no read section of the
// caller's is open.
inline void RcuSynchronize() {
  urcu_bp_synchronize_rcu();
  RcuFound(&internal::rcu_readers);
}

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_CACHE_RCU_H_
