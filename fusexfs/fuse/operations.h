// SPDX-License-Identifier: GPL-2.0-or-later
// The FUSE operations, one small file per topic. Each asks the filesystem and
// answers; none knows anything about XFS.
//
// Mounts are read-only: the kernel itself answers every call that would change
// something with EROFS, so those have no operation here. Nor has forget: the
// daemon keeps nothing per node (node_id.h).
// Thread-safety: each may run in any number of threads.
#ifndef FUSEXFS_FUSEXFS_FUSE_OPERATIONS_H_
#define FUSEXFS_FUSEXFS_FUSE_OPERATIONS_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/library.h"

namespace fusexfs {

// Everything below in one table. The session's user data is a Context.
fuse_lowlevel_ops MakeOperations();

// lookup.cc
void FuseLookup(fuse_req_t request, fuse_ino_t parent, const char* name);

// attributes.cc
void FuseGetAttributes(fuse_req_t request, fuse_ino_t node,
                       fuse_file_info* file);
void FuseReadLink(fuse_req_t request, fuse_ino_t node);
#if FUSEXFS_FUSE_HAS_STATX
void FuseStatx(fuse_req_t request, fuse_ino_t node, int flags, int mask,
               fuse_file_info* file);
#endif

// directory.cc
void FuseOpenDirectory(fuse_req_t request, fuse_ino_t node,
                       fuse_file_info* file);
void FuseReadDirectory(fuse_req_t request, fuse_ino_t node, size_t size,
                       off_t offset, fuse_file_info* file);
void FuseReadDirectoryPlus(fuse_req_t request, fuse_ino_t node, size_t size,
                           off_t offset, fuse_file_info* file);

// read.cc
void FuseOpen(fuse_req_t request, fuse_ino_t node, fuse_file_info* file);
void FuseRead(fuse_req_t request, fuse_ino_t node, size_t size, off_t offset,
              fuse_file_info* file);
void FuseSeek(fuse_req_t request, fuse_ino_t node, off_t offset, int whence,
              fuse_file_info* file);

// xattr.cc
void FuseGetXattr(fuse_req_t request, fuse_ino_t node, const char* name,
                  size_t size);
void FuseListXattrs(fuse_req_t request, fuse_ino_t node, size_t size);

// statfs.cc
void FuseStatistics(fuse_req_t request, fuse_ino_t node);

// ioctl.cc
void FuseIoctl(fuse_req_t request, fuse_ino_t node, unsigned int command,
               void* argument, fuse_file_info* file, unsigned flags,
               const void* in, size_t in_size, size_t out_size);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_OPERATIONS_H_
