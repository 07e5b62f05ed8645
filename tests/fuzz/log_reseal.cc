// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/log_reseal.h"

#include <cstddef>
#include <cstring>
#include <vector>

#include "libondisk/endian.h"
#include "libondisk/log_record.h"
#include "libondisk/status.h"

namespace fusexfs::fuzz {
namespace {

// A record's header is at most this far before any of its blocks.
constexpr uint64_t kMostBlocksBack =
    ondisk::kLogMaxRecordBytes / ondisk::kLogBlockSize + 8;

}  // namespace

ResealedLog::ResealedLog(const PatchedImage& image) : image_(image) {
  for (const auto& [offset, changed] : image.changed()) {
    uint8_t block[ondisk::kLogBlockSize];
    for (uint64_t back = 0; back <= kMostBlocksBack; ++back) {
      const uint64_t distance = back * ondisk::kLogBlockSize;
      if (distance > offset) break;
      if (!image.ReadAt(offset - distance, block).ok()) break;
      if (!ondisk::IsLogRecordHeader(block)) continue;
      Reseal(offset - distance);
      break;
    }
  }
}

void ResealedLog::Reseal(uint64_t header_offset) {
  const bool log_v2 = image_.base().geometry.features.log_v2;
  std::vector<uint8_t> headers(ondisk::kLogBlockSize);
  if (!image_.ReadAt(header_offset, headers).ok()) return;
  const auto& header = ondisk::View<ondisk::LogRecordHeader>(headers);
  const uint32_t length = header.h_len.value();
  const uint32_t blocks = ondisk::LogHeaderBlocks(log_v2, header);
  // Zero stands for "no checksum" and stays.
  if (header.h_crc.value() == 0 || length > ondisk::kLogMaxRecordBytes ||
      blocks > 8) {
    return;
  }
  headers.resize(size_t{blocks} * ondisk::kLogBlockSize);
  std::vector<uint8_t> payload(length);
  if (!image_.ReadAt(header_offset, headers).ok() ||
      !image_.ReadAt(header_offset + headers.size(), payload).ok()) {
    return;
  }
  checksums_[header_offset + offsetof(ondisk::LogRecordHeader, h_crc)] =
      ondisk::LogRecordCrc(log_v2, headers, payload);
}

absl::Status ResealedLog::ReadAt(uint64_t offset,
                                 ondisk::MutableBytes into) const {
  ONDISK_RETURN_IF_ERROR(image_.ReadAt(offset, into));
  const uint64_t end = offset + into.size();
  // Checksums never lie across the edge of a read: reads are whole blocks.
  for (auto at = checksums_.lower_bound(offset);
       at != checksums_.end() && at->first + sizeof(ondisk::Le32) <= end;
       ++at) {
    const ondisk::Le32 crc(at->second);
    std::memcpy(into.data() + (at->first - offset), &crc, sizeof(crc));
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::fuzz
