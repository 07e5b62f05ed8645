// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/fork_block.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "fusexfs/inode/extent_map.h"
#include "libondisk/status.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

[[noreturn]] void Fail(std::string_view path, uint64_t at) {
  std::fprintf(stderr, "%s: no whole block at %llu\n",
               std::string(path).c_str(), static_cast<unsigned long long>(at));
  std::abort();
}

}  // namespace

ForkBlock GoldenForkBlock(std::string_view golden_name, std::string_view path,
                          ondisk::Fork fork, uint64_t at) {
  TestImage image(golden_name);
  const ondisk::Geometry& g = image.geometry;
  const ondisk::InodeNumber owner = InodeOfPath(golden_name, path);
  const auto inode = image.inodes.Get(owner);
  if (!inode.ok()) Fail(path, at);
  const bool data = fork == ondisk::Fork::kData;
  const auto map =
      data ? (*inode)->DataExtents() : (*inode)->AttributeExtents();
  if (!map.ok()) Fail(path, at);
  const uint32_t size =
      data && (*inode)->is_directory() ? g.directory_block_size : g.block_size;
  const ondisk::FileBlock wanted(at);
  const size_t index = (*map)->FindFrom(wanted);
  if (index == (*map)->extents().size()) Fail(path, at);
  const Extent& extent = (*map)->extents()[index];
  if (extent.start > wanted || extent.end() - wanted < size >> g.block_log) {
    Fail(path, at);
  }
  ForkBlock found;
  found.geometry = g;
  found.owner = owner;
  found.block = extent.block + (wanted - extent.start);
  found.address = g.ToDiskAddress(found.block);
  found.bytes.resize(size);
  if (!image.device->ReadAt(g.ToByteOffset(found.block), found.bytes).ok()) {
    Fail(path, at);
  }
  return found;
}

}  // namespace fusexfs
