// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/cache/pinned_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <random>
#include <thread>

#include "libondisk/status.h"
#include "tests/support/threads.h"

namespace fusexfs {
namespace {

constexpr uint64_t kEntryBytes = 1000;

// Knows how many of its kind are alive.
struct Thing : PinnedEntry {
  explicit Thing(uint64_t key) : PinnedEntry(key) { ++alive; }
  ~Thing() override {
    value = 0;
    --alive;
  }
  uint64_t value = 0;  // key * 3 once loaded

  static inline std::atomic<int> alive{0};
};

absl::StatusOr<uint64_t> Fill(Thing& thing) {
  thing.value = thing.key() * 3;
  return kEntryBytes;
}

TEST(PinnedTable, LoadsOnceAndThenHits) {
  PinnedTable<Thing> table(1 << 20, 16);
  int loads = 0;
  const auto load = [&](Thing& thing) {
    ++loads;
    return Fill(thing);
  };
  for (int i = 0; i < 3; ++i) {
    auto pinned = table.Get(7, load);
    ASSERT_TRUE(pinned.ok());
    EXPECT_EQ((*pinned)->value, 21u);
  }
  EXPECT_EQ(loads, 1);
  EXPECT_EQ(table.counters().hits, 2u);
  EXPECT_EQ(table.counters().misses, 1u);
  EXPECT_EQ(table.counters().entries, 1u);
  EXPECT_EQ(table.counters().bytes, kEntryBytes);
  EXPECT_TRUE(table.Contains(7));
  EXPECT_FALSE(table.Contains(8));
}

TEST(PinnedTable, OthersWaitForTheLoaderOfTheirKeyOnly) {
  PinnedTable<Thing> table(1 << 20, 16);
  std::atomic<bool> loading{false}, go_on{false};
  std::atomic<int> loads{0}, done{0};
  std::thread loader([&] {
    auto pinned = table.Get(1, [&](Thing& thing) {
      ++loads;
      loading = true;
      go_on.wait(false);
      return Fill(thing);
    });
    ASSERT_TRUE(pinned.ok());
  });
  while (!loading) std::this_thread::yield();
  std::thread waiter([&] {
    auto pinned = table.Get(1, [&](Thing& thing) {
      ++loads;
      return Fill(thing);
    });
    ASSERT_TRUE(pinned.ok());
    EXPECT_EQ((*pinned)->value, 3u);
    ++done;
  });
  // Another key is served meanwhile.
  ASSERT_TRUE(table.Get(2, Fill).ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(done, 0);
  go_on = true;
  go_on.notify_all();
  loader.join();
  waiter.join();
  EXPECT_EQ(done, 1);
  EXPECT_EQ(loads, 1);
}

TEST(PinnedTable, FailedLoadGoesToItsWaitersAndIsNotKept) {
  PinnedTable<Thing> table(1 << 20, 16);
  std::atomic<bool> loading{false}, go_on{false};
  std::thread loader([&] {
    auto pinned = table.Get(5, [&](Thing&) -> absl::StatusOr<uint64_t> {
      loading = true;
      go_on.wait(false);
      return ondisk::PosixError(EIO, "no luck");
    });
    EXPECT_EQ(ondisk::ErrnoOf(pinned.status()), EIO);
  });
  while (!loading) std::this_thread::yield();
  std::atomic<int> errors{0};
  std::thread waiter([&] {
    auto pinned = table.Get(5, Fill);
    if (ondisk::ErrnoOf(pinned.status()) == EIO) ++errors;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  go_on = true;
  go_on.notify_all();
  loader.join();
  waiter.join();
  EXPECT_EQ(errors, 1);
  EXPECT_FALSE(table.Contains(5));
  auto again = table.Get(5, Fill);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)->value, 15u);
  EXPECT_EQ(table.counters().bytes, kEntryBytes);
}

TEST(PinnedTable, StaysNearItsLimitAndSparesWhatIsPinned) {
  PinnedTable<Thing> table(20 * kEntryBytes, 16);
  auto kept = table.Get(100000, Fill);
  ASSERT_TRUE(kept.ok());
  for (uint64_t key = 0; key < 1000; ++key) {
    ASSERT_TRUE(table.Get(key, Fill).ok());
    EXPECT_LE(table.counters().bytes, 20 * kEntryBytes);
  }
  EXPECT_TRUE(table.Contains(100000));
  EXPECT_EQ((*kept)->value, 300000u);
  EXPECT_GE(table.counters().reclaimed, 980u);
  EXPECT_LE(Thing::alive, 21);
}

TEST(PinnedTable, SparesWhatWasUsedSinceTheLastSweep) {
  PinnedTable<Thing> table(20 * kEntryBytes, 16);
  for (uint64_t key = 0; key < 1000; ++key) {
    ASSERT_TRUE(table.Get(key, Fill).ok());
    ASSERT_TRUE(table.Get(0, Fill).ok());
  }
  // Key 0 was wanted all the time and read once.
  EXPECT_EQ(table.counters().misses, 1000u);
}

TEST(PinnedTable, CountsWhatAnEntryGrowsBy) {
  PinnedTable<Thing> table(20 * kEntryBytes, 16);
  {
    auto big = table.Get(1, Fill);
    ASSERT_TRUE(big.ok());
    big->Charge(30 * kEntryBytes);
    EXPECT_EQ(table.counters().bytes, 31 * kEntryBytes);
  }
  ASSERT_TRUE(table.Get(2, Fill).ok());
  EXPECT_FALSE(table.Contains(1));
  EXPECT_EQ(table.counters().bytes, kEntryBytes);
}

TEST(PinnedTable, DropUnusedLeavesOnlyPinnedEntries) {
  PinnedTable<Thing> table(1 << 20, 16);
  auto kept = table.Get(1, Fill);
  for (uint64_t key = 2; key < 50; ++key)
    ASSERT_TRUE(table.Get(key, Fill).ok());
  table.DropUnused();
  EXPECT_EQ(table.counters().entries, 1u);
  EXPECT_EQ(table.counters().bytes, kEntryBytes);
  EXPECT_TRUE(table.Contains(1));
  EXPECT_FALSE(table.Contains(2));
}

TEST(PinnedTable, EntryApartIsFoundByNobodyAndFreed) {
  const int before = Thing::alive;
  PinnedTable<Thing> table(20 * kEntryBytes, 16);
  auto in_table = table.Get(1, Fill);
  ASSERT_TRUE(in_table.ok());
  for (int i = 0; i < 500; ++i) {
    auto apart =
        table.LoadApart(1, [](Thing& thing) -> absl::StatusOr<uint64_t> {
          thing.value = 99;
          return kEntryBytes;
        });
    ASSERT_TRUE(apart.ok());
    EXPECT_EQ((*apart)->value, 99u);
    EXPECT_EQ((*table.Get(1, Fill))->value, 3u);
    ASSERT_TRUE(table.Get(static_cast<uint64_t>(i) + 100, Fill).ok());
    EXPECT_LE(Thing::alive, before + 20 + 70);
  }
}

TEST(PinnedTable, FreesEverythingWithTheTable) {
  {
    PinnedTable<Thing> table(1 << 20, 16);
    for (uint64_t key = 0; key < 50; ++key) {
      ASSERT_TRUE(table.Get(key, Fill).ok());
      EXPECT_FALSE(table
                       .Get(key + 1000,
                            [](Thing&) -> absl::StatusOr<uint64_t> {
                              return absl::InternalError("x");
                            })
                       .ok());
    }
  }
  EXPECT_EQ(Thing::alive, 0);
}

// Many threads, few bytes, some loads that fail: entries come and go all the
// time. Under ThreadSanitizer and AddressSanitizer this is the proof of the
// reclaim protocol.
TEST(PinnedTable, ThrashesWithoutLosingOrMixingEntries) {
  {
    PinnedTable<Thing> table(8 * kEntryBytes, 16);
    std::atomic<uint64_t> failures{0}, wrong{0};
    InThreads(8, [&](int i) {
      std::minstd_rand random(static_cast<unsigned>(i) + 1);
      Pinned<Thing> held;
      for (int n = 0; n < 20000; ++n) {
        const uint64_t key = random() % 40;
        auto pinned =
            table.Get(key, [&](Thing& thing) -> absl::StatusOr<uint64_t> {
              if (random() % 16 == 0) return absl::InternalError("x");
              return Fill(thing);
            });
        if (!pinned.ok()) {
          ++failures;
          continue;
        }
        if ((*pinned)->value != key * 3 || (*pinned)->key() != key) ++wrong;
        if (n % 8 == 0) held = *std::move(pinned);
        if (held && held->value != held->key() * 3) ++wrong;
        if (n % 5000 == 0) table.DropUnused();
      }
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(failures, 0u);
    EXPECT_GT(table.counters().reclaimed, 100u);
    table.DropUnused();
    EXPECT_EQ(table.counters().bytes, 0u);
    EXPECT_EQ(table.counters().entries, 0u);
  }
  EXPECT_EQ(Thing::alive, 0);
}

// A damaged block may be asked for again and again.
TEST(PinnedTable, FailuresDoNotPileUp) {
  PinnedTable<Thing> table(1 << 20, 16);
  const auto fail = [](Thing&) -> absl::StatusOr<uint64_t> {
    return absl::InternalError("x");
  };
  for (int n = 0; n < 10000; ++n) {
    ASSERT_FALSE(table.Get(7, fail).ok());
    ASSERT_LT(Thing::alive, 100) << n;
  }
}

TEST(PinnedTable, EntriesApartDoNotPileUp) {
  PinnedTable<Thing> table(1 << 20, 16);
  for (int n = 0; n < 10000; ++n) {
    ASSERT_TRUE(table.LoadApart(7, Fill).ok());
    ASSERT_LT(Thing::alive, 100) << n;
  }
}

TEST(PinnedTable, HitsOfManyThreadsOnOneEntry) {
  PinnedTable<Thing> table(1 << 20, 16);
  std::atomic<uint64_t> wrong{0};
  InThreads(8, [&](int) {
    for (int n = 0; n < 20000; ++n) {
      auto pinned = table.Get(9, Fill);
      if (!pinned.ok() || (*pinned)->value != 27) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(table.counters().misses, 1u);
}

}  // namespace
}  // namespace fusexfs
