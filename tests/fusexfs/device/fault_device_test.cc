// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/fault_device.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "fusexfs/device/memory_device.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

class FaultDeviceTest : public ::testing::Test {
 protected:
  int Read(uint64_t offset, size_t length) const {
    std::vector<uint8_t> into(length);
    return ondisk::ErrnoOf(device_.ReadAt(offset, into));
  }
  FaultDevice device_{
      std::make_unique<MemoryDevice>(std::vector<uint8_t>(100))};
};

TEST_F(FaultDeviceTest, FailsReadsThatTouchTheRange) {
  device_.FailRange(50, 10);
  EXPECT_EQ(Read(40, 10), 0);
  EXPECT_EQ(Read(40, 11), EIO);
  EXPECT_EQ(Read(59, 1), EIO);
  EXPECT_EQ(Read(60, 10), 0);
  device_.Heal();
  EXPECT_EQ(Read(40, 30), 0);
  EXPECT_EQ(device_.reads(), 5u);
}

TEST_F(FaultDeviceTest, FailsTheNthReadOnce) {
  device_.FailRead(2);
  EXPECT_EQ(Read(0, 1), 0);
  EXPECT_EQ(Read(0, 1), EIO);
  EXPECT_EQ(Read(0, 1), 0);
}

TEST_F(FaultDeviceTest, KeepsWhatWasReadAndPrefetched) {
  device_.FailRange(8, 1);
  device_.Prefetch(16, 32);
  EXPECT_EQ(Read(8, 4), EIO);  // tried all the same
  const auto accesses = device_.TakeAccesses();
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_TRUE(accesses[0].is_prefetch);
  EXPECT_EQ(accesses[0].offset, 16u);
  EXPECT_EQ(accesses[0].length, 32u);
  EXPECT_FALSE(accesses[1].is_prefetch);
  EXPECT_EQ(accesses[1].offset, 8u);
  EXPECT_EQ(accesses[1].length, 4u);
  EXPECT_TRUE(device_.TakeAccesses().empty());
}

}  // namespace
}  // namespace fusexfs
