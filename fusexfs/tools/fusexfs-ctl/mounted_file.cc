// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/fusexfs-ctl/mounted_file.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cstring>

#include "libondisk/status.h"

namespace fusexfs::ctl {

namespace {

constexpr char kVersionXattr[] = "system.fusexfs.version";

absl::Status NotMounted(const std::string& path) {
  return FileError(path, EXDEV, "not on a fusexfs mount");
}

}  // namespace

absl::Status FileError(const std::string& path, int error) {
  return FileError(path, error, std::strerror(error));
}

absl::Status FileError(const std::string& path, int error,
                       const std::string& text) {
  return ondisk::PosixError(error, fmt::format("{}: {}", path, text));
}

absl::Status RequireMounted(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) return FileError(path, errno);
  if (!ReadXattr(path, kVersionXattr).ok()) return NotMounted(path);
  return absl::OkStatus();
}

absl::Status RequireMounted(const std::string& path, int file) {
  if (fgetxattr(file, kVersionXattr, nullptr, 0) < 0) return NotMounted(path);
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadXattr(const std::string& path,
                                      const std::string& name) {
  std::string value(65536, '\0');  // as long as one can be
  const ssize_t size =
      lgetxattr(path.c_str(), name.c_str(), value.data(), value.size());
  if (size < 0) return FileError(path, errno);
  value.resize(static_cast<size_t>(size));
  return value;
}

}  // namespace fusexfs::ctl
