// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/directory_read.h"

#include <algorithm>
#include <cerrno>

#include <dirent.h>

#include <fmt/format.h>

#include "fusexfs/names/da_fork.h"
#include "fusexfs/names/directory_form.h"
#include "libondisk/directory_data.h"
#include "libondisk/directory_shortform.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::DaBlock;
using ondisk::DirectoryBlock;
using ondisk::DirectoryEntryView;
using ondisk::DirectoryPointer;
using ondisk::FileBlock;
using ondisk::Geometry;

// Telling programs' positions must fit a signed 32-bit integer.
constexpr uint64_t kCookieMask = 0x7fffffff;
// How far the data blocks are read ahead of the one that is walked.
constexpr uint64_t kReadAheadBytes = 128 << 10;

// Hands entries to the visitor, with the kernel's last check of their names.
class Emitter {
 public:
  Emitter(const Inode& directory, const Geometry& geometry,
          absl::FunctionRef<bool(const DirectoryEntry&)> visit)
      : directory_(directory), geometry_(geometry), visit_(visit) {}

  // False once the walk is over: the visitor has enough, or status() tells.
  bool Emit(const DirectoryEntryView& entry, DirectoryBlock block,
            uint32_t end_offset) {
    if (!ondisk::IsLegalDirectoryName(entry.name)) {
      status_ = ondisk::CorruptionError(
          "directory entry",
          ondisk::Where::DataFork(directory_.number(),
                                  ondisk::ToDaBlock(geometry_, block).value),
          fmt::format("name at {}", entry.offset), "one with '/' or NUL",
          "none of these bytes");
      return false;
    }
    return Emit(entry.name, entry.inode, ondisk::ToDirentType(entry.file_type),
                block, end_offset);
  }

  bool Emit(std::string_view name, ondisk::InodeNumber inode, uint8_t type,
            DirectoryBlock block, uint32_t end_offset) {
    DirectoryEntry entry;
    entry.name = name;
    entry.inode = inode;
    entry.type = type;
    entry.next_cookie =
        ondisk::ToDirectoryPointer(geometry_, block, end_offset).value &
        kCookieMask;
    return visit_(entry);
  }

  const absl::Status& status() const { return status_; }

 private:
  const Inode& directory_;
  const Geometry& geometry_;
  absl::FunctionRef<bool(const DirectoryEntry&)> visit_;
  absl::Status status_;
};

absl::Status ReadShortForm(const NamesContext& context, const Inode& directory,
                           DirectoryPointer start, Emitter& emitter) {
  const Geometry& g = context.geometry;
  // Verified when the inode was read.
  const ondisk::Bytes fork = directory.local_data();
  if (ondisk::DirectoryBlockOf(g, start).value > 0) return absl::OkStatus();

  // "." and ".." stand where they would in a block-form directory.
  const uint32_t wanted = ondisk::OffsetInDirectoryBlock(g, start);
  const DirectoryBlock block(0);
  const uint32_t dot = ondisk::DirectoryDataStart(g.features);
  const uint32_t dot_dot = dot + ondisk::DirectoryDataEntrySize(g.features, 1);
  const uint32_t first =
      dot_dot + ondisk::DirectoryDataEntrySize(g.features, 2);
  if (wanted <= dot &&
      !emitter.Emit(".", directory.number(), DT_DIR, block, dot_dot)) {
    return absl::OkStatus();
  }
  if (wanted <= dot_dot &&
      !emitter.Emit("..", ondisk::DirectoryShortFormParent(fork), DT_DIR, block,
                    first)) {
    return absl::OkStatus();
  }
  ondisk::DirectoryShortFormEntries entries(g.features, fork);
  DirectoryEntryView entry;
  while (entries.Next(entry)) {
    if (entry.offset < wanted) continue;
    const uint32_t end =
        entry.offset +
        ondisk::DirectoryDataEntrySize(
            g.features, static_cast<uint32_t>(entry.name.size()));
    if (!emitter.Emit(entry, block, end)) break;
  }
  return emitter.status();
}

