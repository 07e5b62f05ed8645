// SPDX-License-Identifier: GPL-2.0-or-later
// From a name to an inode number, in every form of a directory.
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_DIRECTORY_LOOKUP_H_
#define FUSEXFS_FUSEXFS_NAMES_DIRECTORY_LOOKUP_H_

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "fusexfs/names/context.h"
#include "libondisk/types.h"

namespace fusexfs {

// The inode that `name` leads to; nothing if there is no such name (or it
// cannot be a name: empty, with NUL or '/'). "." and ".." are answered.
// ENOTDIR, ENAMETOOLONG (more than 255 bytes).
absl::StatusOr<std::optional<ondisk::InodeNumber>> LookupName(
    const NamesContext& context, const Inode& directory, std::string_view name);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_DIRECTORY_LOOKUP_H_
