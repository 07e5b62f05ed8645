// SPDX-License-Identifier: GPL-2.0-or-later
// The names of a directory in the order of their cookies.
//
// A cookie is a place in the directory's data segment in units of 8 bytes (the
// kernel's "dataptr"): below 2^31, unique, and the same for as long as the
// entry exists, whatever form the directory takes. Reading may start at any
// value; it goes on with the first entry at or behind it.
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_DIRECTORY_READ_H_
#define FUSEXFS_FUSEXFS_NAMES_DIRECTORY_READ_H_

#include <cstdint>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "fusexfs/names/context.h"
#include "libondisk/types.h"

namespace fusexfs {

// One name of a directory.
struct DirectoryEntry {
  std::string_view name;  // valid during the callback only
  ondisk::InodeNumber inode;
  uint8_t type = 0;          // DT_* of <dirent.h>; DT_UNKNOWN without ftype
  uint64_t next_cookie = 0;  // give this to ReadDirectory to go on behind it
};

// Calls `visit` for each entry from `cookie` on (0: the start) until it returns
// false. "." and ".." come first. ENOTDIR; EUCLEAN at an entry whose name
// cannot be, after the entries before it.
absl::Status ReadDirectory(
    const NamesContext& context, const Inode& directory, uint64_t cookie,
    absl::FunctionRef<bool(const DirectoryEntry&)> visit);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_DIRECTORY_READ_H_
