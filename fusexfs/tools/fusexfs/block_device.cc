#include "fusexfs/tools/fusexfs/block_device.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>

#include "libondisk/status.h"

namespace fusexfs::tool {

namespace {

bool HasWord(std::string_view comma_list, std::string_view word) {
  while (!comma_list.empty()) {
    const size_t comma = comma_list.find(',');
    if (comma_list.substr(0, comma) == word) return true;
    if (comma == std::string_view::npos) break;
    comma_list.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace

bool IsFreeBlockDevice(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC);
  if (fd < 0) return false;
  close(fd);
  return true;
}

absl::Status RefuseIfMountedForWriting(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISBLK(info.st_mode)) {
    return absl::OkStatus();
  }
  const std::string device =
      fmt::format("{}:{}", major(info.st_rdev), minor(info.st_rdev));
  // "id parent major:minor root mount-point options [optional...] - type source
  // super-options"; see proc_pid_mountinfo(5).
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent, number, root, where, word, type, source, super;
    words >> id >> parent >> number >> root >> where;
    if (number != device) continue;
    while (words >> word && word != "-") {
    }
    words >> type >> source >> super;
    if (HasWord(super, "rw")) {
      return ondisk::PosixError(
          EBUSY, fmt::format("{} is mounted read-write on {} ({})", path, where,
                             type));
    }
  }
  return absl::OkStatus();
}

uint32_t FuseblkBlockSize(int fd) {
  const uint32_t page = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
  int sector = 0;
  if (ioctl(fd, BLKSSZGET, &sector) != 0 || sector < 0) return page;
  return std::max(page, static_cast<uint32_t>(sector));
}

}  // namespace fusexfs::tool
