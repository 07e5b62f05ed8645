// SPDX-License-Identifier: GPL-2.0-or-later
// Big- and little-endian integers as they stand on disk.
//
// XFS stores every integer big-endian, except checksums, which are
// little-endian. A field of type Be32 cannot be mistaken for a host integer: it
// must be read with value() (or an explicit conversion) and has no arithmetic.
//
// Invariants: alignment 1 and no padding, so a struct of these types may be
// laid over any byte of a block. Thread-safety: plain data.
#ifndef FUSEXFS_LIBONDISK_ENDIAN_H_
#define FUSEXFS_LIBONDISK_ENDIAN_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace ondisk {

constexpr uint8_t SwapBytes(uint8_t v) { return v; }
constexpr uint16_t SwapBytes(uint16_t v) { return __builtin_bswap16(v); }
constexpr uint32_t SwapBytes(uint32_t v) { return __builtin_bswap32(v); }
constexpr uint64_t SwapBytes(uint64_t v) { return __builtin_bswap64(v); }

template <std::unsigned_integral T, std::endian Order>
class DiskInteger {
 public:
  using Value = T;

  DiskInteger() = default;
  explicit DiskInteger(T value) { set(value); }

  [[nodiscard]] T value() const {
    T raw;
    std::memcpy(&raw, bytes_, sizeof(T));
    return Order == std::endian::native ? raw : SwapBytes(raw);
  }
  void set(T value) {
    const T raw = Order == std::endian::native ? value : SwapBytes(value);
    std::memcpy(bytes_, &raw, sizeof(T));
  }

 private:
  unsigned char bytes_[sizeof(T)];
};

using Be16 = DiskInteger<uint16_t, std::endian::big>;
using Be32 = DiskInteger<uint32_t, std::endian::big>;
using Be64 = DiskInteger<uint64_t, std::endian::big>;
using Le32 = DiskInteger<uint32_t, std::endian::little>;

static_assert(sizeof(Be16) == 2 && alignof(Be16) == 1);
static_assert(sizeof(Be32) == 4 && alignof(Be32) == 1);
static_assert(sizeof(Be64) == 8 && alignof(Be64) == 1);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_ENDIAN_H_
