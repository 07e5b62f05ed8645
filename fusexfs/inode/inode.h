// SPDX-License-Identifier: GPL-2.0-or-later
// inode/: inodes in memory, and their cache.
//
//   inode.h          one inode: its core, its inline forks, its extents
//   inode_cache.h    inodes by number
//   inode_cluster.h  where an inode stands on disk
//   extent_map.h     the extents of a fork; extent_loader.h gets them
//
// An Inode is the verified content of one disk inode, decoded once: its core,
// its inline forks, and (loaded on first use) the extents of its forks.
//
// Invariants: an Inode in the cache has passed the inode verifier and its fork
// verifiers; number and generation never change. Thread-safety: an Inode is
// immutable apart from its extent maps, which load under its own mutex and are
// published once.
#ifndef FUSEXFS_FUSEXFS_INODE_INODE_H_
#define FUSEXFS_FUSEXFS_INODE_INODE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/cache/pinned_table.h"
#include "fusexfs/inode/extent_map.h"
#include "fusexfs/trace/mutex.h"
#include "libondisk/geometry.h"
#include "libondisk/inode_core.h"
#include "libondisk/types.h"

namespace fusexfs {

class Inode : public PinnedEntry {
 public:
  explicit Inode(uint64_t number) : PinnedEntry(number) {}
  ~Inode() override;

  ondisk::InodeNumber number() const { return ondisk::InodeNumber(key()); }
  // The decoded core (mode, sizes, times, fork formats;
  // libondisk/inode_core.h).
  const ondisk::InodeCore& core() const { return core_; }

  bool is_directory() const { return core_.is_directory(); }
  bool is_regular() const { return core_.is_regular(); }
  bool is_symlink() const { return core_.is_symlink(); }

  // Content of a fork in local format; empty otherwise. Verified.
  ondisk::Bytes local_data() const {
    return core_.data_format == ondisk::ForkFormat::kLocal ? data_fork()
                                                           : ondisk::Bytes();
  }
  ondisk::Bytes local_attributes() const {
    return core_.attribute_format == ondisk::ForkFormat::kLocal
               ? attribute_fork()
               : ondisk::Bytes();
  }
  bool has_attribute_fork() const { return core_.has_attribute_fork(); }

  // The extents of the data or attribute fork, loaded on first use; valid while
  // the inode is held. A fork in another format, or none, has an empty map.
  // Corruption: an unsorted, overlapping or out-of-range record, a btree block
  // that fails, more or fewer records than the inode counts.
  absl::StatusOr<const ExtentMap*> DataExtents() const;
  absl::StatusOr<const ExtentMap*> AttributeExtents() const;

 private:
  friend class InodeCache;

  // Fills a new inode from its disk inode (both are verified here). Returns
  // the bytes of memory that it takes.
  absl::StatusOr<uint64_t> Fill(BufferCache& buffers,
                                const ondisk::Geometry& geometry,
                                ondisk::Bytes disk_inode);

  // What the forks hold of use: inline content, records, or a btree root.
  ondisk::Bytes data_fork() const { return {forks_.get(), data_bytes_}; }
  ondisk::Bytes attribute_fork() const {
    return {forks_.get() + data_bytes_, attribute_bytes_};
  }

  absl::StatusOr<const ExtentMap*> Extents(
      ondisk::Fork fork, std::atomic<const ExtentMap*>& published) const;

  ondisk::InodeCore core_;
  uint16_t data_bytes_ = 0;
  uint16_t attribute_bytes_ = 0;
  std::unique_ptr<uint8_t[]> forks_;
  BufferCache* buffers_ = nullptr;
  const ondisk::Geometry* geometry_ = nullptr;

  mutable Mutex loading_;  // held while extents load
  mutable std::atomic<const ExtentMap*> data_extents_{nullptr};
  mutable std::atomic<const ExtentMap*> attribute_extents_{nullptr};
};

// Keeps an inode in memory while it lives. Movable, not copyable.
class InodeRef {
 public:
  InodeRef() = default;

  explicit operator bool() const { return bool{inode_}; }
  const Inode& operator*() const { return *inode_; }
  const Inode* operator->() const { return inode_.get(); }

 private:
  friend class InodeCache;
  explicit InodeRef(Pinned<Inode> inode) : inode_(std::move(inode)) {}

  Pinned<Inode> inode_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_INODE_INODE_H_
