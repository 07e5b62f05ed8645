// SPDX-License-Identifier: GPL-2.0-or-later
// An image in memory, opened as far as the rooms below the front door need it,
// and a copy of one to damage first.
//
//   ImageBytes image("tiny-v5");
//   image.Inode(number)[8] ^= 1;  // damage, then make the checksum right again
//   image.SealInode(number);
//   TestImage opened(std::move(image.bytes));
//   opened.inodes.Get(number)
//
// Thread-safety: ImageBytes belongs to one thread; a TestImage's parts are as
// safe as their classes say.
#ifndef FUSEXFS_TESTS_SUPPORT_TEST_IMAGE_H_
#define FUSEXFS_TESTS_SUPPORT_TEST_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/device/device.h"
#include "fusexfs/inode/inode_cache.h"
#include "fusexfs/space/allocation_group.h"
#include "fusexfs/space/refcount_lookup.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

inline constexpr uint64_t kTestCacheBytes = 32u << 20;

struct TestImage {
  // `cache_bytes` limits the buffer cache and the inode cache, each.
  explicit TestImage(std::shared_ptr<const Device> image,
                     uint64_t cache_bytes = kTestCacheBytes);
  explicit TestImage(std::string_view golden_name,
                     uint64_t cache_bytes = kTestCacheBytes);
  explicit TestImage(std::vector<uint8_t> bytes,
                     uint64_t cache_bytes = kTestCacheBytes);

  const std::shared_ptr<const Device> device;
  const ondisk::Geometry geometry;
  BufferCache buffers;
  InodeCache inodes;
  AllocationGroups groups;
  const std::unique_ptr<RefcountLookup> refcounts;
};

struct ImageBytes {
  explicit ImageBytes(std::string_view golden_name);

  ondisk::MutableBytes Inode(ondisk::InodeNumber number);
  ondisk::MutableBytes Block(ondisk::FsBlock block);
  // Make the checksum right. `crc_offset`: of the Le32 in the block.
  void SealInode(ondisk::InodeNumber number);
  void SealBlock(ondisk::FsBlock block, size_t crc_offset);

  std::vector<uint8_t> bytes;
  ondisk::Geometry geometry;
};

// The inode of a path in a golden image, by the kernel's manifest.
ondisk::InodeNumber InodeOfPath(std::string_view golden_name,
                                std::string_view path);

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_TEST_IMAGE_H_
