// SPDX-License-Identifier: GPL-2.0-or-later
// Bytes from hexadecimal text, and little integers put into them.
#ifndef FUSEXFS_TESTS_SUPPORT_BYTES_H_
#define FUSEXFS_TESTS_SUPPORT_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ondisk {

// Spaces are skipped. REQUIRES: pairs of hexadecimal digits.
inline std::vector<uint8_t> BytesFromHex(std::string_view hex) {
  const auto digit = [](char c) {
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
  };
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < hex.size();) {
    if (hex[i] == ' ') {
      ++i;
      continue;
    }
    bytes.push_back(
        static_cast<uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
    i += 2;
  }
  return bytes;
}

// Writes `value` little-endian into `size` bytes at `offset`.
inline void PutLittle(std::vector<uint8_t>& bytes, size_t offset, size_t size,
                      uint64_t value) {
  for (size_t i = 0; i < size; ++i) {
    bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

}  // namespace ondisk

#endif  // FUSEXFS_TESTS_SUPPORT_BYTES_H_
