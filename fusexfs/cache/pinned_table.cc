// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/cache/pinned_table.h"

#include <algorithm>
#include <bit>
#include <thread>

#include <pthread.h>

namespace fusexfs::internal {
namespace {

// 16 bytes each: at least 16 KiB, at most 16 MiB of buckets.
constexpr uint64_t kLeastBuckets = 1u << 10;
constexpr uint64_t kMostBuckets = 1u << 20;

// Retired entries that may wait for a grace period together.
constexpr uint64_t kMostRetired = 64;

// Keys are addresses with regular low bits; liburcu's table wants every bit of
// the hash to matter. (The finalizer of MurmurHash3.)
uint64_t Hash(uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdu;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53u;
  key ^= key >> 33;
  return key;
}

// A daemon opens the image, says what is wrong with it, and forks.
void SurviveFork() {
  static const int registered =
      pthread_atfork(&urcu_bp_before_fork, &urcu_bp_after_fork_parent,
                     &urcu_bp_after_fork_child);
  static_cast<void>(registered);
}

// The number of buckets is fixed: growing would need a worker thread, which
// would not survive the fork.
cds_lfht* NewHashTable(uint64_t expected_entries) {
  SurviveFork();
  const uint64_t buckets =
      std::bit_ceil(std::clamp(expected_entries, kLeastBuckets, kMostBuckets));
  cds_lfht* table = cds_lfht_new_flavor(buckets, buckets, buckets, 0,
                                        &urcu_bp_flavor, nullptr);
  if (table == nullptr) throw std::bad_alloc();
  return table;
}

}  // namespace

PinnedTableCore::PinnedTableCore(uint64_t limit_bytes,
                                 uint64_t expected_entries)
    : limit_bytes_(limit_bytes), hash_table_(NewHashTable(expected_entries)) {}

PinnedTableCore::~PinnedTableCore() {
  DropUnused();
  cds_lfht_destroy(hash_table_, nullptr);
}

bool PinnedTableCore::TryPin(PinnedEntry& entry) {
  uint32_t pins = entry.pins_.load(std::memory_order_relaxed);
  do {
    if (pins & kDoomed) return false;
  } while (!entry.pins_.compare_exchange_weak(
      pins, pins + 1, std::memory_order_acquire, std::memory_order_relaxed));
  return true;
}

int PinnedTableCore::Matches(cds_lfht_node* node, const void* key) {
  auto* link = reinterpret_cast<PinnedEntry::Link*>(node);
  RcuFound(link);
  return link->entry->key_ == *static_cast<const uint64_t*>(key);
}

PinnedEntry* PinnedTableCore::Find(uint64_t key) {
  RcuReadSection section;
  cds_lfht_iter iterator;
  cds_lfht_lookup(hash_table_, Hash(key), &Matches, &key, &iterator);
  cds_lfht_node* node = cds_lfht_iter_get_node(&iterator);
  if (node == nullptr) return nullptr;
  PinnedEntry* entry = reinterpret_cast<PinnedEntry::Link*>(node)->entry;
  return TryPin(*entry) ? entry : nullptr;
}

bool PinnedTableCore::Contains(uint64_t key) const {
  RcuReadSection section;
  cds_lfht_iter iterator;
  cds_lfht_lookup(hash_table_, Hash(key), &Matches, &key, &iterator);
  return cds_lfht_iter_get_node(&iterator) != nullptr;
}

PinnedEntry* PinnedTableCore::Add(PinnedEntry* fresh) {
  RcuReadSection section;
  RcuPublishing(&fresh->link_);
  cds_lfht_node* node =
      cds_lfht_add_unique(hash_table_, Hash(fresh->key_), &Matches,
                          &fresh->key_, &fresh->link_.node);
  PinnedEntry* entry = reinterpret_cast<PinnedEntry::Link*>(node)->entry;
  if (entry == fresh || TryPin(*entry)) return entry;
  return nullptr;
}

absl::StatusOr<PinnedEntry*> PinnedTableCore::Get(
    uint64_t key, absl::FunctionRef<std::unique_ptr<PinnedEntry>()> make,
    absl::FunctionRef<absl::StatusOr<uint64_t>(PinnedEntry&)> load) {
  PinnedEntry* entry = Find(key);
  if (entry == nullptr) {
    std::unique_ptr<PinnedEntry> fresh = make();
    fresh->table_ = this;
    while ((entry = Add(fresh.get())) == nullptr) std::this_thread::yield();
    if (entry == fresh.get()) {
      static_cast<void>(fresh.release());  // the table's now
      misses_.Add();
      absl::Status status = Load(*entry, load);
      if (!status.ok()) Unpin(entry);
      ReclaimIfDue();
      if (!status.ok()) return status;
      return entry;
    }
  }
  hits_.Add();
  uint32_t state;
  while ((state = entry->state_.load(std::memory_order_acquire)) == kLoading) {
    entry->state_.wait(kLoading, std::memory_order_acquire);
  }
  if (state == kFailed) {
    absl::Status error = entry->error_;
    Unpin(entry);
    return error;
  }
  if (!entry->referenced_.load(std::memory_order_relaxed)) {
    entry->referenced_.store(true, std::memory_order_relaxed);
  }
  return entry;
}

absl::StatusOr<PinnedEntry*> PinnedTableCore::LoadApart(
    std::unique_ptr<PinnedEntry> entry,
    absl::FunctionRef<absl::StatusOr<uint64_t>(PinnedEntry&)> load) {
  entry->table_ = this;
  // As if it had failed: the last one to unpin it retires it.
  entry->pins_.store(kDoomed | 1, std::memory_order_relaxed);
  entry->state_.store(kReady, std::memory_order_relaxed);
  const absl::StatusOr<uint64_t> bytes = load(*entry);
  ReclaimIfDue();
  if (!bytes.ok()) return bytes.status();
  return entry.release();
}

void PinnedTableCore::ReclaimIfDue() {
  if (bytes_.load(std::memory_order_relaxed) > limit_bytes_ ||
      retired_count_.load(std::memory_order_relaxed) > kMostRetired) {
    // A little below, so that not every miss has to reclaim.
    Reclaim(limit_bytes_ - limit_bytes_ / 16, /*second_chance=*/true);
  }
}

absl::Status PinnedTableCore::Load(
    PinnedEntry& entry,
    absl::FunctionRef<absl::StatusOr<uint64_t>(PinnedEntry&)> load) {
  absl::StatusOr<uint64_t> bytes = load(entry);
  if (!bytes.ok()) {
    entry.error_ = bytes.status();
    // First out of the table, then without pins: those who found it in time
    // get the error, and nobody finds it afterwards.
    Remove(entry);
    entry.pins_.fetch_or(kDoomed, std::memory_order_relaxed);
    entry.state_.store(kFailed, std::memory_order_release);
    entry.state_.notify_all();
    return bytes.status();
  }
  entry.charge_.store(*bytes, std::memory_order_relaxed);
  bytes_.fetch_add(*bytes, std::memory_order_relaxed);
  {
    MutexLock lock(mutex_);
    LinkIntoRing(entry);
  }
  entry.state_.store(kReady, std::memory_order_release);
  entry.state_.notify_all();
  return absl::OkStatus();
}

void PinnedTableCore::Remove(PinnedEntry& entry) {
  RcuReadSection section;
  cds_lfht_del(hash_table_, &entry.link_.node);
}

void PinnedTableCore::Unpin(PinnedEntry* entry) {
  const uint32_t pins = entry->pins_.fetch_sub(1, std::memory_order_acq_rel);
  if (pins == (kDoomed | 1)) entry->table_->Retire(*entry);
}

void PinnedTableCore::Charge(const PinnedEntry& entry, uint64_t more_bytes) {
  entry.charge_.fetch_add(more_bytes, std::memory_order_relaxed);
  entry.table_->bytes_.fetch_add(more_bytes, std::memory_order_relaxed);
}

void PinnedTableCore::LinkIntoRing(PinnedEntry& entry) {
  // Behind the hand: the last that it comes to.
  if (hand_ == nullptr) {
    hand_ = entry.ring_next_ = entry.ring_previous_ = &entry;
  } else {
    entry.ring_next_ = hand_;
    entry.ring_previous_ = hand_->ring_previous_;
    entry.ring_previous_->ring_next_ = &entry;
    hand_->ring_previous_ = &entry;
  }
  ++ring_size_;
}

void PinnedTableCore::UnlinkFromRing(PinnedEntry& entry) {
  entry.ring_previous_->ring_next_ = entry.ring_next_;
  entry.ring_next_->ring_previous_ = entry.ring_previous_;
  if (hand_ == &entry) {
    hand_ = entry.ring_next_ == &entry ? nullptr : entry.ring_next_;
  }
  --ring_size_;
}

PinnedEntry* PinnedTableCore::Collect(uint64_t target_bytes,
                                      bool second_chance) {
  PinnedEntry* doomed = nullptr;
  // Twice around: the first time may only take marks away.
  for (uint64_t steps = 2 * ring_size_;
       steps > 0 && hand_ != nullptr &&
       (!second_chance ||
        bytes_.load(std::memory_order_relaxed) > target_bytes);
       --steps) {
    PinnedEntry& entry = *hand_;
    uint32_t unpinned = 0;
    if ((second_chance &&
         entry.referenced_.exchange(false, std::memory_order_relaxed)) ||
        !entry.pins_.compare_exchange_strong(unpinned, kDoomed,
                                             std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
      hand_ = entry.ring_next_;
      continue;
    }
    Remove(entry);
    UnlinkFromRing(entry);
    bytes_.fetch_sub(entry.charge_.load(std::memory_order_relaxed),
                     std::memory_order_relaxed);
    reclaimed_.Add();
    entry.ring_next_ = doomed;
    doomed = &entry;
  }
  return doomed;
}

void PinnedTableCore::Reclaim(uint64_t target_bytes, bool second_chance) {
  PinnedEntry* lists[2];
  {
    MutexLock lock(mutex_);
    lists[0] = Collect(target_bytes, second_chance);
    lists[1] = std::exchange(retired_, nullptr);
    retired_count_.store(0, std::memory_order_relaxed);
  }
  if (lists[0] == nullptr && lists[1] == nullptr) return;
  RcuSynchronize();
  for (PinnedEntry* list : lists) {
    while (list != nullptr) {
      delete std::exchange(list, list->ring_next_);
    }
  }
}

void PinnedTableCore::Retire(PinnedEntry& entry) {
  MutexLock lock(mutex_);
  entry.ring_next_ = std::exchange(retired_, &entry);
  retired_count_.fetch_add(1, std::memory_order_relaxed);
}

void PinnedTableCore::DropUnused() {
  Reclaim(/*target_bytes=*/0, /*second_chance=*/false);
}

PinnedTableCore::Counters PinnedTableCore::counters() const {
  Counters counters{hits_.Sum(), misses_.Sum(), reclaimed_.Sum(),
                    bytes_.load(std::memory_order_relaxed), 0};
  MutexLock lock(mutex_);
  counters.entries = ring_size_;
  return counters;
}

}  // namespace fusexfs::internal