// Walks one data block (or the block of the block form) from `wanted` bytes on.
// False once the walk is over.
bool ReadOneBlock(const Geometry& g, ondisk::Bytes bytes, DirectoryBlock block,
                  uint32_t wanted, Emitter& emitter) {
  ondisk::DirectoryDataEntries entries(g.features, bytes);
  DirectoryEntryView entry;
  while (entries.Next(entry)) {
    if (entry.offset < wanted) continue;
    if (!emitter.Emit(entry, block, entry.offset + entry.size)) return false;
  }
  return true;
}

absl::Status ReadDataBlocks(const DaFork& fork, DirectoryPointer start,
                            Emitter& emitter) {
  const Geometry& g = fork.geometry();
  const DaBlock end = ondisk::DirectoryLeafStart(g);
  const uint32_t step = g.blocks_per_directory_block();
  DirectoryBlock number = ondisk::DirectoryBlockOf(g, start);
  uint32_t wanted = ondisk::OffsetInDirectoryBlock(g, start);
  uint64_t read_ahead_to = 0;

  while (true) {
    // Holes are jumped over: the next mapped block tells where to go on.
    const FileBlock at(ondisk::ToDaBlock(g, number).value);
    const size_t next = fork.extent_map().FindFrom(at);
    if (next == fork.extents().size()) break;
    const FileBlock mapped = std::max(at, fork.extents()[next].start);
    if (mapped.value >= end.value) break;
    const DaBlock here(static_cast<uint32_t>(mapped.value));
    if (ondisk::ToDirectoryBlock(g, here) != number) {
      number = ondisk::ToDirectoryBlock(g, here);
      wanted = 0;
    }
    const uint64_t behind = uint64_t{ondisk::ToDaBlock(g, number).value} + step;
    if (behind >= read_ahead_to && behind < end.value) {
      read_ahead_to = fork.Prefetch(DaBlock(static_cast<uint32_t>(behind)),
                                    kReadAheadBytes, end)
                          .value;
    }
    ONDISK_ASSIGN_OR_RETURN(const BufferRef block,
                            ReadDirectoryData(fork, number));
    if (!ReadOneBlock(g, block.bytes(), number, wanted, emitter)) break;
    if (behind >= end.value) break;
    number = number + 1;
    wanted = 0;
  }
  return emitter.status();
}

}  // namespace

absl::Status ReadDirectory(
    const NamesContext& context, const Inode& directory, uint64_t cookie,
    absl::FunctionRef<bool(const DirectoryEntry&)> visit) {
  if (!directory.is_directory()) {
    return ondisk::PosixError(ENOTDIR, fmt::format("inode {} is no directory",
                                                   directory.number().value));
  }
  if (cookie > kCookieMask) return absl::OkStatus();
  const Geometry& g = context.geometry;
  const DirectoryPointer start(static_cast<uint32_t>(cookie));
  Emitter emitter(directory, g, visit);
  if (directory.core().data_format == ondisk::ForkFormat::kLocal) {
    return ReadShortForm(context, directory, start, emitter);
  }
  ONDISK_ASSIGN_OR_RETURN(
      const DaFork fork,
      DaFork::Open(context, directory, DaFork::Kind::kDirectory));
  if (!HasDirectoryBlockForm(fork)) {
    return ReadDataBlocks(fork, start, emitter);
  }
  if (ondisk::DirectoryBlockOf(g, start).value > 0) return absl::OkStatus();
  ONDISK_ASSIGN_OR_RETURN(const BufferRef block, ReadDirectoryBlockForm(fork));
  ReadOneBlock(g, block.bytes(), DirectoryBlock(0),
               ondisk::OffsetInDirectoryBlock(g, start), emitter);
  return emitter.status();
}

}  // namespace fusexfs
