// SPDX-License-Identifier: GPL-2.0-or-later
// "PATH or INO" on the command line, turned into an inode.
//
// Paths start at the image's root, with or without a leading slash; symlinks on
// the way are followed inside the image (".." and absolute targets never leave
// it). An argument of digits only is an inode number.
//
// Thread-safety: pure functions on a Filesystem.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_TARGET_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_TARGET_H_

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "fusexfs/filesystem.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

// A path's last component, if it is a symlink: the link or what it leads to.
enum class LastLink : bool { kKeep, kFollow };

std::optional<ondisk::InodeNumber> ParseInodeNumber(std::string_view text);

// ENOENT, ENOTDIR, ELOOP (more than 40 links), naming the component.
absl::StatusOr<ondisk::InodeNumber> ResolvePath(Filesystem& filesystem,
                                                std::string_view path,
                                                LastLink last);

absl::StatusOr<ondisk::InodeNumber> ResolveTarget(Filesystem& filesystem,
                                                  std::string_view target,
                                                  LastLink last);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_TARGET_H_
