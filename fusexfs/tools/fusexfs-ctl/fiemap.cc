// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "fusexfs/device/file_device.h"
#include "fusexfs/ioctl.h"
#include "fusexfs/tools/fusexfs-ctl/commands.h"
#include "fusexfs/tools/fusexfs-ctl/mounted_file.h"
#include "fusexfs/tools/ondisk/fiemap_table.h"
#include "libondisk/status.h"

namespace fusexfs::ctl {

namespace {

// Only files and directories are opened: opening a device or a fifo does
// something.
absl::StatusOr<FileDescriptor> Open(const std::string& path,
                                    struct stat& info) {
  if (stat(path.c_str(), &info) != 0) return FileError(path, errno);
  if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return FileError(path, EINVAL, "neither a file nor a directory");
  }
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) return FileError(path, errno);
  return file;
}

absl::Status AskError(const std::string& path, int error) {
  switch (error) {
    case ENOTTY:
    case ENOSYS:
      return FileError(path, error, "not on a fusexfs mount");
    case EUCLEAN:
      return FileError(path, error,
                       "the image is damaged here; the mount's log says where");
    default:
      return FileError(path, error);
  }
}

}  // namespace

absl::Status PrintFiemap(const std::string& path, FiemapFork fork,
                         tool::Console& console) {
  struct stat info {};
  ONDISK_ASSIGN_OR_RETURN(const FileDescriptor file, Open(path, info));
  ONDISK_RETURN_IF_ERROR(RequireMounted(path, file.get()));
  struct statvfs volume {};
  if (fstatvfs(file.get(), &volume) != 0) return FileError(path, errno);

  tool::FiemapTable table(console,
                          {.name = console.Name(path),
                           .size = static_cast<uint64_t>(info.st_size),
                           .block_size = static_cast<uint32_t>(volume.f_bsize),
                           .filesystem_blocks = volume.f_blocks});
  const auto map = std::make_unique<fusexfs_fiemap>();
  map->version = FUSEXFS_FIEMAP_VERSION;
  map->length = FUSEXFS_FIEMAP_WHOLE_FILE;
  map->flags = fork == FiemapFork::kAttribute ? FIEMAP_FLAG_XATTR : 0;
  do {
    if (ioctl(file.get(), FUSEXFS_IOC_FIEMAP, map.get()) != 0) {
      return AskError(path, errno);
    }
    for (uint32_t i = 0; i < map->count; ++i) {
      const fiemap_extent& extent = map->extents[i];
      table.Add({.logical = extent.fe_logical,
                 .physical = extent.fe_physical,
                 .length = extent.fe_length,
                 .flags = extent.fe_flags});
    }
  } while (fusexfs_fiemap_next(map.get()) != 0);
  table.Finish();
  return absl::OkStatus();
}

}  // namespace fusexfs::ctl
