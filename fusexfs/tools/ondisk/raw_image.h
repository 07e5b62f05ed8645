// SPDX-License-Identifier: GPL-2.0-or-later
// An image as bytes with a geometry: what explaining needs, and no more. No
// filesystem is mounted, no cache is filled, nothing but the superblock is
// believed.
//
// Thread-safety: immutable.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_RAW_IMAGE_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_RAW_IMAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "fusexfs/device/device.h"
#include "libondisk/geometry.h"
#include "libondisk/superblock.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

// The first bytes of the image, where its superblock stands.
absl::StatusOr<std::vector<uint8_t>> ReadSuperblockBytes(const Device& device);

class RawImage {
 public:
  // Errors: as ondisk::GeometryFromSuperblock. REQUIRES: the device outlives
  // the image.
  static absl::StatusOr<RawImage> Open(const Device& device);

  // The same of an image that is cut off, or whose primary superblock is
  // damaged: then its geometry is that of the first copy which holds, or of the
  // primary if nothing but its checksum is wrong. `note` is told.
  static absl::StatusOr<RawImage> OpenDamaged(
      const Device& device, absl::FunctionRef<void(const std::string&)> note);

  const Device& device() const { return *device_; }
  const ondisk::Geometry& geometry() const { return geometry_; }
  const ondisk::Superblock& superblock() const {
    return ondisk::View<ondisk::Superblock>(superblock_bytes_);
  }

  // EINVAL if the range does not lie within the image.
  absl::StatusOr<std::vector<uint8_t>> Read(ondisk::DiskAddress address,
                                            uint64_t bytes) const;
  // The filesystem block; EINVAL if there is no such block.
  absl::StatusOr<std::vector<uint8_t>> ReadBlock(ondisk::FsBlock block) const;

 private:
  explicit RawImage(const Device& device) : device_(&device) {}

  absl::Status TakeGeometry(std::vector<uint8_t> superblock, uint64_t size);
  bool TakeCopyAt(uint64_t offset);
  bool FindCopy();
  bool TakePrimaryWithItsChecksum();

  const Device* device_ = nullptr;
  std::vector<uint8_t> superblock_bytes_;
  ondisk::Geometry geometry_;
  uint64_t copy_ag_ = 0;  // whose superblock it is
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_RAW_IMAGE_H_
