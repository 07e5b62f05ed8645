// SPDX-License-Identifier: GPL-2.0-or-later
// Runs one function in several threads at once and waits for all of them.
#ifndef FUSEXFS_TESTS_SUPPORT_THREADS_H_
#define FUSEXFS_TESTS_SUPPORT_THREADS_H_

#include <thread>
#include <vector>

namespace fusexfs {

// `run(i)` in thread i of `count`.
template <class Run>
void InThreads(int count, Run run) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&run, i] { run(i); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_THREADS_H_
