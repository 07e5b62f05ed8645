// SPDX-License-Identifier: GPL-2.0-or-later
// The target of a symbolic link, inline or in blocks of its own.
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_SYMLINK_READ_H_
#define FUSEXFS_FUSEXFS_NAMES_SYMLINK_READ_H_

#include <string>

#include "absl/status/statusor.h"
#include "fusexfs/names/context.h"

namespace fusexfs {

// 1 to 1024 bytes. EINVAL if the inode is no symlink.
absl::StatusOr<std::string> ReadSymlink(const NamesContext& context,
                                        const Inode& inode);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_SYMLINK_READ_H_
