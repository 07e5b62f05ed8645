// SPDX-License-Identifier: GPL-2.0-or-later
// FIEMAP's answer, extent by extent, as the kernel's XFS gives it.
//
// One extent record gives one answer, cut to the blocks that the range touches
// and split where blocks begin or cease to be shared. Preallocated extents
// behind the end of the file are shown. FIEMAP_EXTENT_LAST marks the last
// extent of the asked range, not of the file, as in the kernel.
//
// Thread-safety: safe for any number of threads.
// Source: Documentation/filesystems/fiemap.rst, kernel fs/iomap/fiemap.c,
// fs/ioctl.c (fiemap_prep), fs/xfs/xfs_iomap.c, fs/xfs/xfs_reflink.c
// (xfs_reflink_trim_around_shared).
#ifndef FUSEXFS_FUSEXFS_FILE_FIEMAP_H_
#define FUSEXFS_FUSEXFS_FILE_FIEMAP_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "fusexfs/inode/inode.h"
#include "fusexfs/space/refcount_lookup.h"
#include "libondisk/geometry.h"

namespace fusexfs {

enum class FiemapFork : uint8_t {
  kData,
  kAttribute,  // FIEMAP_FLAG_XATTR
};

struct FiemapExtent {
  uint64_t logical = 0;   // bytes
  uint64_t physical = 0;  // bytes on the data device
  uint64_t length = 0;    // bytes
  uint32_t flags = 0;     // FIEMAP_EXTENT_* of <linux/fiemap.h>
};

// Calls `visit` for each extent of [start, start + length) in order, until it
// returns false. `shared` is asked for reflinked files only. A fork without
// extents (also an attribute fork in the inode itself) has an empty answer.
// EINVAL: length 0; EFBIG: start not before 2^63 - 1; EOPNOTSUPP: directories
// and symlinks, and the data of special files.
absl::Status Fiemap(const Inode& inode, const ondisk::Geometry& geometry,
                    RefcountLookup& shared, uint64_t start, uint64_t length,
                    FiemapFork fork,
                    absl::FunctionRef<bool(const FiemapExtent&)> visit);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILE_FIEMAP_H_
