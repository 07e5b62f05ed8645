// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/golden_log.h"

#include <cstddef>
#include <cstdlib>

#include "libondisk/log_record.h"
#include "libondisk/superblock.h"
#include "tests/support/golden_image.h"

namespace fusexfs {

GoldenLog::GoldenLog(std::string_view golden_name)
    : bytes_(GoldenBytes(golden_name)) {
  const auto found = ondisk::GeometryFromSuperblock(
      ondisk::Bytes(bytes_).first(ondisk::kSuperblockReadBytes), bytes_.size());
  if (!found.ok()) std::abort();
  geometry = *found;
}

uint32_t GoldenLog::blocks() const {
  return geometry.log_blocks << geometry.sectors_per_block_log();
}

ondisk::MutableBytes GoldenLog::From(uint32_t block) {
  const uint64_t start =
      geometry.ToByteOffset(ondisk::FsBlock(geometry.log_start));
  return ondisk::MutableBytes(bytes_).subspan(
      start + uint64_t{block} * ondisk::kLogBlockSize,
      uint64_t{blocks() - block} * ondisk::kLogBlockSize);
}

void GoldenLog::SealRecord(uint32_t block) {
  const ondisk::MutableBytes bytes = From(block);
  auto& header = *reinterpret_cast<ondisk::LogRecordHeader*>(bytes.data());
  // A lie about h_size moves no blocks: samples have one header block.
  header.h_crc.set(ondisk::LogRecordCrc(
      geometry.features.log_v2, bytes.first(ondisk::kLogBlockSize),
      bytes.subspan(ondisk::kLogBlockSize, header.h_len.value())));
}

LogArea GoldenLog::Area() {
  device_ = std::make_unique<MemoryDevice>(bytes_, "golden");
  auto area = LogArea::Of(geometry, *device_, nullptr);
  if (!area.ok()) std::abort();
  return *area;
}

}  // namespace fusexfs
