// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk explain inode, block, daddr: an inode by its number, and whatever
// stands at an address.
#include <algorithm>
#include <cerrno>
#include <optional>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/explain.h"
#include "fusexfs/tools/ondisk/fork_walk.h"
#include "libondisk/btree_block.h"
#include "libondisk/da_explain.h"
#include "libondisk/dquot.h"
#include "libondisk/inode_core.h"
#include "libondisk/log_record.h"
#include "libondisk/status.h"
#include "libondisk/symlink.h"

namespace fusexfs::tool {
namespace {

using ondisk::Be32;
using ondisk::Bytes;
using ondisk::DiskAddress;
using ondisk::Explanation;

constexpr size_t kShownUnknownBytes = 64;

// One of the four headers of an AG, if the address is that of one.
std::optional<AgHeader> HeaderAt(const ondisk::Geometry& geometry,
                                 ondisk::AgNumber ag, DiskAddress address) {
  if (address == geometry.SuperblockAddress(ag)) return AgHeader::kSuperblock;
  if (address == geometry.AgfAddress(ag)) return AgHeader::kAgf;
  if (address == geometry.AgiAddress(ag)) return AgHeader::kAgi;
  if (address == geometry.AgflAddress(ag)) return AgHeader::kAgfl;
  return std::nullopt;
}

// Two bytes of magic are little: text may start with them. The version that
// follows must be one that exists.
bool LooksLikeInode(Bytes bytes) {
  const auto& inode = ondisk::View<ondisk::DiskInode>(bytes);
  return inode.magic.value() == ondisk::kInodeMagic && inode.version >= 1 &&
         inode.version <= 3;
}
bool LooksLikeDquot(Bytes bytes) {
  const auto& dquot = ondisk::View<ondisk::DiskDquot>(bytes);
  return dquot.magic.value() == ondisk::kDquotMagic &&
         dquot.version == ondisk::kDquotVersion;
}

// Index of a block of an internal log; the address itself outside of it.
uint64_t LogBlockAt(const ondisk::Geometry& geometry, DiskAddress address) {
  if (geometry.log_start == 0) return address.value;
  const DiskAddress start =
      geometry.ToDiskAddress(ondisk::FsBlock(geometry.log_start));
  return address < start ? address.value : address - start;
}

std::optional<ondisk::BtreeKind> BtreeAt(Bytes block) {
  const uint32_t magic = ondisk::View<Be32>(block).value();
  for (uint32_t i = 0; i < ondisk::kBtreeKinds; ++i) {
    const auto kind = static_cast<ondisk::BtreeKind>(i);
    const ondisk::BtreeTraits& traits = ondisk::TraitsOf(kind);
    const bool v4 = traits.magic_v4 != 0 && magic == traits.magic_v4;
    if (magic == traits.magic_v5 || v4) return kind;
  }
  return std::nullopt;
}

// All inodes from `address` to the end of its filesystem block.
Explanation ExplainInodes(const ondisk::Geometry& geometry, DiskAddress address,
                          Bytes bytes) {
  Explanation block;
  block.structure = "block of inodes";
  block.where = ondisk::Where::Disk(address).ToString();
  const ondisk::FsBlock at = geometry.ToFsBlock(address);
  const uint64_t start =
      (address.value << ondisk::kDiskAddressShift) - geometry.ToByteOffset(at);
  for (uint64_t offset = 0; bytes.size() >= geometry.inode_size &&
                            offset <= bytes.size() - geometry.inode_size;
       offset += geometry.inode_size) {
    const auto index =
        static_cast<uint32_t>((start + offset) >> geometry.inode_log);
    const ondisk::AgInode inode(
        (geometry.AgBlockOf(at).value << geometry.inodes_per_block_log) +
        index);
    block.parts.push_back(ondisk::ExplainInode(
        geometry, geometry.ToInodeNumber(geometry.AgOf(at), inode),
        bytes.subspan(offset, geometry.inode_size)));
  }
  return block;
}

Explanation ExplainUnknown(DiskAddress address, Bytes bytes) {
  Explanation unknown;
  unknown.structure = "no known structure";
  unknown.about =
      "No magic number of XFS metadata stands here: file data, free space, or "
      "a structure without one (a value of an attribute or a long symlink on a "
      "V4 image, the inside of the log).";
  unknown.where = ondisk::Where::Disk(address).ToString();
  const Bytes shown = bytes.first(std::min(bytes.size(), kShownUnknownBytes));
  for (size_t offset = 0; offset < shown.size(); offset += 8) {
    const Bytes row =
        shown.subspan(offset, std::min<size_t>(8, shown.size() - offset));
    std::string text;
    for (uint8_t c : row) {
      text += c > 31 && c < 127 ? static_cast<char>(c) : '.';
    }
    unknown.Add("bytes", offset, row, text, "as text");
  }
  return unknown;
}

// `bytes`: from the address on, at most a directory block.
Explanation ExplainByMagic(const RawImage& image, DiskAddress address,
                           Bytes bytes) {
  const ondisk::Geometry& geometry = image.geometry();
  const uint32_t magic = ondisk::View<Be32>(bytes).value();
  const Bytes block =
      bytes.first(std::min<size_t>(bytes.size(), geometry.block_size));
  if (const auto kind = BtreeAt(bytes)) {
    return ondisk::ExplainBtreeBlock(block, *kind, geometry, address);
  }
  if (LooksLikeInode(bytes)) {
    return ExplainInodes(geometry, address, block);
  }
  if (LooksLikeDquot(bytes)) {
    return ondisk::ExplainDquotBuffer(geometry, address, block);
  }
  if (magic == ondisk::kSymlinkMagic) {
    return ondisk::ExplainSymlinkBlock(geometry, address, block);
  }
  if (magic == ondisk::kLogRecordMagic) {
    return ondisk::ExplainLogRecordHeader(
        geometry.features.log_v2, bytes.first(ondisk::kLogBlockSize),
        LogBlockAt(geometry, address), geometry.uuid);
  }
  // A node of a da tree does not say whether it is a directory's; if only the
  // larger reading holds together, it is.
  std::optional<Explanation> best;
  for (const bool directory : {true, false}) {
    const auto size = ondisk::DaBlockSize(geometry, bytes, directory);
    if (!size || *size > bytes.size()) continue;
    auto explanation =
        ondisk::ExplainDaBlock(geometry, address, bytes.first(*size));
    if (!explanation) continue;
    if (explanation->AllChecksHold()) return *explanation;
    if (!best) best = std::move(explanation);
  }
  return best ? *best : ExplainUnknown(address, bytes);
}

}  // namespace

absl::Status ExplainInodeNumber(const RawImage& image,
                                ondisk::InodeNumber inode,
                                ExplanationPrinter& printer) {
  ONDISK_ASSIGN_OR_RETURN(const auto bytes, ReadInode(image, inode));
  printer.Print(ondisk::ExplainInode(image.geometry(), inode, bytes));
  return absl::OkStatus();
}

absl::Status ExplainDiskAddress(const RawImage& image, DiskAddress address,
                                ExplanationPrinter& printer) {
  const ondisk::Geometry& geometry = image.geometry();
  // To the end of the block, as a directory block if that much is there.
  ONDISK_RETURN_IF_ERROR(
      image.Read(address, ondisk::kDiskAddressUnit).status());
  const ondisk::FsBlock block = geometry.ToFsBlock(address);
  const ondisk::AgNumber ag = geometry.AgOf(block);
  if (const auto header = HeaderAt(geometry, ag, address)) {
    return ExplainAgHeader(image, *header, ag.value, printer);
  }
  const uint64_t start = address.value << ondisk::kDiskAddressShift;
  const uint64_t inside = start - geometry.ToByteOffset(block);
  const uint64_t most = inside == 0 ? geometry.directory_block_size
                                    : geometry.block_size - inside;
  ONDISK_ASSIGN_OR_RETURN(
      const auto bytes,
      image.Read(address, std::min(most, geometry.data_bytes() - start)));
  printer.Print(ExplainByMagic(image, address, bytes));
  return absl::OkStatus();
}

absl::Status ExplainFsBlock(const RawImage& image, ondisk::FsBlock block,
                            ExplanationPrinter& printer) {
  ONDISK_RETURN_IF_ERROR(image.ReadBlock(block).status());
  return ExplainDiskAddress(image, image.geometry().ToDiskAddress(block),
                            printer);
}

}  // namespace fusexfs::tool
