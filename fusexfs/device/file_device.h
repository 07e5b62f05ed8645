// SPDX-License-Identifier: GPL-2.0-or-later
// A device in a file: an image file or a block device, or a window of one.
//
// The file is read with pread, never mapped: an image that is shortened under
// the mount gives EIO, not SIGBUS.
//
// Invariants: opened read-only; the window lies within the file as it was when
// it was opened. Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_DEVICE_FILE_DEVICE_H_
#define FUSEXFS_FUSEXFS_DEVICE_FILE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/device/device.h"

namespace fusexfs {

// A file descriptor that closes itself.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor();

  int get() const { return fd_; }

 private:
  int fd_;
};

class FileDevice : public Device {
 public:
  struct Options {
    uint64_t offset = 0;     // offset=: where the filesystem starts, in bytes
    uint32_t partition = 0;  // partition=: counted from 1; 0: the whole file
  };

  // Errors: those of open(2); EINVAL for what is neither a file nor a block
  // device, is empty, or has no such window; ENOENT for a partition that is not
  // there, with a list of those that are.
  static absl::StatusOr<std::unique_ptr<FileDevice>> Open(
      const std::string& path, const Options& options);

  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  absl::Status ReadAt(uint64_t offset,
                      ondisk::MutableBytes into) const override;
  void Prefetch(uint64_t offset, uint64_t length) const override;
  std::optional<FileWindow> file_window() const override {
    return FileWindow{file_.get(), offset_};
  }

  int fd() const { return file_.get(); }
  bool is_block_device() const { return is_block_device_; }

 private:
  FileDevice(FileDescriptor file, std::string name, uint64_t offset,
             uint64_t size, bool is_block_device)
      : file_(std::move(file)),
        name_(std::move(name)),
        offset_(offset),
        size_(size),
        is_block_device_(is_block_device) {}

  const FileDescriptor file_;
  const std::string name_;
  const uint64_t offset_;
  const uint64_t size_;
  const bool is_block_device_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_FILE_DEVICE_H_
