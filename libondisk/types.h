// SPDX-License-Identifier: GPL-2.0-or-later
// The addresses and numbers of XFS as distinct types, so that one is never
// passed for another. Only Geometry (geometry.h) converts between them.
//
//   AgNumber      allocation group, 0-based
//   AgBlock       block within an allocation group
//   AgInode       inode number within an allocation group
//   FsBlock       AG number in the high bits, AG block in the low ones (sparse)
//   FileBlock     block offset within a file or fork
//   DaBlock       block offset within a directory or attribute fork (32 bits)
//   InodeNumber   AG number, AG block and index in the block, packed
//   DiskAddress   512-byte sector from the start of the data device
//   Lsn           log sequence number: cycle in the high half, block in the low
//
// Thread-safety: plain values. Source: kernel fs/xfs/libxfs/xfs_types.h.
#ifndef FUSEXFS_LIBONDISK_TYPES_H_
#define FUSEXFS_LIBONDISK_TYPES_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace ondisk {

template <class Tag, class T>
struct Number {
  using Value = T;
  T value = 0;

  constexpr Number() = default;
  constexpr explicit Number(T v) : value(v) {}

  friend constexpr auto operator<=>(Number, Number) = default;
  friend constexpr Number operator+(Number a, T delta) {
    return Number(static_cast<T>(a.value + delta));
  }
  // The distance between two addresses of one kind; a >= b.
  friend constexpr T operator-(Number a, Number b) {
    return static_cast<T>(a.value - b.value);
  }
  template <class H>
  friend H AbslHashValue(H h, Number n) {
    return H::combine(std::move(h), n.value);
  }
};

using AgNumber = Number<struct AgNumberTag, uint32_t>;
using AgBlock = Number<struct AgBlockTag, uint32_t>;
using AgInode = Number<struct AgInodeTag, uint32_t>;
using FsBlock = Number<struct FsBlockTag, uint64_t>;
using FileBlock = Number<struct FileBlockTag, uint64_t>;
using DaBlock = Number<struct DaBlockTag, uint32_t>;
using InodeNumber = Number<struct InodeNumberTag, uint64_t>;
using DiskAddress = Number<struct DiskAddressTag, uint64_t>;

struct Lsn {
  uint64_t value = 0;
  constexpr Lsn() = default;
  constexpr explicit Lsn(uint64_t v) : value(v) {}
  constexpr Lsn(uint32_t cycle, uint32_t block)
      : value(uint64_t{cycle} << 32 | block) {}
  constexpr uint32_t cycle() const {
    return static_cast<uint32_t>(value >> 32);
  }
  constexpr uint32_t block() const { return static_cast<uint32_t>(value); }
  friend constexpr auto operator<=>(Lsn, Lsn) = default;
};
// What stands where no LSN was given. As the head of a log that was not read:
// no LSN is ahead of it.
inline constexpr Lsn kNullLsn{~uint64_t{0}};

inline constexpr uint32_t kNullAgBlock = 0xffffffffu;
inline constexpr uint32_t kNullAgNumber = 0xffffffffu;
inline constexpr uint32_t kNullAgInode = 0xffffffffu;
inline constexpr uint64_t kNullFsBlock = ~uint64_t{0};
inline constexpr uint64_t kNullInode = ~uint64_t{0};

// DiskAddress counts these, whatever the sector size of the device.
inline constexpr uint32_t kDiskAddressShift = 9;
inline constexpr uint32_t kDiskAddressUnit = 1u << kDiskAddressShift;

using Uuid = std::array<uint8_t, 16>;
using Bytes = std::span<const uint8_t>;
using MutableBytes = std::span<uint8_t>;

// Lays a structure of alignment 1 over bytes. REQUIRES: sizeof(T) bytes from
// `offset` on lie within `bytes` (the caller has checked).
template <class T>
const T& View(Bytes bytes, size_t offset = 0) {
  static_assert(alignof(T) == 1);
  return *reinterpret_cast<const T*>(bytes.data() + offset);
}

// True if [offset, offset + length) lies within `bytes`; never overflows.
inline bool Within(Bytes bytes, uint64_t offset, uint64_t length) {
  return offset <= bytes.size() && length <= bytes.size() - offset;
}

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_TYPES_H_
