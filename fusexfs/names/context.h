// SPDX-License-Identifier: GPL-2.0-or-later
// names/: directories, extended attributes, parent pointers, symlinks: all that
// has to do with a name.
//
// Plain functions on verified inodes; they read blocks through the buffer cache
// and keep nothing between calls. Every loop over on-disk pointers is bounded
// by what the fork's size permits.
//
// Thread-safety: all functions of this room are safe from any number of
// threads. Errors: POSIX errnos as the kernel's XFS gives them, corruption
// (EUCLEAN), or what the device says.
#ifndef FUSEXFS_FUSEXFS_NAMES_CONTEXT_H_
#define FUSEXFS_FUSEXFS_NAMES_CONTEXT_H_

#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/inode/inode.h"
#include "fusexfs/inode/inode_cache.h"
#include "libondisk/geometry.h"

namespace fusexfs {

// What the functions of this room work on; a bundle of references.
struct NamesContext {
  const ondisk::Geometry& geometry;
  BufferCache& buffers;
  InodeCache& inodes;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_CONTEXT_H_
