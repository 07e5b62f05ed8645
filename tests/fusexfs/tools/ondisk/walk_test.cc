// SPDX-License-Identifier: GPL-2.0-or-later
// Walks over an image in which two entries lead to one directory.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "fusexfs/tools/ondisk/commands.h"
#include "libondisk/endian.h"
#include "libondisk/status.h"
#include "tests/fusexfs/tools/ondisk/console_capture.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_image.h"

namespace fusexfs::tool {
namespace {

constexpr char kImage[] = "tiny-v5";

// /inodes/1 leads where /inodes/0 does; the checksums are right.
std::string ImageWithTwoEntriesForOne(const TemporaryDirectory& directory) {
  ImageBytes image(kImage);
  const auto number = [](std::string_view path) {
    return ondisk::Be32(static_cast<uint32_t>(InodeOfPath(kImage, path).value));
  };
  const ondisk::Be32 zero = number("inodes/0"), one = number("inodes/1");
  const ondisk::InodeNumber parent = InodeOfPath(kImage, "inodes");
  const ondisk::MutableBytes inode = image.Inode(parent);
  const auto* wanted = reinterpret_cast<const uint8_t*>(&one);
  const auto at =
      std::search(inode.begin(), inode.end(), wanted, wanted + sizeof(one));
  EXPECT_NE(at, inode.end());
  std::memcpy(&*at, &zero, sizeof(zero));
  image.SealInode(parent);
  return directory.Write(
      "image",
      {reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()});
}

// While one lives, what is written to file descriptor 1 is lost.
class NoStandardOutput {
 public:
  NoStandardOutput() : saved_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  ~NoStandardOutput() {
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
  }

 private:
  const int saved_;
};

TEST(WalkTest, ADirectoryIsEnteredOnce) {
  TemporaryDirectory directory;
  ImageOptions options;
  options.path = ImageWithTwoEntriesForOne(directory);
  for (const auto run : {&RunTree, &RunExport}) {
    ConsoleCapture capture;
    absl::Status status;
    {
      const NoStandardOutput nowhere;  // for the tar
      status = run(options, "/inodes", capture.console());
    }
    EXPECT_EQ(ondisk::ErrnoOf(status), EUCLEAN) << status;
    EXPECT_THAT(capture.err(), testing::HasSubstr("only one entry leads"));
  }
}

}  // namespace
}  // namespace fusexfs::tool
