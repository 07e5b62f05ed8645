// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/posix_door.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs::bench {
namespace {

absl::Status WalkBelow(
    int directory_fd, const std::string& path, TreeSum& sum,
    absl::FunctionRef<void(const std::string&, uint64_t)> visit) {
  DIR* directory = fdopendir(directory_fd);
  if (directory == nullptr) return ondisk::SystemError(path);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  absl::Status status =
      errno == 0 ? absl::OkStatus() : ondisk::SystemError(path);
  for (size_t i = 0; i < names.size() && status.ok(); ++i) {
    const std::string below = path + "/" + names[i];
    struct stat st;
    if (fstatat(dirfd(directory), names[i].c_str(), &st, AT_SYMLINK_NOFOLLOW) !=
        0) {
      status = ondisk::SystemError(below);
      break;
    }
    ++sum.entries;
    sum.inodes += st.st_ino;
    if (S_ISREG(st.st_mode)) {
      sum.bytes += static_cast<uint64_t>(st.st_size);
      visit(below, static_cast<uint64_t>(st.st_size));
    } else if (S_ISDIR(st.st_mode)) {
      const int fd = openat(dirfd(directory), names[i].c_str(),
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      status = fd < 0 ? ondisk::SystemError(below)
                      : WalkBelow(fd, below, sum, visit);
    }
  }
  closedir(directory);
  return status;
}

}  // namespace

PosixDoor::PosixDoor(std::string mount_point)
    : mount_point_(std::move(mount_point)) {}

PosixDoor::~PosixDoor() { CloseFile(); }

absl::StatusOr<TreeSum> PosixDoor::Walk(
    absl::FunctionRef<void(const std::string&, uint64_t)> visit) {
  const int fd = open(mount_point_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return ondisk::SystemError(mount_point_);
  TreeSum sum;
  ONDISK_RETURN_IF_ERROR(WalkBelow(fd, "", sum, visit));
  return sum;
}

absl::Status PosixDoor::OpenFile(const std::string& path) {
  CloseFile();
  file_ = open((mount_point_ + path).c_str(), O_RDONLY | O_CLOEXEC);
  return file_ < 0 ? ondisk::SystemError(path) : absl::OkStatus();
}

absl::StatusOr<uint64_t> PosixDoor::ReadAt(uint64_t offset,
                                           ondisk::MutableBytes into) {
  const ssize_t got =
      pread(file_, into.data(), into.size(), static_cast<off_t>(offset));
  if (got < 0) return ondisk::SystemError("pread");
  return static_cast<uint64_t>(got);
}

void PosixDoor::CloseFile() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

absl::StatusOr<Door::ExtentCount> PosixDoor::Fiemap(const std::string& path) {
  const int fd = open((mount_point_ + path).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ondisk::SystemError(path);
  auto count = FiemapOf(fd);
  close(fd);
  return count;
}

absl::Status DropSystemCaches() {
  sync();
  const int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return ondisk::PosixError(
        errno, "cold measurements need to drop the system's caches (root)");
  }
  const bool written = write(fd, "3", 1) == 1;
  const int error = errno;
  close(fd);
  return written ? absl::OkStatus()
                 : ondisk::PosixError(error, "/proc/sys/vm/drop_caches");
}

}  // namespace fusexfs::bench
