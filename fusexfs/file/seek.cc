// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/seek.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "fusexfs/file/realtime.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

absl::Status CheckSeekable(const Inode& inode, uint64_t offset) {
  if (!inode.is_regular()) {
    return ondisk::PosixError(
        EINVAL,
        fmt::format("inode {} is not a regular file", inode.number().value));
  }
  ONDISK_RETURN_IF_ERROR(CheckOnDataDevice(inode));
  if (offset >= inode.core().size) {
    return ondisk::PosixError(
        ENXIO, fmt::format("inode {}: offset {} is behind its end",
                           inode.number().value, offset));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<uint64_t> SeekData(const Inode& inode,
                                  const ondisk::Geometry& geometry,
                                  uint64_t offset) {
  ONDISK_RETURN_IF_ERROR(CheckSeekable(inode, offset));
  ONDISK_ASSIGN_OR_RETURN(const ExtentMap* map, inode.DataExtents());
  const auto extents = map->extents();
  const uint64_t last = (inode.core().size - 1) >> geometry.block_log;
  for (size_t i =
           map->FindFrom(ondisk::FileBlock(offset >> geometry.block_log));
       i < extents.size() && extents[i].start.value <= last; ++i) {
    if (extents[i].unwritten) continue;
    return std::max(offset, extents[i].start.value << geometry.block_log);
  }
  return ondisk::PosixError(ENXIO,
                            fmt::format("inode {}: no data from offset {} on",
                                        inode.number().value, offset));
}

absl::StatusOr<uint64_t> SeekHole(const Inode& inode,
                                  const ondisk::Geometry& geometry,
                                  uint64_t offset) {
  ONDISK_RETURN_IF_ERROR(CheckSeekable(inode, offset));
  ONDISK_ASSIGN_OR_RETURN(const ExtentMap* map, inode.DataExtents());
  const auto extents = map->extents();
  const uint64_t size = inode.core().size;
  const uint64_t last = (size - 1) >> geometry.block_log;
  // The first block that is not known to be data.
  uint64_t block = offset >> geometry.block_log;
  for (size_t i = map->FindFrom(ondisk::FileBlock(block));
       i < extents.size() && extents[i].start.value <= block &&
       !extents[i].unwritten && block <= last;
       ++i) {
    block = extents[i].end().value;
  }
  if (block > last) return size;
  return std::max(offset, block << geometry.block_log);
}

}  // namespace fusexfs
