// SPDX-License-Identifier: GPL-2.0-or-later
// Node ids are inode numbers, so that no table is needed to go from one to the
// other and a forgotten node costs nothing. The root is the exception: FUSE
// wants it to be 1 (which no XFS inode can be: block 0 holds the superblock).
//
// Thread-safety: plain values.
#ifndef FUSEXFS_FUSEXFS_FUSE_NODE_ID_H_
#define FUSEXFS_FUSEXFS_FUSE_NODE_ID_H_

#include <cstdint>

#include "libondisk/types.h"

namespace fusexfs {

inline constexpr uint64_t kRootNode = 1;

class NodeIds {
 public:
  explicit NodeIds(ondisk::InodeNumber root) : root_(root) {}

  ondisk::InodeNumber InodeOf(uint64_t node) const {
    return node == kRootNode ? root_ : ondisk::InodeNumber(node);
  }
  uint64_t NodeOf(ondisk::InodeNumber inode) const {
    return inode == root_ ? kRootNode : inode.value;
  }
  // The kernel expects generation 0 of the root, whatever the inode says.
  uint64_t GenerationOf(ondisk::InodeNumber inode, uint32_t generation) const {
    return inode == root_ ? 0 : generation;
  }

 private:
  ondisk::InodeNumber root_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_NODE_ID_H_
