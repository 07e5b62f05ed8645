// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/directory_form.h"

#include <utility>

#include "fusexfs/names/block_types.h"
#include "libondisk/directory_data.h"
#include "libondisk/endian.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::DirectoryBlock;

absl::StatusOr<BufferRef> ReadBlock(const DaFork& fork, DirectoryBlock number,
                                    bool block_form) {
  const ondisk::Geometry& g = fork.geometry();
  const ondisk::DaBlock at = ondisk::ToDaBlock(g, number);
  ONDISK_ASSIGN_OR_RETURN(BufferRef block, fork.Read(at, kDirectoryDataBlock));
  ondisk::Checker check(block_form ? "directory block" : "directory data block",
                        fork.At(at));
  ondisk::VerifyDirectoryOwner(g, block.bytes(), fork.owner(), check);
  check.That(ondisk::IsDirectoryBlockForm(block.bytes()) == block_form, "magic",
             ondisk::View<ondisk::Be32>(block.bytes()).value(),
             block_form ? "a block with a leaf array"
                        : "a data block without a leaf array");
  ONDISK_RETURN_IF_ERROR(check.status());
  return block;
}

}  // namespace

bool HasDirectoryBlockForm(const DaFork& fork) {
  return fork.end().value == fork.geometry().blocks_per_directory_block();
}

absl::StatusOr<BufferRef> ReadDirectoryBlockForm(const DaFork& fork) {
  const uint64_t size = fork.inode().core().size;
  if (size != fork.geometry().directory_block_size) {
    return fork.Corruption("directory", ondisk::DaBlock(0), "size", size,
                           "one directory block, as is mapped");
  }
  return ReadBlock(fork, DirectoryBlock(0), true);
}

absl::StatusOr<BufferRef> ReadDirectoryData(const DaFork& fork,
                                            DirectoryBlock number) {
  return ReadBlock(fork, number, false);
}

}  // namespace fusexfs
