// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's XFS on a loop device.
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "bench/door.h"
#include "bench/posix_door.h"
#include "bench/process.h"
#include "libondisk/status.h"

namespace fusexfs::bench {
namespace {

constexpr uint32_t kExtentsPerCall = 291;  // as many as the mount answers with

class KernelDoor final : public PosixDoor {
 public:
  KernelDoor(std::string image, std::string mount_point)
      : PosixDoor(std::move(mount_point)),
        image_(std::move(image)),
        map_(sizeof(struct fiemap) +
             kExtentsPerCall * sizeof(struct fiemap_extent)) {}
  ~KernelDoor() override { (void)Close(); }

  std::string_view name() const override { return "kernel"; }

  absl::Status Open() override {
    ONDISK_RETURN_IF_ERROR(Run(
        {"mount", "-t", "xfs", "-o", "loop,ro,nouuid", image_, mount_point()}));
    mounted_ = true;
    return absl::OkStatus();
  }
  absl::Status Close() override {
    CloseFile();
    if (!std::exchange(mounted_, false)) return absl::OkStatus();
    return Run({"umount", mount_point()});
  }

 private:
  absl::StatusOr<ExtentCount> FiemapOf(int fd) override {
    auto* map = reinterpret_cast<struct fiemap*>(map_.data());
    ExtentCount count;
    uint64_t start = 0;
    for (;;) {
      std::memset(map, 0, sizeof(*map));
      map->fm_start = start;
      map->fm_length = FIEMAP_MAX_OFFSET - start;
      map->fm_extent_count = kExtentsPerCall;
      if (ioctl(fd, FS_IOC_FIEMAP, map) != 0) {
        return ondisk::PosixError(errno, "FS_IOC_FIEMAP");
      }
      const auto* extents = reinterpret_cast<const struct fiemap_extent*>(
          map_.data() + sizeof(struct fiemap));
      for (uint32_t i = 0; i < map->fm_mapped_extents; ++i) {
        ++count.extents;
        if ((extents[i].fe_flags & FIEMAP_EXTENT_SHARED) != 0) ++count.shared;
      }
      if (map->fm_mapped_extents < kExtentsPerCall) return count;
      const auto& last = extents[map->fm_mapped_extents - 1];
      if ((last.fe_flags & FIEMAP_EXTENT_LAST) != 0) return count;
      start = last.fe_logical + last.fe_length;
    }
  }

  const std::string image_;
  std::vector<uint8_t> map_;
  bool mounted_ = false;
};

}  // namespace

std::unique_ptr<Door> MakeKernelDoor(std::string image,
                                     std::string mount_point) {
  return std::make_unique<KernelDoor>(std::move(image), std::move(mount_point));
}

}  // namespace fusexfs::bench
