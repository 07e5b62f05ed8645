// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/symlink_read.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "libondisk/symlink.h"
#include "tests/support/damage.h"
#include "tests/support/fork_block.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

class GoldenSymlinks : public testing::TestWithParam<const char*> {};

TEST_P(GoldenSymlinks, HaveTheKernelsTargets) {
  TestImage image{std::string_view(GetParam())};
  size_t links = 0;
  for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
    if (!record.contains("target")) continue;
    SCOPED_TRACE(path);
    const InodeRef inode =
        GetInode(image, InodeNumber(record["ino"].get<uint64_t>()));
    const auto target = ReadSymlink(ContextOf(image), *inode);
    ASSERT_TRUE(target.ok()) << target.status();
    EXPECT_EQ(*target, UnquoteManifest(record["target"].get<std::string>()));
    ++links;
  }
  EXPECT_GE(links, 1u);
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenSymlinks,
                         testing::Values("tiny-v5", "tiny-1k", "tiny-v4",
                                         "v4-1k"),
                         ImageName);

constexpr char kSymlinkImage[] = "tiny-v5";
constexpr char kRemote[] = "symlinks/length-1023";

int ErrorOf(ImageBytes bytes, std::string_view path) {
  TestImage image(std::move(bytes.bytes));
  const auto inode = image.inodes.Get(InodeOfPath(kSymlinkImage, path));
  if (!inode.ok()) return ondisk::ErrnoOf(inode.status());
  return ondisk::ErrnoOf(ReadSymlink(ContextOf(image), **inode).status());
}

TEST(Symlinks, ThatLieGiveEuclean) {
  EXPECT_EQ(ErrorOf(ImageBytes(kSymlinkImage), kRemote), 0);
  const ForkBlock block =
      GoldenForkBlock(kSymlinkImage, kRemote, ondisk::Fork::kData, 0);
  for (const auto& [offset, size, value] :
       std::vector<std::tuple<size_t, size_t, uint64_t>>{
           {0, 4, 0},      // magic
           {4, 4, 1},      // offset
           {8, 4, 1022},   // bytes
           {32, 8, 5},     // owner
           {40, 8, 8},     // own address
           {60, 1, 0}}) {  // a NUL in the target
    SCOPED_TRACE(offset);
    ImageBytes bytes(kSymlinkImage);
    ondisk::PutBig(bytes.Block(block.block), offset, size, value);
    bytes.SealBlock(block.block, offsetof(ondisk::SymlinkHeader, crc));
    EXPECT_EQ(ErrorOf(std::move(bytes), kRemote), EUCLEAN);
  }
}

TEST(Symlinks, OfImpossibleSizeGiveEuclean) {
  const InodeNumber number = InodeOfPath(kSymlinkImage, kRemote);
  for (const uint64_t size :
       {uint64_t{0}, uint64_t{1022}, uint64_t{1025}, ~uint64_t{0} >> 1}) {
    ImageBytes bytes(kSymlinkImage);
    ondisk::PutBig(bytes.Inode(number), offsetof(ondisk::DiskInode, size), 8,
                   size);
    bytes.SealInode(number);
    EXPECT_EQ(ErrorOf(std::move(bytes), kRemote), EUCLEAN) << size;
  }
}

TEST(Symlinks, AreNotFiles) {
  EXPECT_EQ(ErrorOf(ImageBytes(kSymlinkImage), "links/one/name"), EINVAL);
}

}  // namespace
}  // namespace fusexfs
