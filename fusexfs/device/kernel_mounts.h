// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a filesystem of the kernel writes to an image: through a loop device,
// or to the block device that the image is. What we read would change under our
// caches, and what the kernel has in memory only would be missing.
//
// Invariants: only what can be seen counts. Mounts of other namespaces cannot,
// nor does a mount that comes later; where nothing can be seen, nothing is
// refused. Thread-safety: free functions.
// Source: proc_pid_mountinfo(5), loop(4), the kernel's
// Documentation/ABI/testing/sysfs-block.
#ifndef FUSEXFS_FUSEXFS_DEVICE_KERNEL_MOUNTS_H_
#define FUSEXFS_FUSEXFS_DEVICE_KERNEL_MOUNTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fusexfs/device/file_device.h"

namespace fusexfs {

// A line of /proc/self/mountinfo.
struct KernelMount {
  std::string device;       // "major:minor"
  std::string mount_point;  // as it is, not as the line quotes it
  std::string type;
  bool writes = false;  // the filesystem, however the mount point is mounted

  // Nothing if the line is none of the kernel's.
  static std::optional<KernelMount> Parse(std::string_view line);
};

// Bytes of a file or disk.
struct ByteWindow {
  uint64_t offset = 0;
  uint64_t size = 0;  // 0: all there is behind the offset

  bool Overlaps(const ByteWindow& other) const;
};

// EBUSY, naming mount point and device, if the kernel has any of the device's
// window mounted read-write. Attached loop devices that are not mounted, and
// read-only mounts, are fine.
absl::Status CheckNotMountedForWriting(const FileDevice& device);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_KERNEL_MOUNTS_H_
