// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/trace/sleeping_semaphore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/support/threads.h"

namespace fusexfs {
namespace {

using ::testing::ElementsAre;

TEST(SleepingSemaphore, LetsOneThreadInAtATime) {
  SleepingSemaphore semaphore;
  uint64_t plain = 0;  // a race here is ThreadSanitizer's to find
  InThreads(8, [&](int) {
    for (int n = 0; n < 2000; ++n) {
      SemaphoreLock lock(semaphore);
      ++plain;
    }
  });
  EXPECT_EQ(plain, 8 * 2000);
}

TEST(SleepingSemaphore, IsHandedOverInOrderOfArrival) {
  SleepingSemaphore semaphore;
  std::vector<int> order;
  std::vector<std::thread> threads;
  semaphore.Lock();
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([&, i] {
      SemaphoreLock lock(semaphore);
      order.push_back(i);
    });
    // Long enough for the thread to be asleep in the queue.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  semaphore.Unlock();
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace fusexfs
