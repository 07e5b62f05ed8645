// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/raw_image.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "libondisk/crc32c.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr uint64_t kLeastAgBytes = uint64_t{1} << 24;  // as mkfs.xfs makes them
constexpr uint64_t kMostCopies = 1024;                 // that are looked at
constexpr uint64_t kScannedBytes = uint64_t{4} << 30;
constexpr size_t kScanPiece = 1u << 20;  // bytes

absl::StatusOr<std::vector<uint8_t>> ReadUpTo(const Device& device,
                                              uint64_t offset, uint64_t most) {
  std::vector<uint8_t> bytes(std::min(device.size() - offset, most));
  ONDISK_RETURN_IF_ERROR(device.ReadAt(offset, bytes));
  return bytes;
}

// No damage: what this program must not look into.
bool IsRefusal(const absl::Status& status) {
  return ondisk::ErrnoOf(status) == EOPNOTSUPP;
}

}  // namespace

absl::StatusOr<std::vector<uint8_t>> ReadSuperblockBytes(const Device& device) {
  return ReadUpTo(device, 0, ondisk::kSuperblockReadBytes);
}

absl::StatusOr<RawImage> RawImage::Open(const Device& device) {
  RawImage image(device);
  ONDISK_ASSIGN_OR_RETURN(auto bytes, ReadSuperblockBytes(device));
  const absl::Status status =
      image.TakeGeometry(std::move(bytes), device.size());
  if (!status.ok()) return ondisk::Annotate(status, device.name());
  return image;
}

absl::StatusOr<RawImage> RawImage::OpenDamaged(
    const Device& device, absl::FunctionRef<void(const std::string&)> note) {
  RawImage image(device);
  ONDISK_ASSIGN_OR_RETURN(auto bytes, ReadSuperblockBytes(device));
  const absl::Status primary = image.TakeGeometry(std::move(bytes), 0);
  if (!primary.ok()) {
    const std::string damage =
        fmt::format("{}: {}", device.name(), ondisk::MessageOf(primary));
    if (!IsRefusal(primary) && image.FindCopy()) {
      note(fmt::format("{}; going by the copy in AG {}", damage,
                       image.copy_ag_));
    } else if (!IsRefusal(primary) && image.TakePrimaryWithItsChecksum()) {
      note(fmt::format("{}; no copy holds, going by it nevertheless", damage));
    } else {
      return ondisk::Annotate(primary, device.name());
    }
  }
  if (image.geometry_.data_bytes() > device.size()) {
    note(fmt::format("{}: cut off: {} of {} bytes are there", device.name(),
                     device.size(), image.geometry_.data_bytes()));
  }
  return image;
}

absl::Status RawImage::TakeGeometry(std::vector<uint8_t> superblock,
                                    uint64_t size) {
  superblock_bytes_ = std::move(superblock);
  ONDISK_ASSIGN_OR_RETURN(
      geometry_, ondisk::GeometryFromSuperblock(superblock_bytes_, size));
  return absl::OkStatus();
}

bool RawImage::TakeCopyAt(uint64_t offset) {
  auto bytes = ReadUpTo(*device_, offset, ondisk::kSuperblockReadBytes);
  if (!bytes.ok()) return false;
  RawImage copy(*device_);
  if (!copy.TakeGeometry(*std::move(bytes), 0).ok()) return false;
  // A copy says itself where copies are; that of an image in a file does not.
  const uint64_t ag_bytes = uint64_t{copy.geometry_.ag_blocks}
                            << copy.geometry_.block_log;
  if (offset % ag_bytes != 0 || offset / ag_bytes >= copy.geometry_.ag_count) {
    return false;
  }
  copy.copy_ag_ = offset / ag_bytes;
  *this = std::move(copy);
  return true;
}

bool RawImage::FindCopy() {
  const std::vector<uint8_t> primary = superblock_bytes_;
  if (primary.size() >= sizeof(ondisk::Superblock)) {
    const auto& sb = ondisk::View<ondisk::Superblock>(primary);
    const uint64_t ag_bytes =
        uint64_t{sb.agblocks.value()} * sb.blocksize.value();
    for (uint64_t ag = 1; ag_bytes >= kLeastAgBytes && ag <= kMostCopies &&
                          ag_bytes < device_->size() / ag;
         ++ag) {
      if (TakeCopyAt(ag * ag_bytes)) return true;
    }
  }
  std::vector<uint8_t> piece(kScanPiece);
  const uint64_t end = std::min(device_->size(), kScannedBytes);
  for (uint64_t at = kLeastAgBytes; at + kScanPiece <= end; at += kScanPiece) {
    if (!device_->ReadAt(at, piece).ok()) continue;
    for (size_t in = 0; in < kScanPiece; in += ondisk::kDiskAddressUnit) {
      if (std::memcmp(piece.data() + in, "XFSB", 4) == 0 &&
          TakeCopyAt(at + in)) {
        return true;
      }
    }
  }
  superblock_bytes_ = primary;
  return false;
}

bool RawImage::TakePrimaryWithItsChecksum() {
  std::vector<uint8_t> bytes = superblock_bytes_;
  if (bytes.size() < sizeof(ondisk::Superblock)) return false;
  auto& sb = *reinterpret_cast<ondisk::Superblock*>(bytes.data());
  const uint64_t sector = sb.sectsize.value();
  if (!sb.is_v5() || sector < sizeof sb || sector > bytes.size()) return false;
  sb.crc = ondisk::Le32(ondisk::MetadataCrc(ondisk::Bytes(bytes).first(sector),
                                            ondisk::kSuperblockCrcOffset));
  return TakeGeometry(std::move(bytes), 0).ok();
}

absl::StatusOr<std::vector<uint8_t>> RawImage::Read(ondisk::DiskAddress address,
                                                    uint64_t bytes) const {
  const uint64_t end = std::min(geometry_.data_bytes(), device_->size());
  // Compared in sectors first: a huge address must not overflow.
  if (address.value >= end >> ondisk::kDiskAddressShift ||
      bytes > end - (address.value << ondisk::kDiskAddressShift)) {
    return ondisk::PosixError(
        EINVAL,
        fmt::format("daddr {} (and {} bytes) is not within the image, "
                    "which has {} sectors of 512 bytes",
                    address.value, bytes, end >> ondisk::kDiskAddressShift));
  }
  std::vector<uint8_t> data(bytes);
  ONDISK_RETURN_IF_ERROR(
      device_->ReadAt(address.value << ondisk::kDiskAddressShift, data));
  return data;
}

absl::StatusOr<std::vector<uint8_t>> RawImage::ReadBlock(
    ondisk::FsBlock block) const {
  if (!geometry_.IsValid(block)) {
    return ondisk::PosixError(
        EINVAL,
        fmt::format("fsblock {}: no such block (AG {}, block {}; the image has "
                    "{} AGs of {} blocks)",
                    block.value, block.value >> geometry_.ag_block_log,
                    block.value & ((uint64_t{1} << geometry_.ag_block_log) - 1),
                    geometry_.ag_count, geometry_.ag_blocks));
  }
  return Read(geometry_.ToDiskAddress(block), geometry_.block_size);
}

}  // namespace fusexfs::tool
