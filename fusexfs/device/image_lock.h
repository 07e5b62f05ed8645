// SPDX-License-Identifier: GPL-2.0-or-later
// The lock on an image: exclusive for a read-write mount until its last write
// is stable, shared for a read-only one.
//
// It is an flock(2) on the image itself, so clones of an image, which are files
// of their own, do not meet; it belongs to the open file, so it passes to the
// child when a daemon forks and goes with the last process that holds it, also
// on kill -9. It needs only read permission, it is what flock(1) takes, so that
// scripts can join in, and on block devices it is the lock by which udev and
// partitioning tools keep off. The kernel's loop driver takes no lock: whether
// it has the image mounted must be asked for (kernel_mounts.h).
//
// Thread-safety: one lock belongs to one thread.
#ifndef FUSEXFS_FUSEXFS_DEVICE_IMAGE_LOCK_H_
#define FUSEXFS_FUSEXFS_DEVICE_IMAGE_LOCK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/device/file_device.h"

namespace fusexfs {

// Holds the lock while it lives.
class ImageLock {
 public:
  enum class Mode { kShared, kExclusive };

  // EBUSY if another mount excludes this one.
  static absl::StatusOr<ImageLock> Take(const FileDevice& device, Mode mode);

  // Returns when no mount holds a lock on the image at `path`.
  static absl::Status WaitUntilFree(const std::string& path);

  ImageLock(ImageLock&&) = default;
  ImageLock& operator=(ImageLock&&) = default;
  ~ImageLock();

 private:
  explicit ImageLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;  // shares the device's open file
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_IMAGE_LOCK_H_
