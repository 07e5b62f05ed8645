// SPDX-License-Identifier: GPL-2.0-or-later
// The blocks of a directory's data fork or of an attribute fork, found by their
// place in the fork.
//
// A block of a directory is geometry.directory_block_size bytes and may be
// scattered over several extents; a block of an attribute fork is one
// filesystem block.
//
// Thread-safety: one DaFork belongs to one thread; it must not outlive the
// inode and the context.
#ifndef FUSEXFS_FUSEXFS_NAMES_DA_FORK_H_
#define FUSEXFS_FUSEXFS_NAMES_DA_FORK_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/inode/extent_map.h"
#include "fusexfs/names/context.h"
#include "libondisk/checker.h"
#include "libondisk/types.h"

namespace fusexfs {

class DaFork {
 public:
  enum class Kind : uint8_t { kDirectory, kAttribute };

  // Loads the fork's extents. REQUIRES: a fork in format extents or btree.
  static absl::StatusOr<DaFork> Open(const NamesContext& context,
                                     const Inode& inode, Kind kind);

  // The block at `at`. Corruption if that is a hole in full or in part, and
  // what the type's verifier says. The owner is not checked yet.
  absl::StatusOr<BufferRef> Read(ondisk::DaBlock at,
                                 const BlockType& type) const;
  // Has the blocks from the extent that holds or follows `at` read ahead, up to
  // `bytes` and not beyond `end`; holes do not count. Returns where it stopped.
  ondisk::FileBlock Prefetch(ondisk::DaBlock at, uint64_t bytes,
                             ondisk::DaBlock end) const;

  std::span<const Extent> extents() const { return extents_->extents(); }
  const ExtentMap& extent_map() const { return *extents_; }
  // First fork block behind everything mapped.
  ondisk::FileBlock end() const;

  const ondisk::Geometry& geometry() const { return context_->geometry; }
  const Inode& inode() const { return *inode_; }
  ondisk::InodeNumber owner() const { return inode_->number(); }
  ondisk::Where At(ondisk::DaBlock block) const;
  absl::Status Corruption(std::string_view structure, ondisk::DaBlock at,
                          std::string_view field, uint64_t found,
                          std::string_view expected) const;

 private:
  using Pieces = absl::InlinedVector<BlockPiece, 4>;

  DaFork(const NamesContext& context, const Inode& inode, Kind kind,
         const ExtentMap* extents);
  absl::Status Map(ondisk::DaBlock at, const BlockType& type,
                   Pieces& pieces) const;
  uint32_t block_bytes() const;

  const NamesContext* context_;
  const Inode* inode_;
  Kind kind_;
  const ExtentMap* extents_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_DA_FORK_H_
