// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/test_image.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "fusexfs/device/memory_device.h"
#include "libondisk/crc32c.h"
#include "libondisk/endian.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"
#include "tests/support/golden_image.h"

namespace fusexfs {
namespace {

// A test cannot go on without what this gives.
template <class T>
T Need(absl::StatusOr<T> value) {
  if (!value.ok()) {
    const std::string_view message = ondisk::MessageOf(value.status());
    std::fprintf(stderr, "test image: %.*s\n", static_cast<int>(message.size()),
                 message.data());
    std::abort();
  }
  return *std::move(value);
}

ondisk::Geometry GeometryOf(const Device& device) {
  std::vector<uint8_t> start(ondisk::kSuperblockReadBytes);
  if (!device.ReadAt(0, start).ok()) std::abort();
  return Need(ondisk::GeometryFromSuperblock(start, device.size()));
}

void Seal(ondisk::MutableBytes bytes, size_t crc_offset) {
  const ondisk::Le32 crc(ondisk::MetadataCrc(bytes, crc_offset));
  std::memcpy(bytes.data() + crc_offset, &crc, sizeof(crc));
}

}  // namespace

TestImage::TestImage(std::shared_ptr<const Device> image, uint64_t cache_bytes)
    : device(std::move(image)),
      geometry(GeometryOf(*device)),
      buffers(*device, geometry, cache_bytes),
      inodes(buffers, geometry, cache_bytes),
      groups(buffers, geometry),
      refcounts(Need(NewRefcountLookup("locked", groups))) {}

TestImage::TestImage(std::string_view golden_name, uint64_t cache_bytes)
    : TestImage(GoldenImage(golden_name), cache_bytes) {}

TestImage::TestImage(std::vector<uint8_t> bytes, uint64_t cache_bytes)
    : TestImage(std::make_shared<MemoryDevice>(std::move(bytes)), cache_bytes) {
}

ImageBytes::ImageBytes(std::string_view golden_name)
    : bytes(GoldenBytes(golden_name)),
      geometry(GeometryOf(*GoldenImage(golden_name))) {}

ondisk::MutableBytes ImageBytes::Inode(ondisk::InodeNumber number) {
  const uint64_t block =
      geometry.ToDiskAddress(geometry.AgOf(number), geometry.AgBlockOf(number))
          .value
      << ondisk::kDiskAddressShift;
  return ondisk::MutableBytes(bytes).subspan(
      block + (uint64_t{geometry.IndexInBlock(number)} << geometry.inode_log),
      geometry.inode_size);
}

ondisk::MutableBytes ImageBytes::Block(ondisk::FsBlock block) {
  return ondisk::MutableBytes(bytes).subspan(geometry.ToByteOffset(block),
                                             geometry.block_size);
}

void ImageBytes::SealInode(ondisk::InodeNumber number) {
  Seal(Inode(number), offsetof(ondisk::DiskInode, crc));
}

void ImageBytes::SealBlock(ondisk::FsBlock block, size_t crc_offset) {
  Seal(Block(block), crc_offset);
}

ondisk::InodeNumber InodeOfPath(std::string_view golden_name,
                                std::string_view path) {
  return ondisk::InodeNumber(
      GoldenManifest(golden_name).At(path)["ino"].get<uint64_t>());
}

}  // namespace fusexfs
