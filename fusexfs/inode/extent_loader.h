// SPDX-License-Identifier: GPL-2.0-or-later
// From what stands in an inode's fork to its extents in memory.
//
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_INODE_EXTENT_LOADER_H_
#define FUSEXFS_FUSEXFS_INODE_EXTENT_LOADER_H_

#include "absl/status/statusor.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/inode/extent_map.h"
#include "libondisk/extents.h"
#include "libondisk/geometry.h"
#include "libondisk/inode_core.h"
#include "libondisk/types.h"

namespace fusexfs {

// Reads the records of a fork in format extents, or walks its btree; a fork in
// another format has none. `fork_bytes`: the records, or the whole fork of a
// btree root, as VerifyInodeForks has accepted them. Corruption: a record out
// of range or out of order, a btree block that fails its checks or belongs to
// another inode, more or fewer records than the inode counts. The walk ends on
// any image, because records must ascend; it uses no more memory than the
// records that there are.
absl::StatusOr<ExtentMap> LoadExtents(BufferCache& buffers,
                                      const ondisk::Geometry& geometry,
                                      const ondisk::InodeCore& core,
                                      ondisk::Fork fork,
                                      ondisk::Bytes fork_bytes);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_INODE_EXTENT_LOADER_H_
