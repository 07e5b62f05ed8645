// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/virtual_xattr.h"

#include <fmt/format.h>

#include <cerrno>
#include <vector>

#include "fusexfs/file/fiemap_flags.h"
#include "libondisk/status.h"

namespace fusexfs {

namespace {

bool TakePrefix(std::string_view prefix, std::string_view& name) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  return true;
}

absl::Status TooLong(std::string_view what) {
  return ondisk::PosixError(E2BIG, fmt::format("{} exceed 64 KiB", what));
}

absl::StatusOr<std::string> FiemapText(Filesystem& filesystem,
                                       ondisk::InodeNumber inode) {
  std::string text;
  ONDISK_RETURN_IF_ERROR(
      filesystem.Fiemap(inode, 0, ~uint64_t{0}, FiemapFork::kData,
                        [&text](const FiemapExtent& extent) {
                          text += FiemapLine(extent);
                          return text.size() <= kXattrMaxBytes;
                        }));
  if (text.size() > kXattrMaxBytes) return TooLong("the file's extents");
  return text;
}

absl::StatusOr<std::string> PathsText(Filesystem& filesystem,
                                      ondisk::InodeNumber inode) {
  ONDISK_ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                          filesystem.Paths(inode));
  std::string text;
  for (const std::string& path : paths) {
    text += path;
    text += '\n';
    if (text.size() > kXattrMaxBytes) return TooLong("the file's paths");
  }
  return text;
}

}  // namespace

std::optional<VirtualXattr> VirtualXattrOf(std::string_view name) {
  if (!TakePrefix("user.fusexfs.", name) &&
      !TakePrefix("system.fusexfs.", name)) {
    return std::nullopt;
  }
  if (name == "fiemap") return VirtualXattr::kFiemap;
  if (name == "paths") return VirtualXattr::kPaths;
  if (name == "version") return VirtualXattr::kVersion;
  return std::nullopt;
}

absl::StatusOr<std::string> VirtualXattrValue(Filesystem& filesystem,
                                              ondisk::InodeNumber inode,
                                              VirtualXattr which) {
  switch (which) {
    case VirtualXattr::kFiemap:
      return FiemapText(filesystem, inode);
    case VirtualXattr::kPaths:
      return PathsText(filesystem, inode);
    case VirtualXattr::kVersion:
      break;
  }
  return std::string(FUSEXFS_VERSION);
}

std::string FiemapLine(const FiemapExtent& extent) {
  const std::vector<std::string> flags = FiemapFlagNames(extent.flags);
  return fmt::format(
      "{} {} {} {}\n", extent.logical, extent.physical, extent.length,
      flags.empty() ? "-" : fmt::to_string(fmt::join(flags, ",")));
}

}  // namespace fusexfs
