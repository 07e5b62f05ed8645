// SPDX-License-Identifier: GPL-2.0-or-later
// Inodes in memory, by number: found without a lock, read and verified once,
// dropped when nobody holds them and memory runs short (pinned_table.h). The
// extents that an inode has loaded count against the limit too.
//
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_INODE_INODE_CACHE_H_
#define FUSEXFS_FUSEXFS_INODE_INODE_CACHE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/cache/pinned_table.h"
#include "fusexfs/inode/inode.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

class InodeCache {
 public:
  // REQUIRES: `buffers` and `geometry` outlive the cache.
  InodeCache(BufferCache& buffers, const ondisk::Geometry& geometry,
             uint64_t limit_bytes);

  // The inode, read and verified if need be. The number is believed to be an
  // inode's: it comes from a directory or the superblock. ENOENT for a free
  // inode (mode 0), EINVAL for a number that cannot name one, corruption
  // otherwise.
  absl::StatusOr<InodeRef> Get(ondisk::InodeNumber number);

  using Counters = PinnedTable<Inode>::Counters;
  Counters counters() const { return table_.counters(); }

  // Drops every inode that nobody holds.
  void DropUnused() { table_.DropUnused(); }

 private:
  BufferCache& buffers_;
  const ondisk::Geometry& geometry_;
  PinnedTable<Inode> table_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_INODE_INODE_CACHE_H_
