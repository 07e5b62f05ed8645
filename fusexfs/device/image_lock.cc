// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/image_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

// udev locks a block device for the moments in which it looks at it.
constexpr int kTries = 20;
constexpr std::chrono::milliseconds kPause(50);

}  // namespace

absl::StatusOr<ImageLock> ImageLock::Take(const FileDevice& device, Mode mode) {
  FileDescriptor file(fcntl(device.fd(), F_DUPFD_CLOEXEC, 0));
  if (file.get() < 0) {
    return ondisk::SystemError(
        fmt::format("{}: locking the image", device.name()));
  }
  const int operation =
      (mode == Mode::kExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB;
  const int tries = device.is_block_device() ? kTries : 1;
  for (int i = 0; flock(file.get(), operation) != 0; ++i) {
    if (errno != EWOULDBLOCK) {
      return ondisk::SystemError(
          fmt::format("{}: locking the image", device.name()));
    }
    if (i + 1 == tries) {
      return ondisk::PosixError(
          EBUSY,
          fmt::format("{}: in use by {}", device.name(),
                      mode == Mode::kExclusive ? "another mount"
                                               : "a mount that writes to it"));
    }
    std::this_thread::sleep_for(kPause);
  }
  return ImageLock(std::move(file));
}

ImageLock::~ImageLock() {
  if (file_.get() >= 0) flock(file_.get(), LOCK_UN);
}

absl::Status ImageLock::WaitUntilFree(const std::string& path) {
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    return ondisk::SystemError(fmt::format("{}: opening the image", path));
  }
  while (flock(file.get(), LOCK_EX) != 0) {
    if (errno != EINTR) {
      return ondisk::SystemError(
          fmt::format("{}: waiting for the image", path));
    }
  }
  return absl::OkStatus();
}

}  // namespace fusexfs
