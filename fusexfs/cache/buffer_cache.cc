// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/cache/buffer_cache.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "libondisk/block_lsn.h"
#include "libondisk/endian.h"
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

// Whether a cached buffer is what the reader asks for.
bool IsSameBlock(const internal::Buffer& buffer,
                 std::span<const BlockPiece> pieces, const BlockType& type) {
  if (buffer.type != &type) return false;
  if (pieces.size() == 1) {
    return buffer.pieces.empty() && buffer.size == pieces.front().bytes;
  }
  return SamePieces(buffer.pieces, pieces);
}

}  // namespace

BufferCache::BufferCache(const Device& device, const ondisk::Geometry& geometry,
                         uint64_t limit_bytes, ondisk::Lsn log_head)
    : device_(device),
      geometry_(geometry),
      log_head_(log_head),
      table_(limit_bytes,
             limit_bytes / std::max(geometry.block_size, uint32_t{512})) {}

absl::StatusOr<BufferRef> BufferCache::Read(DiskAddress address, uint32_t bytes,
                                            const BlockType& type) {
  const BlockPiece piece{address, bytes};
  return ReadPieces({&piece, 1}, type);
}

absl::StatusOr<BufferRef> BufferCache::ReadPieces(
    std::span<const BlockPiece> pieces, const BlockType& type) {
  bool loaded_here = false;
  const auto load = [&](internal::Buffer& fresh) {
    loaded_here = true;
    return Load(pieces, type, fresh);
  };
  const uint64_t key = pieces.front().address.value;
  absl::StatusOr<Pinned<internal::Buffer>> buffer = table_.Get(key, load);
  // What another reader failed to read, or has read, may be another thing.
  const bool is_mine =
      buffer.ok() ? IsSameBlock(**buffer, pieces, type)
                  : loaded_here || !ondisk::IsCorruption(buffer.status());
  if (!is_mine) buffer = table_.LoadApart(key, load);
  if (!buffer.ok()) return std::move(buffer).status();
  return BufferRef(*std::move(buffer));
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
  // Kept only if all is well: a failed entry may wait for a while to be freed.
  auto content = std::make_unique_for_overwrite<uint8_t[]>(size);

  ondisk::MutableBytes into(content.get(), size);
  for (const BlockPiece& piece : pieces) {
    absl::Status status =
        device_.ReadAt(ByteOffset(piece.address), into.first(piece.bytes));
    if (!status.ok()) {
      return ondisk::Annotate(status, fmt::format("{} at daddr {}", type.name,
                                                  piece.address.value));
    }
    into = into.subspan(piece.bytes);
  }
  ONDISK_RETURN_IF_ERROR(
      Verify(type, pieces.front().address, {content.get(), size}));
  buffer.content = std::move(content);
  return size + sizeof(internal::Buffer) + kOverhead +
         buffer.pieces.capacity() * sizeof(BlockPiece);
}

absl::Status BufferCache::Verify(const BlockType& type, DiskAddress address,
                                 ondisk::Bytes bytes) const {
  ONDISK_RETURN_IF_ERROR(type.verify(geometry_, address, bytes));
  if (type.lsn_offset == 0 || !geometry_.features.crc) return absl::OkStatus();
  ondisk::Checker check(type.name, ondisk::Where::Disk(address));
  const auto& lsn = ondisk::View<ondisk::Be64>(bytes, type.lsn_offset);
  ondisk::VerifyBlockLsn(ondisk::Lsn(lsn.value()), log_head_, check);
  return check.status();
}

void BufferCache::Prefetch(DiskAddress address, uint32_t bytes) const {
  if (!table_.Contains(address.value)) {
    device_.Prefetch(ByteOffset(address), bytes);
  }
}

}  // namespace fusexfs
