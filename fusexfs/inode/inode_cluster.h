// SPDX-License-Identifier: GPL-2.0-or-later
// Where an inode stands on disk, and the unit in which inodes are read.
//
// A cluster is the run of blocks that the kernel reads at once: 8 KiB for every
// 256 bytes of inode size on V5, where the alignment of inode chunks allows it.
// One bad inode header spoils the cluster, as it does in the kernel.
//
// Thread-safety: pure functions and constants.
// Source: kernel fs/xfs/libxfs/xfs_ialloc.c (xfs_imap,
// xfs_ialloc_setup_geometry), xfs_inode_buf.c (xfs_inode_buf_verify).
#ifndef FUSEXFS_FUSEXFS_INODE_INODE_CLUSTER_H_
#define FUSEXFS_FUSEXFS_INODE_INODE_CLUSTER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "fusexfs/cache/buffer_cache.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

struct InodePlace {
  ondisk::DiskAddress cluster;
  uint32_t cluster_bytes = 0;
  uint32_t offset = 0;  // bytes, in the cluster
};

// Blocks per cluster.
uint32_t InodeClusterBlocks(const ondisk::Geometry& geometry);

// EINVAL for a number that cannot name an inode of this image.
absl::StatusOr<InodePlace> LocateInode(const ondisk::Geometry& geometry,
                                       ondisk::InodeNumber number);

extern const BlockType kInodeClusterType;

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_INODE_INODE_CLUSTER_H_
