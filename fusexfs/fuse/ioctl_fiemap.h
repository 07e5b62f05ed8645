// SPDX-License-Identifier: GPL-2.0-or-later
// The private FIEMAP ioctl (fusexfs/ioctl.h), apart from FUSE.
//
// Thread-safety: free functions.
#ifndef FUSEXFS_FUSEXFS_FUSE_IOCTL_FIEMAP_H_
#define FUSEXFS_FUSEXFS_FUSE_IOCTL_FIEMAP_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/ioctl.h"

namespace fusexfs {

// Whether `command` is FUSEXFS_IOC_FIEMAP in any size.
bool IsFiemapCommand(unsigned command);

// Answers the request that stands in `map`, with as many extents as a struct
// of `size` bytes has room for. Gives the bytes of `map` that are the answer.
// EOPNOTSUPP: unknown version or flag. EINVAL: no length, or no room.
absl::StatusOr<size_t> AnswerFiemap(Filesystem& filesystem,
                                    ondisk::InodeNumber inode, size_t size,
                                    fusexfs_fiemap& map);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_IOCTL_FIEMAP_H_
