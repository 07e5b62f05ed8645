// cache/: metadata blocks in memory, verified once.
//
// A buffer is looked up by its disk address without a lock (an RCU hash table);
// the first reader of an address reads and verifies it while later ones wait
// for that buffer only. A buffer that fails its verifier is never published:
// the error is returned and the next reader tries again. Memory stays under the
// limit: buffers that nobody holds are reclaimed, least recently used first
// (second-chance order).
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

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
};

// A piece of a block that is scattered over the disk (directory blocks larger
// than filesystem blocks).
struct BlockPiece {
  ondisk::DiskAddress address;
  uint32_t bytes;
};

namespace internal {
struct Buffer;
void Unpin(Buffer* buffer);
ondisk::Bytes Contents(const Buffer* buffer);
ondisk::DiskAddress Address(const Buffer* buffer);
}  // namespace internal

// Keeps one verified block in memory while it lives. Movable, not copyable.
class BufferRef {
 public:
  BufferRef() = default;
  explicit BufferRef(internal::Buffer* buffer) : buffer_(buffer) {}
  BufferRef(BufferRef&& other) noexcept
      : buffer_(std::exchange(other.buffer_, nullptr)) {}
  BufferRef& operator=(BufferRef&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~BufferRef() {
    if (buffer_ != nullptr) internal::Unpin(buffer_);
  }

  explicit operator bool() const { return buffer_ != nullptr; }
  ondisk::Bytes bytes() const { return internal::Contents(buffer_); }
  ondisk::DiskAddress address() const { return internal::Address(buffer_); }

 private:
  internal::Buffer* buffer_ = nullptr;
};

class BufferCache {
 public:
  // REQUIRES: `device` and `geometry` outlive the cache.
  BufferCache(const Device& device, const ondisk::Geometry& geometry,
              uint64_t limit_bytes);
  ~BufferCache();

  // The block of `bytes` bytes at `address`, verified as `type`. Errors: I/O of
  // the device; corruption if the verifier says so or the same address was read
  // before as another type or with another size.
  absl::StatusOr<BufferRef> Read(ondisk::DiskAddress address, uint32_t bytes,
                                 const BlockType& type);
  // The same for a block in pieces, which is known by its first address.
  absl::StatusOr<BufferRef> ReadPieces(std::span<const BlockPiece> pieces,
                                       const BlockType& type);

  // Starts reading ahead; does not wait, never fails.
  void Prefetch(ondisk::DiskAddress address, uint32_t bytes) const;

  struct Counters {
    uint64_t hits, misses, reclaimed, bytes, buffers;
  };
  Counters counters() const;

  // Drops every buffer that nobody holds (cold-cache measurements).
  void DropUnused();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_CACHE_BUFFER_CACHE_H_
