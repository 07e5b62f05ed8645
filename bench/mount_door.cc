// SPDX-License-Identifier: GPL-2.0-or-later
// A fusexfs mount: the daemon as a child of ours, so that its CPU time can be
// read.
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "bench/door.h"
#include "bench/posix_door.h"
#include "bench/process.h"
#include "fusexfs/ioctl.h"
#include "libondisk/status.h"

namespace fusexfs::bench {
namespace {

constexpr auto kPatience = std::chrono::seconds(20);
constexpr auto kPause = std::chrono::milliseconds(5);

class MountDoor final : public PosixDoor {
 public:
  MountDoor(std::string image, std::string mount_point, std::string fusexfs)
      : PosixDoor(std::move(mount_point)),
        image_(std::move(image)),
        fusexfs_(std::move(fusexfs)) {}
  ~MountDoor() override { (void)Close(); }

  std::string_view name() const override { return "mount"; }

  absl::Status Open() override {
    const dev_t before = DeviceOfMountPoint();
    ONDISK_ASSIGN_OR_RETURN(
        daemon_, Start({fusexfs_, "-f", "-o", "ro", image_, mount_point()}));
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (DeviceOfMountPoint() == before) {
      if (waitpid(daemon_, nullptr, WNOHANG) == daemon_) {
        daemon_ = 0;
        return ondisk::PosixError(EIO, fmt::format("{} ended", fusexfs_));
      }
      if (std::chrono::steady_clock::now() > deadline) {
        return ondisk::PosixError(ETIMEDOUT, "the mount did not come up");
      }
      std::this_thread::sleep_for(kPause);
    }
    return absl::OkStatus();
  }

  absl::Status Close() override {
    CloseFile();
    if (daemon_ == 0) return absl::OkStatus();
    const absl::Status unmounted =
        geteuid() == 0 ? Run({"umount", mount_point()})
                       : Run({"fusermount3", "-u", mount_point()});
    ONDISK_RETURN_IF_ERROR(unmounted);
    spent_ms_ += CpuMsOf(daemon_);
    return Wait(std::exchange(daemon_, 0), fusexfs_);
  }

  double ServerCpuMs() const override {
    return spent_ms_ + (daemon_ == 0 ? 0 : CpuMsOf(daemon_));
  }

 private:
  dev_t DeviceOfMountPoint() const {
    struct stat st;
    return stat(mount_point().c_str(), &st) == 0 ? st.st_dev : 0;
  }

  absl::StatusOr<ExtentCount> FiemapOf(int fd) override {
    // Most files have few extents: a small answer costs less to carry.
    constexpr uint32_t kFew = 4;
    std::memset(&map_, 0, FUSEXFS_FIEMAP_BYTES(kFew));
    map_.version = FUSEXFS_FIEMAP_VERSION;
    map_.length = FUSEXFS_FIEMAP_WHOLE_FILE;
    ExtentCount count;
    unsigned long request = FUSEXFS_IOC_FIEMAP_SMALL(kFew);
    do {
      if (ioctl(fd, request, &map_) != 0) {
        return ondisk::PosixError(errno, "FUSEXFS_IOC_FIEMAP");
      }
      for (uint32_t i = 0; i < map_.count; ++i) {
        ++count.extents;
        if ((map_.extents[i].fe_flags & FIEMAP_EXTENT_SHARED) != 0) {
          ++count.shared;
        }
      }
      request = FUSEXFS_IOC_FIEMAP;
    } while (fusexfs_fiemap_next(&map_) != 0);
    return count;
  }

  const std::string image_;
  const std::string fusexfs_;
  pid_t daemon_ = 0;
  double spent_ms_ = 0;
  struct fusexfs_fiemap map_;
};

}  // namespace

std::unique_ptr<Door> MakeMountDoor(std::string image, std::string mount_point,
                                    std::string fusexfs) {
  return std::make_unique<MountDoor>(std::move(image), std::move(mount_point),
                                     std::move(fusexfs));
}

}  // namespace fusexfs::bench
