// SPDX-License-Identifier: GPL-2.0-or-later
// Paths: from the root down by lookup, and from an inode up by parent pointers.
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_PATHS_H_
#define FUSEXFS_FUSEXFS_NAMES_PATHS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fusexfs/names/context.h"
#include "libondisk/types.h"

namespace fusexfs {

// Walks "/a/b/c" from the root; empty components and "." stay, ".." goes up,
// symlinks are not followed. ENOENT, ENOTDIR.
absl::StatusOr<ondisk::InodeNumber> LookupPath(const NamesContext& context,
                                               std::string_view path);

// Every path of an inode from the root, sorted. Bytes stand as they are, except
// that a newline and a backslash become \n and \\, so that paths can be printed
// one a line. EOPNOTSUPP without parent pointers; corruption if walking up
// meets a cycle or a parent that does not exist; E2BIG beyond a million.
absl::StatusOr<std::vector<std::string>> Paths(const NamesContext& context,
                                               const Inode& inode);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_PATHS_H_
