// SPDX-License-Identifier: GPL-2.0-or-later
// The inode's flags as lsattr and xfs_io know them.
//
// Thread-safety: free functions on values. Source: <linux/fs.h>; kernel
// fs/xfs/xfs_inode.c (xfs_ip2xflags), fs/ioctl.c (fileattr_fill_xflags).
#ifndef FUSEXFS_FUSEXFS_FUSE_INODE_FLAGS_H_
#define FUSEXFS_FUSEXFS_FUSE_INODE_FLAGS_H_

#include <linux/fs.h>

#include <cstdint>

#include "fusexfs/filesystem.h"

namespace fusexfs {

// FS_XFLAG_*, the word of FS_IOC_FSGETXATTR.
uint32_t ExtendedFlags(const Attributes& attributes);
// FS_*_FL, the word of FS_IOC_GETFLAGS: those that have an extended flag.
uint32_t ChattrFlags(uint32_t extended_flags);
// The whole answer of FS_IOC_FSGETXATTR. `block_size` in bytes.
fsxattr ExtendedAttributes(const Attributes& attributes, uint32_t block_size);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_INODE_FLAGS_H_
