// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/da_fork.h"

#include <algorithm>

#include <fmt/format.h>

namespace fusexfs {
namespace {

using ondisk::DaBlock;
using ondisk::FileBlock;

}  // namespace

absl::StatusOr<DaFork> DaFork::Open(const NamesContext& context,
                                    const Inode& inode, Kind kind) {
  ONDISK_ASSIGN_OR_RETURN(const ExtentMap* extents,
                          kind == Kind::kDirectory ? inode.DataExtents()
                                                   : inode.AttributeExtents());
  return DaFork(context, inode, kind, extents);
}

DaFork::DaFork(const NamesContext& context, const Inode& inode, Kind kind,
               const ExtentMap* extents)
    : context_(&context), inode_(&inode), kind_(kind), extents_(extents) {}

uint32_t DaFork::block_bytes() const {
  return kind_ == Kind::kDirectory ? geometry().directory_block_size
                                   : geometry().block_size;
}

FileBlock DaFork::end() const {
  const auto all = extents();
  return all.empty() ? FileBlock(0) : all.back().end();
}

ondisk::Where DaFork::At(DaBlock block) const {
  return kind_ == Kind::kDirectory
             ? ondisk::Where::DataFork(owner(), block.value)
             : ondisk::Where::AttrFork(owner(), block.value);
}

absl::Status DaFork::Corruption(std::string_view structure, DaBlock at,
                                std::string_view field, uint64_t found,
                                std::string_view expected) const {
  return ondisk::CorruptionError(structure, At(at), field,
                                 fmt::to_string(found), expected);
}

absl::Status DaFork::Map(DaBlock at, const BlockType& type,
                         Pieces& pieces) const {
  const ondisk::Geometry& g = geometry();
  FileBlock next(at.value);
  const FileBlock end = next + (block_bytes() >> g.block_log);
  for (size_t i = extents_->FindFrom(next); next < end; ++i) {
    if (i == extents().size() || extents()[i].start > next) {
      return Corruption(type.name, at, "mapping", next.value,
                        "a mapped block, not a hole");
    }
    const Extent& extent = extents()[i];
    const uint64_t skip = next - extent.start;
    const uint64_t count = std::min<uint64_t>(extent.count - skip, end - next);
    pieces.push_back({g.ToDiskAddress(extent.block + skip),
                      static_cast<uint32_t>(count << g.block_log)});
    next = next + count;
  }
  return absl::OkStatus();
}

absl::StatusOr<BufferRef> DaFork::Read(DaBlock at,
                                       const BlockType& type) const {
  Pieces pieces;
  ONDISK_RETURN_IF_ERROR(Map(at, type, pieces));
  if (pieces.size() == 1) {
    return context_->buffers.Read(pieces[0].address, pieces[0].bytes, type);
  }
  return context_->buffers.ReadPieces(pieces, type);
}

FileBlock DaFork::Prefetch(DaBlock at, uint64_t bytes, DaBlock end) const {
  const ondisk::Geometry& g = geometry();
  uint64_t left = bytes >> g.block_log;
  FileBlock next(at.value);
  const FileBlock stop(end.value);
  for (size_t i = extents_->FindFrom(next); i < extents().size() && left > 0;
       ++i) {
    const Extent& extent = extents()[i];
    next = std::max(next, extent.start);
    if (next >= stop) break;
    const uint64_t skip = next - extent.start;
    const uint64_t count =
        std::min<uint64_t>({extent.count - skip, left, stop - next});
    context_->buffers.Prefetch(g.ToDiskAddress(extent.block + skip),
                               static_cast<uint32_t>(count << g.block_log));
    left -= count;
    next = next + count;
  }
  return next;
}

}  // namespace fusexfs
