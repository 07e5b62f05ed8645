// SPDX-License-Identifier: GPL-2.0-or-later
// lseek(2)'s SEEK_DATA and SEEK_HOLE, as the kernel's XFS answers right after a
// mount: unwritten extents count as holes, because nothing of them is in the
// page cache yet.
//
// Thread-safety: safe for any number of threads.
// Source: kernel fs/iomap/seek.c, fs/xfs/xfs_file.c.
#ifndef FUSEXFS_FUSEXFS_FILE_SEEK_H_
#define FUSEXFS_FUSEXFS_FILE_SEEK_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "fusexfs/inode/inode.h"
#include "libondisk/geometry.h"

namespace fusexfs {

// The first byte at or behind `offset` that is data. ENXIO if there is none
// before the end of the file, or `offset` is not before it. EINVAL for an inode
// that is no regular file.
absl::StatusOr<uint64_t> SeekData(const Inode& inode,
                                  const ondisk::Geometry& geometry,
                                  uint64_t offset);

// The first byte at or behind `offset` that is in a hole; the end of the file
// counts as one. ENXIO if `offset` is not before the end of the file.
absl::StatusOr<uint64_t> SeekHole(const Inode& inode,
                                  const ondisk::Geometry& geometry,
                                  uint64_t offset);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILE_SEEK_H_
