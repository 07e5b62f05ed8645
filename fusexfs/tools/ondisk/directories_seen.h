// SPDX-License-Identifier: GPL-2.0-or-later
// The directories that a walk has entered. A directory has one entry that leads
// to it: a second one, or one from within, would make a walk meet the same
// names again and again, in a damaged image without end.
//
// Thread-safety: belongs to one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_DIRECTORIES_SEEN_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_DIRECTORIES_SEEN_H_

#include <cstdint>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "fusexfs/tools/ondisk/names.h"
#include "libondisk/status.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

class DirectoriesSeen {
 public:
  // OK the first time, corruption after. `path`: under which it is met now.
  absl::Status Enter(ondisk::InodeNumber directory, std::string_view path) {
    if (seen_.insert(directory.value).second) return absl::OkStatus();
    return ondisk::CorruptionError(
        "directory", ondisk::Where::Inode(directory), "path", EscapeName(path),
        "a directory that was not met before: only one entry leads to each");
  }

 private:
  absl::flat_hash_set<uint64_t> seen_;
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_DIRECTORIES_SEEN_H_
