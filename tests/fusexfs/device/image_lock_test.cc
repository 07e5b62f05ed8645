// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/image_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>

#include "libondisk/status.h"
#include "tests/support/temporary_directory.h"

namespace fusexfs {
namespace {

using Mode = ImageLock::Mode;

class ImageLockTest : public ::testing::Test {
 protected:
  std::unique_ptr<FileDevice> Open() {
    auto device = FileDevice::Open(path_, {});
    EXPECT_TRUE(device.ok());
    return *std::move(device);
  }
  static int TakeErrno(const FileDevice& device, Mode mode) {
    return ondisk::ErrnoOf(ImageLock::Take(device, mode).status());
  }
  TemporaryDirectory directory_;
  std::string path_ = directory_.Write("image", "x");
};

TEST_F(ImageLockTest, ReadersLiveSideBySideAndKeepWritersOut) {
  auto one = Open(), two = Open(), three = Open();
  auto first = ImageLock::Take(*one, Mode::kShared);
  auto second = ImageLock::Take(*two, Mode::kShared);
  EXPECT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(TakeErrno(*three, Mode::kExclusive), EBUSY);
}

TEST_F(ImageLockTest, WriterKeepsEveryoneOutUntilItIsGone) {
  auto one = Open(), two = Open();
  {
    auto writer = ImageLock::Take(*one, Mode::kExclusive);
    ASSERT_TRUE(writer.ok());
    EXPECT_EQ(TakeErrno(*two, Mode::kShared), EBUSY);
    EXPECT_EQ(TakeErrno(*two, Mode::kExclusive), EBUSY);
  }
  EXPECT_EQ(TakeErrno(*two, Mode::kExclusive), 0);
}

TEST_F(ImageLockTest, LockOutlivesTheDevice) {
  auto one = Open(), two = Open();
  auto writer = ImageLock::Take(*one, Mode::kExclusive);
  ASSERT_TRUE(writer.ok());
  one.reset();
  EXPECT_EQ(TakeErrno(*two, Mode::kShared), EBUSY);
}

TEST_F(ImageLockTest, WaitReturnsWhenTheLockIsGone) {
  auto device = Open();
  auto lock = ImageLock::Take(*device, Mode::kShared);
  ASSERT_TRUE(lock.ok());
  std::atomic<bool> returned{false};
  std::thread waiter([&] {
    EXPECT_TRUE(ImageLock::WaitUntilFree(path_).ok());
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(returned);
  lock = absl::CancelledError();
  waiter.join();
  EXPECT_TRUE(returned);
  EXPECT_EQ(
      ondisk::ErrnoOf(ImageLock::WaitUntilFree(directory_.Path("missing"))),
      ENOENT);
}

}  // namespace
}  // namespace fusexfs
