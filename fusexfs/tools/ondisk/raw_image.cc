#include "fusexfs/tools/ondisk/raw_image.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs::tool {

absl::StatusOr<std::vector<uint8_t>> ReadSuperblockBytes(const Device& device) {
  std::vector<uint8_t> bytes(
      std::min<uint64_t>(device.size(), ondisk::kSuperblockReadBytes));
  ONDISK_RETURN_IF_ERROR(device.ReadAt(0, bytes));
  return bytes;
}

absl::StatusOr<RawImage> RawImage::Open(const Device& device) {
  RawImage image;
  image.device_ = &device;
  ONDISK_ASSIGN_OR_RETURN(image.superblock_bytes_, ReadSuperblockBytes(device));
  auto geometry =
      ondisk::GeometryFromSuperblock(image.superblock_bytes_, device.size());
  if (!geometry.ok()) return ondisk::Annotate(geometry.status(), device.name());
  image.geometry_ = *geometry;
  return image;
}

absl::StatusOr<std::vector<uint8_t>> RawImage::Read(ondisk::DiskAddress address,
                                                    uint64_t bytes) const {
  const uint64_t end = geometry_.data_bytes();
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
