// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/fusexfs/block_device.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace fusexfs::tool {

bool IsFreeBlockDevice(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC);
  if (fd < 0) return false;
  close(fd);
  return true;
}

uint32_t FuseblkBlockSize(int fd) {
  const uint32_t page = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
  int sector = 0;
  if (ioctl(fd, BLKSSZGET, &sector) != 0 || sector < 0) return page;
  return std::max(page, static_cast<uint32_t>(sector));
}

}  // namespace fusexfs::tool
