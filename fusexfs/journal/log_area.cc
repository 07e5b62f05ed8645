// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_area.h"

#include <cerrno>

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/log_record.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 31;

}  // namespace

absl::StatusOr<LogArea> LogArea::Of(const ondisk::Geometry& geometry,
                                    const Device& data_device,
                                    const Device* log_device) {
  const bool external = geometry.log_start == 0;
  if (external && log_device == nullptr) {
    return ondisk::PosixError(
        EINVAL, "the image has an external log: name it with logdev=");
  }
  if (!external && log_device != nullptr) {
    return ondisk::PosixError(
        EINVAL, "the image has an internal log: logdev= does not apply");
  }
  LogArea area;
  area.device_ = external ? log_device : &data_device;
  area.version2_ = geometry.features.log_v2;
  area.checksummed_ = geometry.features.crc;
  area.uuid_ = geometry.uuid;
  area.default_buffer_bytes_ = ondisk::kLogBigRecordBytes;
  if (area.version2_) {
    area.default_buffer_bytes_ =
        std::clamp(geometry.log_stripe_unit, ondisk::kLogBigRecordBytes,
                   ondisk::kLogMaxRecordBytes);
  }

  constexpr std::string_view kStructure = "superblock";
  const ondisk::Where where =
      ondisk::Where::Disk(geometry.SuperblockAddress(ondisk::AgNumber(0)));
  const uint64_t blocks = uint64_t{geometry.log_blocks}
                          << geometry.sectors_per_block_log();
  if (blocks < 2 || blocks >= kMostBlocks) {
    return ondisk::CorruptionError(kStructure, where, "logblocks",
                                   fmt::to_string(geometry.log_blocks),
                                   "a log of 1 KiB to 1 TiB");
  }
  area.blocks_ = static_cast<uint32_t>(blocks);
  if (!external) {
    const ondisk::FsBlock start(geometry.log_start);
    if (!geometry.IsValidExtent(start, geometry.log_blocks)) {
      return ondisk::CorruptionError(
          kStructure, where, "logstart", fmt::to_string(geometry.log_start),
          "a place where the log fits into one allocation group");
    }
    area.offset_ = geometry.ToByteOffset(start);
  }
  const uint64_t end = area.offset_ + blocks * ondisk::kLogBlockSize;
  if (end > area.device_->size()) {
    return ondisk::CorruptionError(
        kStructure, where, external ? "logblocks" : "logstart",
        fmt::format("a log that ends at byte {}", end),
        fmt::format("at most {}, the size of {}", area.device_->size(),
                    area.device_->name()));
  }
  return area;
}

absl::Status LogArea::Read(uint32_t block, ondisk::MutableBytes into) const {
  const uint64_t start = uint64_t{block} * ondisk::kLogBlockSize;
  const uint64_t before_end = uint64_t{blocks_} * ondisk::kLogBlockSize - start;
  const auto first =
      static_cast<size_t>(std::min<uint64_t>(into.size(), before_end));
  ONDISK_RETURN_IF_ERROR(device_->ReadAt(offset_ + start, into.first(first)));
  if (first == into.size()) return absl::OkStatus();
  return device_->ReadAt(offset_, into.subspan(first));
}

}  // namespace fusexfs
