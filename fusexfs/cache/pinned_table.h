// SPDX-License-Identifier: GPL-2.0-or-later
// The mechanics that the buffer cache and the inode cache share: objects found
// by a 64-bit key without a lock, loaded once, pinned while in use, reclaimed
// when memory runs short.
//
//   PinnedTable<Inode> table(limit_bytes, expected_entries);
//   ONDISK_ASSIGN_OR_RETURN(Pinned<Inode> inode, table.Get(key, load));
//
// Get finds the entry, or adds an empty one and calls `load` to fill it; others
// who want the same key meanwhile wait for that entry only. If `load` fails,
// they all get its error, nothing stays in the table, and the next Get tries
// again. While a Pinned lives its entry stays. Entries that nobody pins are
// reclaimed in second-chance order once the charged bytes exceed the limit.
//
// Invariants: one entry per key is in the table; a pinned entry is never
// reclaimed; an entry is freed only after an RCU grace period.
// Thread-safety: safe for any number of threads. A hit takes no lock; a miss
// takes the table's own mutex for the bookkeeping, never across `load`.
// REQUIRES: a `load` does not ask the same table for the key it loads; all pins
// are gone before the table is.
#ifndef FUSEXFS_FUSEXFS_CACHE_PINNED_TABLE_H_
#define FUSEXFS_FUSEXFS_CACHE_PINNED_TABLE_H_

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "fusexfs/cache/rcu.h"
// After the flavour of RCU.
#include <urcu/rculfhash.h>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/trace/counter.h"
#include "fusexfs/trace/mutex.h"

namespace fusexfs {

namespace internal {
class PinnedTableCore;
}  // namespace internal

// The base of what a PinnedTable holds. Derived classes have a constructor that
// takes the key, and are filled by `load`.
class PinnedEntry {
 public:
  explicit PinnedEntry(uint64_t key) : key_(key) { link_.entry = this; }
  virtual ~PinnedEntry() = default;
  PinnedEntry(const PinnedEntry&) = delete;
  PinnedEntry& operator=(const PinnedEntry&) = delete;

  uint64_t key() const { return key_; }

 protected:
  // Adds to what the entry is charged with (it grew). Reclaim follows at the
  // table's next miss.
  void Charge(uint64_t more_bytes) const;

 private:
  friend class internal::PinnedTableCore;

  // What liburcu's table links; its node leads back to the entry.
  struct Link {
    cds_lfht_node node;
    PinnedEntry* entry;
  };

  const uint64_t key_;
  Link link_;
  std::atomic<uint32_t> pins_{1};  // a new entry is pinned by its loader
  std::atomic<uint32_t> state_{0};
  std::atomic<bool> referenced_{false};
  mutable std::atomic<uint64_t> charge_{0};  // bytes
  internal::PinnedTableCore* table_ = nullptr;
  absl::Status error_;  // set before state_ says that loading failed
  // The reclaim ring; protected by the table's mutex.
  PinnedEntry* ring_next_ = nullptr;
  PinnedEntry* ring_previous_ = nullptr;
};

namespace internal {

// The part that does not depend on the type.
class PinnedTableCore {
 public:
  struct Counters {
    uint64_t hits, misses, reclaimed;
    uint64_t bytes, entries;  // now
  };

  PinnedTableCore(uint64_t limit_bytes, uint64_t expected_entries);
  ~PinnedTableCore();

  // `load` returns the bytes that the entry is charged with.
  absl::StatusOr<PinnedEntry*> Get(
      uint64_t key, absl::FunctionRef<std::unique_ptr<PinnedEntry>()> make,
      absl::FunctionRef<absl::StatusOr<uint64_t>(PinnedEntry&)> load);
  // An entry that is in no table.
  absl::StatusOr<PinnedEntry*> LoadApart(
      std::unique_ptr<PinnedEntry> entry,
      absl::FunctionRef<absl::StatusOr<uint64_t>(PinnedEntry&)> load);
  bool Contains(uint64_t key) const;
  static void Unpin(PinnedEntry* entry);
  static void Charge(const PinnedEntry& entry, uint64_t more_bytes);
  void DropUnused();
  Counters counters() const;

 private:
  static constexpr uint32_t kDoomed = 1u << 31;  // in pins_: no pin any more
  enum State : uint32_t { kLoading, kReady, kFailed };

