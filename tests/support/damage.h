// SPDX-License-Identifier: GPL-2.0-or-later
// Damaging a block as an attacker would: change a field, then make the checksum
// right again, so that only the field's own check can find it.
#ifndef FUSEXFS_TESTS_SUPPORT_DAMAGE_H_
#define FUSEXFS_TESTS_SUPPORT_DAMAGE_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/crc32c.h"
#include "libondisk/endian.h"
#include "libondisk/types.h"

namespace ondisk {

// Writes `value` big-endian into `size` bytes at `offset`.
inline void PutBig(MutableBytes bytes, size_t offset, size_t size,
                   uint64_t value) {
  for (size_t i = 0; i < size; ++i) {
    bytes[offset + i] = static_cast<uint8_t>(value >> (8 * (size - 1 - i)));
  }
}

// Stores the right checksum of all of `bytes` at `crc_offset`.
inline void Reseal(MutableBytes bytes, size_t crc_offset) {
  const Le32 crc(MetadataCrc(bytes, crc_offset));
  *reinterpret_cast<Le32*>(bytes.data() + crc_offset) = crc;
}

inline void PutSealed(MutableBytes bytes, size_t crc_offset, size_t offset,
                      size_t size, uint64_t value) {
  PutBig(bytes, offset, size, value);
  Reseal(bytes, crc_offset);
}

}  // namespace ondisk

#endif  // FUSEXFS_TESTS_SUPPORT_DAMAGE_H_
