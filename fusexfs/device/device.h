// SPDX-License-Identifier: GPL-2.0-or-later
// device/: where the bytes of an image live.
//
// A Device is a run of bytes, addressed from 0, that can be read at any offset:
// a file, a window of a file (offset=, partition=), memory (tests, fuzzing),
// and wrappers around another device (fault injection). Devices stack.
//
// Invariants: size() never changes; a read that does not lie wholly within it
// fails and says so; a short read is an error, never silently zero.
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_DEVICE_DEVICE_H_
#define FUSEXFS_FUSEXFS_DEVICE_DEVICE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "libondisk/types.h"

namespace fusexfs {

class Device {
 public:
  virtual ~Device() = default;

  virtual uint64_t size() const = 0;            // bytes
  virtual const std::string& name() const = 0;  // for messages

  // Fills `into` from `offset` bytes. Errors: EIO (or the system's errno)
  // naming the device and the range.
  virtual absl::Status ReadAt(uint64_t offset,
                              ondisk::MutableBytes into) const = 0;

  // Tells the system that the range will be read soon. Never fails.
  virtual void Prefetch(uint64_t offset, uint64_t length) const {
    (void)offset;
    (void)length;
  }

  // Where the same bytes stand in a file descriptor, for splicing: data at
  // device offset x is at x + offset of `fd`. Nothing if there is none.
  struct FileWindow {
    int fd;
    uint64_t offset;
  };
  virtual std::optional<FileWindow> file_window() const { return std::nullopt; }
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_DEVICE_H_
