// SPDX-License-Identifier: GPL-2.0-or-later
// A walk over the leaves of a directory's or attribute fork's B+tree, in hash
// order, from the first leaf that may hold a hash.
//
// The walk goes by the nodes, and the links of two leaves that follow each
// other must agree with it. A leaf has one neighbour on either side, so no leaf
// comes twice, whatever a node or an extent list says: the walk is no longer
// than the image has leaves.
//
// Thread-safety: one walk belongs to one thread.
#ifndef FUSEXFS_FUSEXFS_NAMES_DA_TREE_H_
#define FUSEXFS_FUSEXFS_NAMES_DA_TREE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/names/da_fork.h"
#include "libondisk/da_btree.h"
#include "libondisk/types.h"

namespace fusexfs {

class DaTreeWalk {
 public:
  // REQUIRES: `fork` outlives the walk. `root` is where the tree begins.
  DaTreeWalk(const DaFork& fork, const BlockType& type, ondisk::DaBlock root)
      : fork_(fork), type_(type), root_(root) {}

  // Goes to the first leaf that may hold `hash`.
  absl::Status Find(uint32_t hash);
  // Goes to the next leaf; false if there is none.
  absl::StatusOr<bool> Next();

  // REQUIRES: the last call went to a leaf. Owner and magic are checked: it is
  // no node.
  ondisk::Bytes leaf() const { return leaf_.bytes(); }
  ondisk::DaBlock leaf_block() const { return leaf_block_; }

 private:
  struct Step {
    BufferRef node;
    size_t index = 0;
  };

  // Reads `at` and goes down to a leaf; `hash` picks the children. `level`:
  // what the block must have, or kAnyLevel for the root.
  absl::Status Descend(ondisk::DaBlock at, uint32_t level, uint32_t hash);
  // The leaf and the one before it, which was `previous` and named `next`.
  absl::Status CheckNeighbours(ondisk::DaBlock previous, uint32_t next) const;

  const DaFork& fork_;
  const BlockType& type_;
  const ondisk::DaBlock root_;
  std::array<Step, ondisk::kDaMaxDepth> path_;
  size_t depth_ = 0;  // steps in use
  BufferRef leaf_;
  ondisk::DaBlock leaf_block_;
  ondisk::DaBlock first_leaf_;  // where the walk began
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_DA_TREE_H_
