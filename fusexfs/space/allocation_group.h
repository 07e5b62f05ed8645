// SPDX-License-Identifier: GPL-2.0-or-later
// space/: what the allocation groups know: which blocks are shared, which
// inodes exist. (Free space and allocation come with writing.)
//
// An AllocationGroup gives its verified headers and the roots of its btrees.
// Headers are read through the buffer cache each time, so that what they say is
// always the current version.
//
// Invariants: a header that is handed out has passed its verifier; a tree that
// the image does not have has no root. Thread-safety: safe for any number of
// threads.
#ifndef FUSEXFS_FUSEXFS_SPACE_ALLOCATION_GROUP_H_
#define FUSEXFS_FUSEXFS_SPACE_ALLOCATION_GROUP_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/btree/btree_root.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/trace/sleeping_semaphore.h"
#include "libondisk/agf.h"
#include "libondisk/agi.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

// A header in memory, pinned.
template <class T>
class HeaderRef {
 public:
  explicit HeaderRef(BufferRef buffer) : buffer_(std::move(buffer)) {}
  const T& operator*() const { return ondisk::View<T>(buffer_.bytes()); }
  const T* operator->() const { return &**this; }
  ondisk::Bytes bytes() const { return buffer_.bytes(); }

 private:
  BufferRef buffer_;
};

class AllocationGroup {
 public:
  // REQUIRES: `cache` and `geometry` outlive it; `number` is valid.
  AllocationGroup(BufferCache& cache, const ondisk::Geometry& geometry,
                  ondisk::AgNumber number)
      : cache_(cache), geometry_(geometry), number_(number) {}

  ondisk::AgNumber number() const { return number_; }

  // I/O or corruption.
  absl::StatusOr<HeaderRef<ondisk::Agf>> ReadAgf() const;
  absl::StatusOr<HeaderRef<ondisk::Agi>> ReadAgi() const;
  // The sector of the free list (libondisk/agfl.h).
  absl::StatusOr<BufferRef> ReadAgfl() const;

  // Where a tree of this AG starts. REQUIRES: the image has such a tree.
  absl::StatusOr<BtreeRoot> Root(ondisk::BtreeKind kind) const;

  // What guards the AG's free-space header and all that hangs on it.
  SleepingSemaphore& agf_lock() const { return agf_lock_; }

  BufferCache& cache() const { return cache_; }
  const ondisk::Geometry& geometry() const { return geometry_; }

 private:
  BufferCache& cache_;
  const ondisk::Geometry& geometry_;
  const ondisk::AgNumber number_;
  mutable SleepingSemaphore agf_lock_;
};

// All of them. An AG's state is made on its first use, and so is the room for
// its pointer: an image may claim any number of AGs.
class AllocationGroups {
 public:
  // REQUIRES: `cache` and `geometry` outlive it.
  AllocationGroups(BufferCache& cache, const ondisk::Geometry& geometry);
  ~AllocationGroups();

  uint32_t count() const { return geometry_.ag_count; }
  // REQUIRES: ag.value < count().
  const AllocationGroup& operator[](ondisk::AgNumber ag) const;

  BufferCache& cache() const { return cache_; }
  const ondisk::Geometry& geometry() const { return geometry_; }

 private:
  static constexpr uint32_t kShelfSize = 4096;
  using Shelf = std::array<std::atomic<AllocationGroup*>, kShelfSize>;

  uint32_t shelf_count() const { return (count() - 1) / kShelfSize + 1; }

  BufferCache& cache_;
  const ondisk::Geometry& geometry_;
  // Published once each.
  const std::unique_ptr<std::atomic<Shelf*>[]> shelves_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_SPACE_ALLOCATION_GROUP_H_
