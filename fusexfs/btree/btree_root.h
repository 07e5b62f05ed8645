// SPDX-License-Identifier: GPL-2.0-or-later
// btree/: one B+tree for all seven trees of XFS. This header says which tree is
// meant: its kind, its owner, and where its root is.
//
//   btree_root.h    which tree
//   btree_path.h    the blocks from the root to one leaf, checked; moves along
//   trees.h         what is particular to each tree: records, keys, order
//   btree_cursor.h  lookup and iteration, by record
//
// Reading only, so far. A path holds its blocks pinned and knows the index
// taken in each: what inserting and deleting need.
//
// Thread-safety: plain values.
#ifndef FUSEXFS_FUSEXFS_BTREE_BTREE_ROOT_H_
#define FUSEXFS_FUSEXFS_BTREE_BTREE_ROOT_H_

#include <cstdint>
#include <string>

#include "fusexfs/cache/buffer_cache.h"
#include "libondisk/btree_traits.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

struct BtreeRoot {
  // A tree of an AG, as the AG's header (verified) gives it. `levels`: 1 if the
  // root is a leaf.
  static BtreeRoot InAg(ondisk::BtreeKind kind, ondisk::AgNumber ag,
                        ondisk::AgBlock block, uint32_t levels);
  // The extents of an inode. `fork`: all bytes of the fork, at least the root's
  // header; they outlive every use of this.
  static BtreeRoot InInode(ondisk::InodeNumber owner, ondisk::Bytes fork);

  ondisk::BtreeKind kind;
  ondisk::AgNumber ag;        // unless in an inode
  ondisk::AgBlock block;      // unless in an inode
  ondisk::InodeNumber owner;  // in an inode
  ondisk::Bytes fork;         // in an inode
  uint32_t levels = 0;        // of blocks; the root in an inode is one above

  bool in_inode() const { return kind == ondisk::BtreeKind::kBmbt; }
  // "refcountbt of AG 3", "bmbt of inode 131".
  std::string Describe() const;
};

// What the buffer cache calls a block of such a tree.
const BlockType& BtreeBlockType(ondisk::BtreeKind kind);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_BTREE_BTREE_ROOT_H_
