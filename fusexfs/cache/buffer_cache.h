// SPDX-License-Identifier: GPL-2.0-or-later
// cache/: metadata blocks in memory, verified once.
//
// A buffer is looked up by its disk address without a lock (pinned_table.h);
// the first reader of an address reads and verifies it while later ones wait
// for that buffer only. A buffer that fails its verifier is never seen: its
// readers get the error and the next one tries again. Memory stays under the
// limit: buffers that nobody holds are reclaimed in second-chance order.
//
// A buffer's content is a version: readers hold the version they found, and
// a later issue's writers publish new ones beside it.
//
// Thread-safety: safe for any number of threads. Lock order: LOCKING.md.
#ifndef FUSEXFS_FUSEXFS_CACHE_BUFFER_CACHE_H_
#define FUSEXFS_FUSEXFS_CACHE_BUFFER_CACHE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/cache/pinned_table.h"
#include "fusexfs/device/device.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

// What a reader expects to find at an address. One constant per block type;
// compared by address.
struct BlockType {
  const char* name;  // as errors name it
  // OK, or a corruption error. Called once per block read, on private bytes.
  absl::Status (*verify)(const ondisk::Geometry& geometry,
                         ondisk::DiskAddress address, ondisk::Bytes bytes);
  // Where a V5 block carries its LSN (block_lsn.h); 0: nowhere.
  uint32_t lsn_offset = 0;
};

// A piece of a block that is scattered over the disk (directory blocks larger
// than filesystem blocks).
struct BlockPiece {
  ondisk::DiskAddress address;
  uint32_t bytes;
};

namespace internal {

struct Buffer : PinnedEntry {
  using PinnedEntry::PinnedEntry;  // the key is the first disk address

  const BlockType* type = nullptr;
  std::unique_ptr<uint8_t[]> content;
  uint32_t size = 0;               // bytes
  std::vector<BlockPiece> pieces;  // only if there are several
};

}  // namespace internal

// Keeps one verified block in memory while it lives. Movable, not copyable.
class BufferRef {
 public:
  BufferRef() = default;

  explicit operator bool() const { return bool{buffer_}; }
  ondisk::Bytes bytes() const {
    return {buffer_->content.get(), buffer_->size};
  }
  ondisk::DiskAddress address() const {
    return ondisk::DiskAddress(buffer_->key());
  }

 private:
  friend class BufferCache;
  explicit BufferRef(Pinned<internal::Buffer> buffer)
      : buffer_(std::move(buffer)) {}

  Pinned<internal::Buffer> buffer_;
};

class BufferCache {
 public:
  // `log_head`: no block may carry an LSN ahead of it; kNullLsn if the log was
  // not read. REQUIRES: `device` and `geometry` outlive the cache.
  BufferCache(const Device& device, const ondisk::Geometry& geometry,
              uint64_t limit_bytes, ondisk::Lsn log_head = ondisk::kNullLsn);

  // The block of `bytes` bytes at `address`, verified as `type`. Errors: I/O of
  // the device; corruption if the verifier says so. If two structures claim a
  // block as different things, each gets its own answer: a wrong claim must not
  // harm the right one.
  absl::StatusOr<BufferRef> Read(ondisk::DiskAddress address, uint32_t bytes,
                                 const BlockType& type);
  // The same for a block in pieces, which is known by its first address.
  absl::StatusOr<BufferRef> ReadPieces(std::span<const BlockPiece> pieces,
                                       const BlockType& type);

  // Starts reading ahead what is not cached; does not wait, never fails.
  void Prefetch(ondisk::DiskAddress address, uint32_t bytes) const;

  using Counters = PinnedTable<internal::Buffer>::Counters;
  Counters counters() const { return table_.counters(); }

  // Drops every buffer that nobody holds (cold-cache measurements).
  void DropUnused() { table_.DropUnused(); }

 private:
  absl::StatusOr<uint64_t> Load(std::span<const BlockPiece> pieces,
                                const BlockType& type,
                                internal::Buffer& buffer) const;
  absl::Status Verify(const BlockType& type, ondisk::DiskAddress address,
                      ondisk::Bytes bytes) const;

  const Device& device_;
  const ondisk::Geometry& geometry_;
  const ondisk::Lsn log_head_;
  PinnedTable<internal::Buffer> table_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_CACHE_BUFFER_CACHE_H_
