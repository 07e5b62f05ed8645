// SPDX-License-Identifier: GPL-2.0-or-later
// The way from the root of a btree to one entry of a leaf.
//
// Invariants: each block on the path has passed its verifier, has the level
// that its parent's place demands, is neighbour of the block that was visited
// before it where there was one, and is not empty unless it is the root. So a
// descent takes at most as many steps as the tree has levels; that a walk along
// the leaves ends is for the cursor, which sees the records ascend.
// Errors: I/O; corruption, which names the tree, the block and the field.
// Thread-safety: one path belongs to one thread.
#ifndef FUSEXFS_FUSEXFS_BTREE_BTREE_PATH_H_
#define FUSEXFS_FUSEXFS_BTREE_BTREE_PATH_H_

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/btree/btree_root.h"
#include "fusexfs/cache/buffer_cache.h"
#include "libondisk/btree_block.h"
#include "libondisk/btree_traits.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

// More than any tree can have (BtreeLayout::max_levels).
inline constexpr uint32_t kMostBtreeLevels = 16;

class BtreePath {
 public:
  // REQUIRES: `cache` and `geometry` outlive the path.
  BtreePath(BufferCache& cache, const ondisk::Geometry& geometry,
            const BtreeRoot& root);

  const BtreeRoot& root() const { return root_; }
  const ondisk::Geometry& geometry() const { return geometry_; }
  const ondisk::BtreeLayout& layout() const { return layout_; }

  // Reads the root. Afterwards level() is the root's; for a root in an inode
  // that is levels (its entries are pointers), else levels - 1.
  absl::Status ToRoot();

  // ---- the lowest node that the path has reached ----
  uint32_t level() const { return level_; }
  bool at_leaf() const { return level_ == 0; }
  uint32_t count() const;  // entries
  // REQUIRE i < count() and the right kind of node.
  ondisk::Bytes LowKey(uint32_t i) const;
  ondisk::Bytes Record(uint32_t i) const;
  // Address of the block (of no meaning for a root in an inode).
  ondisk::DiskAddress address() const;

  uint32_t index() const { return nodes_[level_].index; }
  void set_index(uint32_t i) { nodes_[level_].index = i; }

  // Goes down to the child at index(). REQUIRES: not at a leaf, index() <
  // count().
  absl::Status Descend();

  // From a leaf to the next or previous one, index at its first or last entry.
  // False, and no move, if there is none.
  absl::StatusOr<bool> ToNextLeaf();
  absl::StatusOr<bool> ToPreviousLeaf();

  // The error of a check at the current node, with the tree named.
  absl::Status Named(const absl::Status& status) const;

 private:
  struct Node {
    BufferRef buffer;     // none for a root in an inode
    uint64_t number = 0;  // AgBlock or FsBlock
    uint32_t index = 0;
  };
  enum class Direction { kRight, kLeft };

  bool IsInodeRoot() const { return root_.in_inode() && level_ == top_; }
  ondisk::BtreeBlock block() const {
    return {nodes_[level_].buffer.bytes(), layout_};
  }
  uint64_t Pointer(uint32_t i) const;
  ondisk::DiskAddress AddressOf(uint64_t number) const;
  // Puts the block `number` into the node of `level`, checked.
  absl::Status Enter(uint64_t number, uint32_t level);
  absl::StatusOr<bool> ToNeighbourLeaf(Direction direction);
  absl::Status CheckNeighbours(const ondisk::BtreeBlock& from,
                               uint64_t from_number, Direction direction) const;
  void PrefetchChildren() const;

  BufferCache& cache_;
  const ondisk::Geometry& geometry_;
  const BtreeRoot root_;
  const ondisk::BtreeLayout layout_;
  const uint32_t top_;  // level of the root
  uint32_t level_ = 0;
  std::array<Node, kMostBtreeLevels> nodes_;  // by level
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_BTREE_BTREE_PATH_H_
