// SPDX-License-Identifier: GPL-2.0-or-later
// The field tables of an inode, and an inode in words.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "libondisk/attribute_shortform.h"
#include "libondisk/directory_shortform.h"
#include "libondisk/inode_core.h"

namespace ondisk {
namespace {

constexpr NamedValue kFlags[] = {
    {kInodeFlagRealtime, "realtime", "data is on the realtime device"},
    {kInodeFlagPrealloc, "prealloc", "space was preallocated"},
    {kInodeFlagNewRealtimeBitmap, "newrtbm", "realtime bitmap, newer form"},
    {kInodeFlagImmutable, "immutable", "may not be changed"},
    {kInodeFlagAppend, "append", "may only grow"},
    {kInodeFlagSync, "sync", "every write is synchronous"},
    {kInodeFlagNoAtime, "noatime", "reading leaves atime"},
    {kInodeFlagNoDump, "nodump", "left out by xfsdump"},
    {kInodeFlagRealtimeInherit, "rtinherit", "new files get realtime"},
    {kInodeFlagProjectInherit, "projinherit", "new files get the project"},
    {kInodeFlagNoSymlinks, "nosymlinks", "no symlinks in this directory"},
    {kInodeFlagExtentSize, "extsize", "extsize is a hint for allocation"},
    {kInodeFlagExtentSizeInherit, "extszinherit", "new files get extsize"},
    {kInodeFlagNoDefrag, "nodefrag", "left alone by xfs_fsr"},
    {kInodeFlagFilestream, "filestream", "uses the filestreams allocator"},
};

constexpr NamedValue kFlags2[] = {
    {kInodeFlag2Dax, "dax", "data is mapped without the page cache"},
    {kInodeFlag2Reflink, "reflink", "blocks may be shared"},
    {kInodeFlag2CowExtentSize, "cowextsize",
     "cowextsize is a hint for copy-on-write"},
    {kInodeFlag2Bigtime, "bigtime", "times in nanoseconds since 1901"},
    {kInodeFlag2Nrext64, "nrext64", "wide extent counters"},
    {kInodeFlag2Metadata, "metadata", "belongs to the filesystem itself"},
};

constexpr NamedValue kFormats[] = {
    {0, "device", "a device number"},
    {1, "local", "the content itself"},
    {2, "extents", "an array of extent records"},
    {3, "btree", "the root of a btree of extent records"},
    {4, "uuid", "never used"},
    {5, "metabtree", "the root of a realtime metadata btree"},
};

constexpr NamedValue kVersions[] = {
    {1, "16-bit link count"}, {2, "32-bit link count"}, {3, "V5, with CRC"}};

constexpr Field kHead[] = {
    ONDISK_FIELD(DiskInode, magic, kMagic, "\"IN\""),
    ONDISK_FIELD(DiskInode, mode, kMode,
                 "file type and permissions; 0: a free inode"),
    ONDISK_FIELD(DiskInode, version, kEnum, "layout of the core", kVersions),
    ONDISK_FIELD(DiskInode, format, kEnum, "what the data fork holds",
                 kFormats),
    ONDISK_FIELD(DiskInode, onlink, kUnsigned,
                 "link count of version 1; 0 later"),
    ONDISK_FIELD(DiskInode, uid, kUnsigned, "owner"),
    ONDISK_FIELD(DiskInode, gid, kUnsigned, "group"),
    ONDISK_FIELD(DiskInode, nlink, kUnsigned, "names that lead here"),
    ONDISK_FIELD(DiskInode, projid_lo, kUnsigned, "project, lower half"),
    ONDISK_FIELD(DiskInode, projid_hi, kUnsigned, "project, upper half"),
};

constexpr Field kFlushCounter[] = {
    {"v2_pad", 24, 6, FieldKind::kBytes, "unused"},
    {"flushiter", 30, 2, FieldKind::kUnsigned,
     "counts writes of this inode, for recovery before V5"},
};
constexpr Field kV3Pad[] = {
    {"v3_pad", 24, 8, FieldKind::kPadding, "zero without nrext64"},
};
constexpr Field kWideDataCount[] = {
    {"nextents", 24, 8, FieldKind::kUnsigned, "extents of the data fork"},
};

constexpr Field kMiddle[] = {
    ONDISK_FIELD(DiskInode, atime, kTime, "last read"),
    ONDISK_FIELD(DiskInode, mtime, kTime, "last change of the content"),
    ONDISK_FIELD(DiskInode, ctime, kTime, "last change of the inode"),
    ONDISK_FIELD(DiskInode, size, kUnsigned, "bytes of content"),
    ONDISK_FIELD(DiskInode, nblocks, kUnsigned,
                 "blocks of both forks, with their btrees"),
    ONDISK_FIELD(DiskInode, extsize, kUnsigned,
                 "extent size hint in blocks; 0: none"),
};

constexpr Field kNarrowCounts[] = {
    {"nextents", 76, 4, FieldKind::kUnsigned, "extents of the data fork"},
    {"anextents", 80, 2, FieldKind::kUnsigned, "extents of the attribute fork"},
};
constexpr Field kWideAttributeCount[] = {
    {"anextents", 76, 4, FieldKind::kUnsigned, "extents of the attribute fork"},
    {"nrext64_pad", 80, 2, FieldKind::kPadding, "zero with nrext64"},
};

constexpr Field kTail[] = {
    ONDISK_FIELD(DiskInode, forkoff, kUnsigned,
                 "where the attribute fork starts, in units of 8 bytes from "
                 "the end of the core; 0: no such fork"),
    ONDISK_FIELD(DiskInode, aformat, kEnum, "what the attribute fork holds",
                 kFormats),
    ONDISK_FIELD(DiskInode, dmevmask, kHex, "data migration events, unused"),
    ONDISK_FIELD(DiskInode, dmstate, kHex, "data migration state, unused"),
    ONDISK_FIELD(DiskInode, flags, kFlags, "properties of the file", kFlags),
    ONDISK_FIELD(DiskInode, gen, kUnsigned,
                 "generation: changes when the inode is used anew"),
    ONDISK_FIELD(DiskInode, next_unlinked, kHex,
                 "next in the AG's list of unlinked inodes that are still "
                 "open; all ones: none"),
};

constexpr Field kVersion3[] = {
    ONDISK_FIELD(DiskInode, crc, kCrc, "CRC32C of the whole inode"),
    ONDISK_FIELD(DiskInode, changecount, kUnsigned, "counts all changes"),
    ONDISK_FIELD(DiskInode, lsn, kLsn,
                 "log sequence number of the last change"),
    ONDISK_FIELD(DiskInode, flags2, kFlags, "more properties", kFlags2),
    ONDISK_FIELD(DiskInode, cowextsize, kUnsigned,
                 "copy-on-write extent size hint in blocks; 0: none"),
    ONDISK_FIELD(DiskInode, pad2, kBytes, "unused"),
    ONDISK_FIELD(DiskInode, crtime, kTime, "creation"),
    ONDISK_FIELD(DiskInode, ino, kUnsigned, "number of this inode"),
    ONDISK_FIELD(DiskInode, uuid, kUuid, "UUID of the filesystem's metadata"),
};

constexpr std::string_view kName = "inode";
constexpr std::string_view kAbout =
    "Everything about a file but its name and (mostly) its data. The data "
    "fork follows the core; the attribute fork follows the data fork.";
constexpr uint32_t kOldSize = offsetof(DiskInode, crc);

constexpr FieldTable kHeadTable = {kName, kAbout, kOldSize, kHead};
constexpr FieldTable kMiddleTable = {kName, kAbout, kOldSize, kMiddle};
constexpr FieldTable kTailTable = {kName, kAbout, kOldSize, kTail};
constexpr FieldTable kFlushTable = {kName, kAbout, kOldSize, kFlushCounter};
constexpr FieldTable kPadTable = {kName, kAbout, kOldSize, kV3Pad};
constexpr FieldTable kWideDataTable = {kName, kAbout, kOldSize, kWideDataCount};
constexpr FieldTable kNarrowTable = {kName, kAbout, kOldSize, kNarrowCounts};
constexpr FieldTable kWideAttributeTable = {kName, kAbout, kOldSize,
                                            kWideAttributeCount};
constexpr FieldTable kVersion3Table = {kName, kAbout, sizeof(DiskInode),
                                       kVersion3};

constexpr const FieldTable* kOldTables[] = {
    &kHeadTable, &kFlushTable, &kMiddleTable, &kNarrowTable, &kTailTable};
constexpr const FieldTable* kVersion3Tables[] = {
    &kHeadTable,   &kPadTable,  &kMiddleTable,
    &kNarrowTable, &kTailTable, &kVersion3Table};
constexpr const FieldTable* kWideTables[] = {
    &kHeadTable,          &kWideDataTable, &kMiddleTable,
    &kWideAttributeTable, &kTailTable,     &kVersion3Table};

// A table cannot know which clock an inode uses.
void RenderTimes(const DiskInode& disk, bool bigtime,
                 Explanation& explanation) {
  const auto render = [&](std::string_view name, const Be64& time) {
    for (ExplainedField& row : explanation.fields) {
      if (row.name == name) {
        row.value = RenderTimestamp(DecodeTimestamp(time.value(), bigtime));
      }
    }
  };
  render("atime", disk.atime);
  render("mtime", disk.mtime);
  render("ctime", disk.ctime);
  render("crtime", disk.crtime);
}

void ExplainFork(const Geometry& geometry, const InodeCore& core, Fork fork,
                 Bytes inode, Explanation& into) {
  const bool data = fork == Fork::kData;
  const uint32_t offset =
      data ? core.data_fork_offset : core.attribute_fork_offset;
  const uint32_t bytes = data ? core.data_fork_size : core.attribute_fork_size;
  if (bytes == 0 || !Within(inode, offset, bytes)) return;
  const Bytes area = inode.subspan(offset, bytes);
  const size_t before = into.parts.size();
  switch (data ? core.data_format : core.attribute_format) {
    case ForkFormat::kExtents:
      ExplainExtents(geometry, area, offset,
                     data ? core.data_extents : core.attribute_extents, into);
      break;
    case ForkFormat::kBtree:
      ExplainExtentRoot(geometry, area, offset, into);
      break;
    case ForkFormat::kLocal:
      if (!data) {
        into.parts.push_back(
            ExplainAttributeShortForm(geometry, core.number, area));
      } else if (core.is_directory()) {
        into.parts.push_back(ExplainDirectoryShortForm(
            geometry, core.number,
            area.first(std::min<uint64_t>(core.size, bytes))));
      } else {
        const Bytes text = area.first(std::min<uint64_t>(core.size, bytes));
        const Field field{"target", 0, static_cast<uint32_t>(text.size()),
                          FieldKind::kText, ""};
        Explanation part;
        part.structure = "symlink target";
        part.Add("target", offset, text, RenderField(field, text),
                 "where the symlink leads");
        into.parts.push_back(std::move(part));
      }
      break;
    case ForkFormat::kDevice:
      if (core.is_device()) {
        Explanation part;
        part.structure = "device number";
        part.Add("dev", offset, area.first(sizeof(Be32)),
                 fmt::format("{}:{}", core.device_major, core.device_minor),
                 "major and minor number");
        into.parts.push_back(std::move(part));
      }
      break;
    default:
      break;
  }
  for (size_t i = before; i < into.parts.size(); ++i) {
    into.parts[i].structure = fmt::format(
        "{} fork: {}", data ? "data" : "attribute", into.parts[i].structure);
  }
}

}  // namespace

const std::span<const NamedValue> kInodeFlagNames = kFlags;
const std::span<const NamedValue> kInodeFlag2Names = kFlags2;
const std::span<const NamedValue> kForkFormatNames = kFormats;

std::span<const FieldTable* const> InodeFieldTables(uint8_t version,
                                                    bool nrext64) {
  if (version < 3) return kOldTables;
  return nrext64 ? std::span<const FieldTable* const>(kWideTables)
                 : std::span<const FieldTable* const>(kVersion3Tables);
}

Explanation ExplainInode(const Geometry& geometry, InodeNumber number,
                         Bytes inode) {
  Explanation explanation;
  explanation.structure = kName;
  explanation.about = kAbout;
  explanation.where = Where::Inode(number).ToString();
  Checker check(kName, Where::Inode(number), Checker::Mode::kAllFindings);
  VerifyInode(geometry, number, inode, check);
  const uint8_t version =
      Within(inode, 0, kOldSize) ? View<DiskInode>(inode).version : 0;
  if (inode.size() < kOldSize || inode.size() < InodeCoreSize(version)) {
    AttachFindings(check, explanation);
    return explanation;
  }
  const InodeCore core = DecodeInode(number, inode);
  const auto& disk = View<DiskInode>(inode);
  for (const FieldTable* table :
       InodeFieldTables(version, (core.flags2 & kInodeFlag2Nrext64) != 0)) {
    ExplainFields(*table, inode, 0, explanation);
  }
  RenderTimes(disk, (core.flags2 & kInodeFlag2Bigtime) != 0, explanation);
  if (core.mode != 0) {
    if (!check.failed()) VerifyInodeForks(geometry, core, inode, check);
    ExplainFork(geometry, core, Fork::kData, inode, explanation);
    ExplainFork(geometry, core, Fork::kAttribute, inode, explanation);
  }
  AttachFindings(check, explanation);
  return explanation;
}

}  // namespace ondisk
