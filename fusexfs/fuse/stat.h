// SPDX-License-Identifier: GPL-2.0-or-later
// Attributes of the engine as the structures of stat(2), statx(2) and FUSE.
//
// Thread-safety: free functions on values.
#ifndef FUSEXFS_FUSEXFS_FUSE_STAT_H_
#define FUSEXFS_FUSEXFS_FUSE_STAT_H_

#include <sys/stat.h>

#include "fusexfs/filesystem.h"
#include "fusexfs/fuse/library.h"
#include "fusexfs/fuse/node_id.h"

namespace fusexfs {

// st_ino is XFS's inode number, also for the root.
struct stat ToStat(const Attributes& attributes);

// What a lookup answers.
fuse_entry_param ToEntry(const NodeIds& nodes, const Attributes& attributes);

// With the birth time where there is one. (Sent only by a libfuse that can.)
struct statx ToStatx(const Attributes& attributes);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_STAT_H_
