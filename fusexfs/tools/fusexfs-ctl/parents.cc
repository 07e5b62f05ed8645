// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

#include "fusexfs/tools/fusexfs-ctl/commands.h"
#include "fusexfs/tools/fusexfs-ctl/mounted_file.h"
#include "libondisk/status.h"

namespace fusexfs::ctl {

namespace {

const char* Explain(int error) {
  switch (error) {
    case EOPNOTSUPP:
      return "the image has no parent pointers (mkfs.xfs -n parent=1 makes "
             "them), so no paths";
    case EPERM:
      return "paths are for root and for the user who mounted the image";
    case EUCLEAN:
      return "the image is damaged here; the mount's log says where";
    default:
      return nullptr;
  }
}

}  // namespace

absl::Status PrintParents(const std::string& path, tool::Console& console) {
  ONDISK_RETURN_IF_ERROR(RequireMounted(path));
  const absl::StatusOr<std::string> paths =
      ReadXattr(path, "system.fusexfs.paths");
  if (!paths.ok()) {
    const int error = ondisk::ErrnoOf(paths.status());
    struct stat info {};
    if (error == E2BIG && lstat(path.c_str(), &info) == 0) {
      return FileError(
          path, error,
          fmt::format("its paths take more than 64 KiB, the most that a mount "
                      "can answer; ask `ondisk parents IMAGE {}`",
                      info.st_ino));
    }
    const char* const why = Explain(error);
    return why == nullptr ? paths.status() : FileError(path, error, why);
  }
  console.Write(*paths);
  return absl::OkStatus();
}

}  // namespace fusexfs::ctl
