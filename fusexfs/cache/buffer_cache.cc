#include "fusexfs/cache/buffer_cache.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::DiskAddress;

// What malloc and the hash table take beside the struct and the content.
constexpr uint64_t kOverhead = 64;

uint64_t ByteOffset(DiskAddress address) {
  return address.value << ondisk::kDiskAddressShift;
}

bool SamePieces(std::span<const BlockPiece> a, std::span<const BlockPiece> b) {
  return std::ranges::equal(a, b, [](const BlockPiece& x, const BlockPiece& y) {
    return x.address == y.address && x.bytes == y.bytes;
  });
}

// Two owners of one block: at least one of them is wrong.
absl::Status CheckSameBlock(const internal::Buffer& buffer,
                            std::span<const BlockPiece> pieces,
                            const BlockType& type) {
  const ondisk::Where where = ondisk::Where::Disk(pieces.front().address);
  if (buffer.type != &type) {
    return ondisk::CorruptionError(
        type.name, where, "block",
        fmt::format("in use as {}", buffer.type->name), type.name);
  }
  uint64_t size = 0;
  for (const BlockPiece& piece : pieces) size += piece.bytes;
  if (buffer.size != size) {
    return ondisk::CorruptionError(type.name, where, "size",
                                   fmt::to_string(buffer.size),
                                   fmt::to_string(size));
  }
  if (!SamePieces(buffer.pieces,
                  pieces.size() > 1 ? pieces : std::span<const BlockPiece>())) {
    return ondisk::CorruptionError(type.name, where, "place",
                                   "shared with another block",
                                   "a block of its own");
  }
  return absl::OkStatus();
}

}  // namespace

BufferCache::BufferCache(const Device& device, const ondisk::Geometry& geometry,
                         uint64_t limit_bytes)
    : device_(device),
      geometry_(geometry),
      table_(limit_bytes,
             limit_bytes / std::max(geometry.block_size, uint32_t{512})) {}

absl::StatusOr<BufferRef> BufferCache::Read(DiskAddress address, uint32_t bytes,
                                            const BlockType& type) {
  const BlockPiece piece{address, bytes};
  return ReadPieces({&piece, 1}, type);
}

absl::StatusOr<BufferRef> BufferCache::ReadPieces(
    std::span<const BlockPiece> pieces, const BlockType& type) {
  ONDISK_ASSIGN_OR_RETURN(
      Pinned<internal::Buffer> buffer,
      table_.Get(pieces.front().address.value, [&](internal::Buffer& fresh) {
        return Load(pieces, type, fresh);
      }));
  ONDISK_RETURN_IF_ERROR(CheckSameBlock(*buffer, pieces, type));
  return BufferRef(std::move(buffer));
}

absl::StatusOr<uint64_t> BufferCache::Load(std::span<const BlockPiece> pieces,
                                           const BlockType& type,
                                           internal::Buffer& buffer) const {
  // Before anything is allocated: an address comes from the image.
  uint64_t size = 0;
  for (const BlockPiece& piece : pieces) {
    size += piece.bytes;
    if (piece.address.value > device_.size() >> ondisk::kDiskAddressShift ||
        piece.bytes > device_.size() - ByteOffset(piece.address)) {
      return ondisk::PosixError(
          EIO, fmt::format("{} at daddr {}: beyond the end of {}", type.name,
                           piece.address.value, device_.name()));
    }
  }
  buffer.type = &type;
  buffer.size = static_cast<uint32_t>(size);
  if (pieces.size() > 1) buffer.pieces.assign(pieces.begin(), pieces.end());
  buffer.content = std::make_unique_for_overwrite<uint8_t[]>(size);

  ondisk::MutableBytes into(buffer.content.get(), size);
  for (const BlockPiece& piece : pieces) {
    absl::Status status =
        device_.ReadAt(ByteOffset(piece.address), into.first(piece.bytes));
    if (!status.ok()) {
      return ondisk::Annotate(status, fmt::format("{} at daddr {}", type.name,
                                                  piece.address.value));
    }
    into = into.subspan(piece.bytes);
  }
  ONDISK_RETURN_IF_ERROR(type.verify(geometry_, pieces.front().address,
                                     {buffer.content.get(), size}));
  return size + sizeof(internal::Buffer) + kOverhead +
         buffer.pieces.capacity() * sizeof(BlockPiece);
}

void BufferCache::Prefetch(DiskAddress address, uint32_t bytes) const {
  if (!table_.Contains(address.value)) {
    device_.Prefetch(ByteOffset(address), bytes);
  }
}

}  // namespace fusexfs
