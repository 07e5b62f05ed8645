// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/trace/counter.h"

#include <gtest/gtest.h>

#include "tests/support/threads.h"

namespace fusexfs {
namespace {

TEST(Counter, LosesNoEventOfManyThreads) {
  Counter counter;
  InThreads(20, [&](int i) {
    for (int n = 0; n < 1000; ++n) counter.Add();
    counter.Add(static_cast<uint64_t>(i));
  });
  EXPECT_EQ(counter.Sum(), 20 * 1000 + 190);
}

}  // namespace
}  // namespace fusexfs
