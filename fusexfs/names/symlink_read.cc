// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/symlink_read.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "fusexfs/inode/extent_map.h"
#include "fusexfs/names/block_types.h"
#include "libondisk/status.h"
#include "libondisk/symlink.h"

namespace fusexfs {
namespace {

using ondisk::Bytes;
using ondisk::FileBlock;
using ondisk::Geometry;

absl::Status Corruption(const Inode& inode, std::string_view field,
                        uint64_t found, std::string_view expected) {
  return ondisk::CorruptionError("symlink",
                                 ondisk::Where::Inode(inode.number()), field,
                                 fmt::to_string(found), expected);
}

void Append(std::string& target, Bytes bytes) {
  target.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// Filesystem blocks that a target takes if each had a header.
uint64_t BlocksFor(const Geometry& g, uint64_t length) {
  const uint64_t payload = ondisk::SymlinkPayload(g, g.block_size);
  return (length + payload - 1) / payload;
}

// Each extent is one block with one header, however many filesystem blocks it
// covers.
absl::StatusOr<std::string> ReadRemote(const NamesContext& context,
                                       const Inode& inode, uint64_t length) {
  const Geometry& g = context.geometry;
  ONDISK_ASSIGN_OR_RETURN(const ExtentMap* map, inode.DataExtents());
  const FileBlock end(BlocksFor(g, length));
  std::string target;
  target.reserve(length);
  FileBlock next(0);
  for (const Extent& extent : map->extents()) {
    if (target.size() == length || next >= end) break;
    if (extent.start != next) {
      return Corruption(inode, "mapping", next.value,
                        "a mapped block, not a hole");
    }
    const uint64_t count = std::min<uint64_t>(extent.count, end - next);
    const uint32_t block_bytes = static_cast<uint32_t>(count << g.block_log);
    ONDISK_ASSIGN_OR_RETURN(const BufferRef block,
                            context.buffers.Read(g.ToDiskAddress(extent.block),
                                                 block_bytes, kSymlinkBlock));
    const uint32_t offset = static_cast<uint32_t>(target.size());
    const uint32_t bytes = static_cast<uint32_t>(std::min<uint64_t>(
        length - offset, ondisk::SymlinkPayload(g, block_bytes)));
    ondisk::Checker check("symlink block",
                          ondisk::Where::DataFork(inode.number(), next.value));
    ondisk::VerifySymlinkContents(g, block.bytes(), inode.number(), offset,
                                  bytes, check);
    ONDISK_RETURN_IF_ERROR(check.status());
    Append(target, ondisk::SymlinkTarget(g, block.bytes(), bytes));
    next = next + count;
  }
  if (target.size() != length) {
    return Corruption(inode, "mapping", target.size(),
                      "blocks for the whole target");
  }
  return target;
}

}  // namespace

absl::StatusOr<std::string> ReadSymlink(const NamesContext& context,
                                        const Inode& inode) {
  if (!inode.is_symlink()) {
    return ondisk::PosixError(
        EINVAL, fmt::format("inode {} is no symlink", inode.number().value));
  }
  const uint64_t length = inode.core().size;
  if (length == 0 || length > ondisk::kMaxSymlinkLength) {
    return Corruption(inode, "size", length, "1 to 1024");
  }
  std::string target;
  if (inode.core().data_format == ondisk::ForkFormat::kLocal) {
    const Bytes local = inode.local_data();
    if (local.size() < length) {
      return Corruption(inode, "size", length, "no more than the fork holds");
    }
    Append(target, local.first(length));
  } else {
    ONDISK_ASSIGN_OR_RETURN(target, ReadRemote(context, inode, length));
  }
  if (target.find('\0') != target.npos) {
    return Corruption(inode, "target", target.find('\0'), "no NUL in it");
  }
  return target;
}

}  // namespace fusexfs
