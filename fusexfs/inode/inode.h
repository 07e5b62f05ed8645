// inode/: inodes in memory, and their cache.
//
// An Inode is the verified content of one disk inode, decoded once: its core,
// its inline forks, and (loaded on first use) the extents of its forks. Readers
// hold an InodeRef; the cache finds inodes by number without a lock and drops
// those that nobody holds when memory runs short.
//
// Invariants: an Inode in the cache has passed the inode verifier and its fork
// verifiers; number and generation never change. Thread-safety: an Inode is
// immutable apart from its extent maps, which load under its own mutex and are
// published once.
#ifndef FUSEXFS_FUSEXFS_INODE_INODE_H_
#define FUSEXFS_FUSEXFS_INODE_INODE_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/inode/extent_map.h"
#include "libondisk/geometry.h"
#include "libondisk/inode_core.h"
#include "libondisk/types.h"

namespace fusexfs {

class InodeCache;

class Inode {
 public:
  ondisk::InodeNumber number() const { return number_; }
  // The decoded core (mode, sizes, times, fork formats;
  // libondisk/inode_core.h).
  const ondisk::InodeCore& core() const { return core_; }

  bool is_directory() const;
  bool is_regular() const;
  bool is_symlink() const;

  // Content of a fork in local format; empty otherwise. Verified for size only:
  // the names/ room verifies what it means.
  ondisk::Bytes local_data() const;
  ondisk::Bytes local_attributes() const;
  bool has_attribute_fork() const;

  // The extents of the data or attribute fork, loaded on first use. REQUIRES:
  // format extents or btree (a local fork has none: returns an empty map).
  // Corruption: an unsorted, overlapping or out-of-range record, a btree block
  // that fails, more or fewer records than the inode counts.
  absl::StatusOr<const ExtentMap*> DataExtents() const;
  absl::StatusOr<const ExtentMap*> AttributeExtents() const;

 private:
  friend class InodeCache;
  struct Lazy;
  ondisk::InodeNumber number_;
  ondisk::InodeCore core_;
  std::unique_ptr<Lazy> lazy_;
};

// Keeps an inode in memory while it lives. Movable, not copyable.
class InodeRef {
 public:
  InodeRef() = default;
  InodeRef(InodeRef&& other) noexcept
      : entry_(std::exchange(other.entry_, nullptr)) {}
  InodeRef& operator=(InodeRef&& other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~InodeRef();

  explicit operator bool() const { return entry_ != nullptr; }
  const Inode& operator*() const;
  const Inode* operator->() const { return &**this; }

 private:
  friend class InodeCache;
  struct Entry;
  Entry* entry_ = nullptr;
};

class InodeCache {
 public:
  // REQUIRES: `buffers` and `geometry` outlive the cache.
  InodeCache(BufferCache& buffers, const ondisk::Geometry& geometry,
             uint64_t limit_bytes);
  ~InodeCache();

  // The inode, read and verified if need be. ENOENT for a free inode (mode 0),
  // EINVAL for a number that cannot name one, corruption otherwise.
  absl::StatusOr<InodeRef> Get(ondisk::InodeNumber inode);

  struct Counters {
    uint64_t hits, misses, reclaimed, bytes, inodes;
  };
  Counters counters() const;
  void DropUnused();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_INODE_INODE_H_
