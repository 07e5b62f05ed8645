// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/memory_device.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

TEST(MemoryDevice, ReadsWithinAndRefusesBeyond) {
  const MemoryDevice device({1, 2, 3, 4, 5});
  std::vector<uint8_t> into(3);
  ASSERT_TRUE(device.ReadAt(2, into).ok());
  EXPECT_EQ(into, (std::vector<uint8_t>{3, 4, 5}));
  EXPECT_EQ(ondisk::ErrnoOf(device.ReadAt(3, into)), EIO);
  EXPECT_EQ(ondisk::ErrnoOf(device.ReadAt(~uint64_t{0}, into)), EIO);
}

// Found by the mount fuzzer: an empty image, read for its superblock.
TEST(MemoryDevice, EmptyImageGivesAnEmptyRange) {
  const MemoryDevice empty(std::vector<uint8_t>{});
  EXPECT_TRUE(empty.ReadAt(0, {}).ok());
  EXPECT_FALSE(empty.ReadAt(1, {}).ok());
}

}  // namespace
}  // namespace fusexfs