  static bool TryPin(PinnedEntry& entry);
  static int Matches(cds_lfht_node* node, const void* key);
  // The pinned entry of `key`, or null.
  PinnedEntry* Find(uint64_t key);
  // Adds `fresh`, or pins the entry that was there first. Null: a reclaimed
  // entry is about to leave; try again.
  PinnedEntry* Add(PinnedEntry* fresh);
  absl::Status Load(
      PinnedEntry& entry,
      absl::FunctionRef<absl::StatusOr<uint64_t>(PinnedEntry&)> load);
  void Remove(PinnedEntry& entry);
  void LinkIntoRing(PinnedEntry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void UnlinkFromRing(PinnedEntry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Dooms unpinned entries until at most `target_bytes` are charged;
  // `second_chance`: spares those that were used since the hand came by.
  // Returns them chained by ring_next_.
  PinnedEntry* Collect(uint64_t target_bytes, bool second_chance)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Reclaim(uint64_t target_bytes, bool second_chance)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // What each miss does, whether it loaded or failed.
  void ReclaimIfDue() ABSL_LOCKS_EXCLUDED(mutex_);
  void Retire(PinnedEntry& entry) ABSL_LOCKS_EXCLUDED(mutex_);

  const uint64_t limit_bytes_;
  cds_lfht* const hash_table_;

  Counter hits_, misses_, reclaimed_;
  std::atomic<uint64_t> bytes_{0};
  std::atomic<uint64_t> retired_count_{0};

  mutable Mutex mutex_;
  PinnedEntry* hand_ ABSL_GUARDED_BY(mutex_) = nullptr;  // into the ring
  uint64_t ring_size_ ABSL_GUARDED_BY(mutex_) = 0;
  // Entries that nobody will use again, until the next grace period.
  PinnedEntry* retired_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace internal

inline void PinnedEntry::Charge(uint64_t more_bytes) const {
  internal::PinnedTableCore::Charge(*this, more_bytes);
}

// Keeps an entry while it lives. Movable, not copyable.
template <class T>
class Pinned {
 public:
  Pinned() = default;
  Pinned(Pinned&& other) noexcept
      : entry_(std::exchange(other.entry_, nullptr)) {}
  Pinned& operator=(Pinned&& other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~Pinned() {
    if (entry_ != nullptr) internal::PinnedTableCore::Unpin(entry_);
  }

  explicit operator bool() const { return entry_ != nullptr; }
  T* get() const { return entry_; }
  T& operator*() const { return *entry_; }
  T* operator->() const { return entry_; }

  // Adds to what the entry is charged with, as the entry itself may.
  void Charge(uint64_t more_bytes) const {
    internal::PinnedTableCore::Charge(*entry_, more_bytes);
  }

 private:
  template <class U>
  friend class PinnedTable;
  explicit Pinned(T* entry) : entry_(entry) {}

  T* entry_ = nullptr;
};

template <class T>
class PinnedTable {
 public:
  using Counters = internal::PinnedTableCore::Counters;

  // `expected_entries` sizes the hash table (which does not grow).
  PinnedTable(uint64_t limit_bytes, uint64_t expected_entries)
      : core_(limit_bytes, expected_entries) {}

  // Pins the entry of `key`. `load(T&)` fills a new one and returns the bytes
  // to charge, or an error, which Get returns.
  absl::StatusOr<Pinned<T>> Get(
      uint64_t key, absl::FunctionRef<absl::StatusOr<uint64_t>(T&)> load) {
    static_assert(std::derived_from<T, PinnedEntry>);
    absl::StatusOr<PinnedEntry*> entry = core_.Get(
        key, [key] { return std::make_unique<T>(key); },
        [load](PinnedEntry& fresh) { return load(static_cast<T&>(fresh)); });
    if (!entry.ok()) return std::move(entry).status();
    return Pinned<T>(static_cast<T*>(*entry));
  }

  // An entry for the caller alone, whatever the table has under the key: loaded
  // now, found by nobody, charged to nothing, gone once it is not pinned.
  absl::StatusOr<Pinned<T>> LoadApart(
      uint64_t key, absl::FunctionRef<absl::StatusOr<uint64_t>(T&)> load) {
    absl::StatusOr<PinnedEntry*> entry = core_.LoadApart(
        std::make_unique<T>(key),
        [load](PinnedEntry& fresh) { return load(static_cast<T&>(fresh)); });
    if (!entry.ok()) return std::move(entry).status();
    return Pinned<T>(static_cast<T*>(*entry));
  }

  // Whether the entry is there, or being loaded, at this moment.
  bool Contains(uint64_t key) const { return core_.Contains(key); }
  // Reclaims every entry that nobody pins.
  void DropUnused() { core_.DropUnused(); }
  Counters counters() const { return core_.counters(); }

 private:
  internal::PinnedTableCore core_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_CACHE_PINNED_TABLE_H_
