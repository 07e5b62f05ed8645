// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "fusexfs/device/memory_device.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "tests/fusexfs/fuse/fake_kernel.h"
#include "tests/support/damage.h"
#include "tests/support/golden_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

constexpr std::string_view kDot(
    "."
    "\0",
    2);

// A lookup of "." is how the kernel asks for the inode of a file handle.
class LookupSelfTest : public ::testing::Test {
 protected:
  std::unique_ptr<Filesystem> Mount() const {
    return Filesystem::Mount(std::make_unique<MemoryDevice>(bytes_), nullptr,
                             {.read_only = true})
        .value();
  }
  std::vector<uint8_t> bytes_ = GoldenBytes("tiny-v5");
};

TEST_F(LookupSelfTest, FindsAnInodeByItsNumberAlone) {
  const auto filesystem = Mount();
  const InodeNumber file = filesystem->LookupPath("/links/one/name").value();
  Context context(*filesystem, 0);
  FakeKernel kernel(context, {"ro"});
  ASSERT_TRUE(kernel.Greet());
  const auto answer = kernel.Ask(FUSE_LOOKUP, file.value, kDot);
  ASSERT_EQ(answer.error, 0);
  EXPECT_EQ(answer.As<fuse_entry_out>().attr.ino, file.value);
}

// A user who may write a file can put anything into it, an inode that belongs
// to root, say, and make a handle that points there.
TEST_F(LookupSelfTest, InodeInTheDataOfAFileIsStale) {
  InodeNumber forged;
  {
    const auto filesystem = Mount();
    const ondisk::Geometry& geometry = filesystem->geometry();
    const InodeNumber file = filesystem->LookupPath("/links/one/name").value();
    std::vector<FileSegment> segments;
    ASSERT_TRUE(filesystem->MapForRead(file, 0, 512, 1, segments).ok());
    ASSERT_EQ(segments.size(), 1u);
    const uint64_t place = segments[0].device_offset.value();
    const ondisk::FsBlock block = geometry.ToFsBlock(
        ondisk::DiskAddress(place >> ondisk::kDiskAddressShift));
    forged = InodeNumber(block.value << geometry.inodes_per_block_log);
    ASSERT_EQ(geometry.ToByteOffset(block), place);

    const uint64_t original =
        (geometry.ToDiskAddress(geometry.AgOf(file), geometry.AgBlockOf(file))
             .value
         << ondisk::kDiskAddressShift) +
        geometry.IndexInBlock(file) * uint64_t{geometry.inode_size};
    const size_t size = geometry.inode_size;
    // Inodes are read by the cluster, so its other places are filled too.
    const std::vector<uint8_t> inode(bytes_.begin() + original,
                                     bytes_.begin() + original + size);
    const uint64_t first = forged.value & ~uint64_t{63};
    const uint64_t start = place - (forged.value - first) * size;
    for (uint64_t i = 0; i < 64; ++i) {
      const ondisk::MutableBytes fake =
          ondisk::MutableBytes(bytes_).subspan(start + i * size, size);
      std::copy(inode.begin(), inode.end(), fake.begin());
      ondisk::PutSealed(fake, offsetof(ondisk::DiskInode, crc),
                        offsetof(ondisk::DiskInode, ino), 8, first + i);
    }
  }
  const auto filesystem = Mount();
  // It is a good one, for those who do not ask where it comes from.
  const auto attributes = filesystem->GetAttributes(forged);
  ASSERT_TRUE(attributes.ok()) << ondisk::MessageOf(attributes.status());
  Context context(*filesystem, 0);
  FakeKernel kernel(context, {"ro"});
  ASSERT_TRUE(kernel.Greet());
  EXPECT_EQ(kernel.Ask(FUSE_LOOKUP, forged.value, kDot).error, -ESTALE);
}

TEST_F(LookupSelfTest, NumberThatNoInodeCanHaveIsStale) {
  const auto filesystem = Mount();
  Context context(*filesystem, 0);
  FakeKernel kernel(context, {"ro"});
  ASSERT_TRUE(kernel.Greet());
  for (const uint64_t number : {uint64_t{2}, ~uint64_t{0} - 15}) {
    EXPECT_EQ(kernel.Ask(FUSE_LOOKUP, number, kDot).error, -ESTALE) << number;
  }
}

}  // namespace
}  // namespace fusexfs
