// SPDX-License-Identifier: GPL-2.0-or-later
// CRC-32 as zlib and the manifests count it.
#ifndef FUSEXFS_TESTS_SUPPORT_CRC32_H_
#define FUSEXFS_TESTS_SUPPORT_CRC32_H_

#include <array>
#include <cstdint>

#include "libondisk/types.h"

namespace fusexfs {

inline uint32_t Crc32(ondisk::Bytes bytes) {
  static constexpr auto kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) {
        value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320u : 0);
      }
      table[i] = value;
    }
    return table;
  }();
  uint32_t crc = ~uint32_t{0};
  for (const uint8_t byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ byte) & 255];
  return ~crc;
}

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_CRC32_H_
