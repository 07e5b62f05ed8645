// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/file_device.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "fusexfs/device/partition.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::PosixError;

// The size of an open file or block device.
absl::StatusOr<uint64_t> SizeOf(int fd, const struct stat& status,
                                const std::string& path) {
  if (!S_ISBLK(status.st_mode)) return static_cast<uint64_t>(status.st_size);
  uint64_t size = 0;
  if (ioctl(fd, BLKGETSIZE64, &size) != 0) {
    return ondisk::SystemError(
        fmt::format("{}: asking for the size of the block device", path));
  }
  return size;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<std::unique_ptr<FileDevice>> FileDevice::Open(
    const std::string& path, const Options& options) {
  // Non-blocking, so that opening a FIFO does not hang; no other effect here.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    return ondisk::SystemError(fmt::format("{}: opening the image", path));
  }
  struct stat status;
  if (fstat(file.get(), &status) != 0) {
    return ondisk::SystemError(fmt::format("{}: fstat", path));
  }
  if (S_ISDIR(status.st_mode)) {
    return PosixError(EISDIR, fmt::format("{}: is a directory", path));
  }
  if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) {
    return PosixError(
        EINVAL, fmt::format("{}: neither a file nor a block device", path));
  }
  ONDISK_ASSIGN_OR_RETURN(const uint64_t file_size,
                          SizeOf(file.get(), status, path));
  if (file_size == 0) {
    return PosixError(EINVAL, fmt::format("{}: is empty", path));
  }
  if (options.offset != 0 && options.partition != 0) {
    return PosixError(
        EINVAL,
        fmt::format("{}: offset= and partition= exclude each other", path));
  }
  uint64_t offset = options.offset;
  if (offset >= file_size) {
    return PosixError(
        EINVAL, fmt::format("{}: offset {} is beyond its end ({} bytes)", path,
                            offset, file_size));
  }
  uint64_t size = file_size - offset;
  if (options.partition != 0) {
    ONDISK_ASSIGN_OR_RETURN(const Partition partition,
                            FindPartition(file.get(), path, options.partition));
    if (partition.offset >= file_size ||
        partition.size > file_size - partition.offset) {
      return PosixError(
          EINVAL,
          fmt::format("{}: partition {} ends at {}, the image at {}: it is cut "
                      "short",
                      path, options.partition,
                      partition.offset + partition.size, file_size));
    }
    offset = partition.offset;
    size = partition.size;
  }
  return std::unique_ptr<FileDevice>(new FileDevice(
      std::move(file), path, offset, size, S_ISBLK(status.st_mode)));
}

absl::Status FileDevice::ReadAt(uint64_t offset,
                                ondisk::MutableBytes into) const {
  const auto failed = [&](std::string_view why) {
    return fmt::format("{}: reading {} bytes at {}: {}", name_, into.size(),
                       offset, why);
  };
  if (offset > size_ || into.size() > size_ - offset) {
    return PosixError(EIO, failed(fmt::format("beyond the end ({})", size_)));
  }
  size_t done = 0;
  while (done < into.size()) {
    const ssize_t got =
        pread(file_.get(), into.data() + done, into.size() - done,
              static_cast<off_t>(offset_ + offset + done));
    if (got > 0) {
      done += static_cast<size_t>(got);
    } else if (got == 0) {
      return PosixError(EIO, failed("the image has become shorter"));
    } else if (errno != EINTR) {
      const int error = errno;
      return PosixError(error, failed(strerror(error)));
    }
  }
  return absl::OkStatus();
}

void FileDevice::Prefetch(uint64_t offset, uint64_t length) const {
  if (offset >= size_) return;
  posix_fadvise(file_.get(), static_cast<off_t>(offset_ + offset),
                static_cast<off_t>(std::min(length, size_ - offset)),
                POSIX_FADV_WILLNEED);
}

}  // namespace fusexfs
