// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/file_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "libondisk/status.h"
#include "tests/support/temporary_directory.h"

namespace fusexfs {
namespace {

using ::testing::HasSubstr;

std::string Read(const Device& device, uint64_t offset, size_t length) {
  std::string into(length, '?');
  absl::Status status = device.ReadAt(
      offset, {reinterpret_cast<uint8_t*>(into.data()), into.size()});
  return status.ok() ? into : std::string(ondisk::MessageOf(status));
}

class FileDeviceTest : public ::testing::Test {
 protected:
  int OpenErrno(const std::string& path, FileDevice::Options options = {}) {
    return ondisk::ErrnoOf(FileDevice::Open(path, options).status());
  }
  TemporaryDirectory directory_;
};

TEST_F(FileDeviceTest, ReadsTheFile) {
  auto device = FileDevice::Open(directory_.Write("image", "0123456789"), {});
  ASSERT_TRUE(device.ok());
  EXPECT_EQ((*device)->size(), 10u);
  EXPECT_EQ(Read(**device, 0, 10), "0123456789");
  EXPECT_EQ(Read(**device, 7, 3), "789");
  EXPECT_THAT(Read(**device, 7, 4), HasSubstr("beyond the end (10)"));
  EXPECT_THAT(Read(**device, ~uint64_t{0}, 4), HasSubstr("beyond the end"));
}

TEST_F(FileDeviceTest, OffsetMovesTheWindow) {
  const std::string path = directory_.Write("image", "0123456789");
  auto device = FileDevice::Open(path, {.offset = 4});
  ASSERT_TRUE(device.ok());
  EXPECT_EQ((*device)->size(), 6u);
  EXPECT_EQ(Read(**device, 1, 5), "56789");
  ASSERT_TRUE((*device)->file_window().has_value());
  EXPECT_EQ((*device)->file_window()->offset, 4u);
  char byte = 0;
  EXPECT_EQ(pread((*device)->file_window()->fd, &byte, 1, 4), 1);
  EXPECT_EQ(byte, '4');
  EXPECT_EQ(OpenErrno(path, {.offset = 10}), EINVAL);
  EXPECT_EQ(OpenErrno(path, {.offset = 1, .partition = 1}), EINVAL);
}

TEST_F(FileDeviceTest, RefusesWhatIsNoImage) {
  EXPECT_EQ(OpenErrno(directory_.Path("missing")), ENOENT);
  EXPECT_EQ(OpenErrno(directory_.Path("")), EISDIR);
  EXPECT_EQ(OpenErrno(directory_.Write("empty", "")), EINVAL);
  EXPECT_EQ(OpenErrno("/dev/null"), EINVAL);
  ASSERT_EQ(mkfifo(directory_.Path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(OpenErrno(directory_.Path("fifo")), EINVAL);
}

TEST_F(FileDeviceTest, FileThatShrinksGivesAnIoError) {
  const std::string path = directory_.Write("image", std::string(8192, 'x'));
  auto device = FileDevice::Open(path, {});
  ASSERT_TRUE(device.ok());
  ASSERT_EQ(truncate(path.c_str(), 5000), 0);
  std::vector<uint8_t> into(4096);
  EXPECT_TRUE((*device)->ReadAt(0, into).ok());
  absl::Status status = (*device)->ReadAt(4096, into);
  EXPECT_EQ(ondisk::ErrnoOf(status), EIO);
  EXPECT_THAT(std::string(ondisk::MessageOf(status)),
              HasSubstr("the image has become shorter"));
}

TEST_F(FileDeviceTest, NeedsOnlyReadPermission) {
  const std::string path = directory_.Write("image", "0123456789");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  auto device = FileDevice::Open(path, {});
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(write((*device)->fd(), "x", 1), -1);
}

}  // namespace
}  // namespace fusexfs
