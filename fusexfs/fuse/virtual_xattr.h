// SPDX-License-Identifier: GPL-2.0-or-later
// Extended attributes that no file has and every file answers, for scripts
// without the ioctl: getfattr -n user.fusexfs.fiemap --only-values FILE.
//
//   user.fusexfs.fiemap   a line per extent: logical, physical, length (bytes,
//                         decimal) and the flags, by name, with commas between;
//                         "-" for none
//   user.fusexfs.paths    a line per path of the file, from the mount's root,
//                         sorted; "\\" and "\n" stand for a backslash and a
//                         newline within a name
//   user.fusexfs.version  of the daemon: how a program knows a fusexfs mount
//
// They are never listed. The system lets nobody have user.* attributes on
// symbolic links and special files, so "system.fusexfs." stands for
// "user.fusexfs." there (and everywhere). A real attribute of that name wins.
// Values beyond 64 KiB cannot be carried: E2BIG.
// Thread-safety: free functions.
#ifndef FUSEXFS_FUSEXFS_FUSE_VIRTUAL_XATTR_H_
#define FUSEXFS_FUSEXFS_FUSE_VIRTUAL_XATTR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "fusexfs/file/fiemap.h"
#include "fusexfs/filesystem.h"

namespace fusexfs {

enum class VirtualXattr : uint8_t { kFiemap, kPaths, kVersion };

// Which one `name` is, if any.
std::optional<VirtualXattr> VirtualXattrOf(std::string_view name);

// The most that an extended attribute can hold.
inline constexpr size_t kXattrMaxBytes = 65536;

absl::StatusOr<std::string> VirtualXattrValue(Filesystem& filesystem,
                                              ondisk::InodeNumber inode,
                                              VirtualXattr which);

// "0 98304 4096 last,shared\n".
std::string FiemapLine(const FiemapExtent& extent);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_VIRTUAL_XATTR_H_
