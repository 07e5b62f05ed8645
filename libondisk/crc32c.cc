// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/crc32c.h"

#include <isa-l/crc.h>

#include "libondisk/endian.h"

namespace ondisk {

uint32_t Crc32cExtend(uint32_t crc, Bytes bytes) {
  if (bytes.empty()) return crc;
  // ISA-L takes a mutable pointer but only reads.
  return crc32_iscsi(const_cast<unsigned char*>(bytes.data()),
                     static_cast<int>(bytes.size()), crc);
}

uint32_t MetadataCrc(Bytes bytes, size_t crc_offset) {
  static constexpr uint8_t kZero[4] = {0, 0, 0, 0};
  uint32_t crc = Crc32cExtend(kCrc32cSeed, bytes.first(crc_offset));
  crc = Crc32cExtend(crc, kZero);
  crc = Crc32cExtend(crc, bytes.subspan(crc_offset + sizeof(kZero)));
  return ~crc;
}

bool MetadataCrcMatches(Bytes bytes, size_t crc_offset) {
  return View<Le32>(bytes, crc_offset).value() ==
         MetadataCrc(bytes, crc_offset);
}

}  // namespace ondisk
