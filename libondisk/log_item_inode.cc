// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_inode.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/inode_core.h"
#include "libondisk/timestamp.h"

namespace ondisk {
namespace {

constexpr NamedValue kFieldNames[] = {
    {kLogInodeCore, "core"},
    {kLogInodeDataLocal, "data-local"},
    {kLogInodeDataExtents, "data-extents"},
    {kLogInodeDataRoot, "data-btree-root"},
    {kLogInodeDevice, "device"},
    {kLogInodeUuid, "uuid"},
    {kLogInodeAttributeLocal, "attribute-local"},
    {kLogInodeAttributeExtents, "attribute-extents"},
    {kLogInodeAttributeRoot, "attribute-btree-root"},
    {kLogInodeDataOwner, "data-owner", "data fork's blocks change owner"},
    {kLogInodeAttributeOwner, "attribute-owner"},
};

#define FUSEXFS_LOG_INODE_ROWS(Struct)                                      \
  ONDISK_HOST_FIELD(Struct, ilf_type, kHex, "type of the log item"),        \
      ONDISK_HOST_FIELD(Struct, ilf_size, kUnsigned,                        \
                        "regions of the log item"),                         \
      ONDISK_HOST_FIELD(Struct, ilf_fields, kFlags, "what was logged",      \
                        kFieldNames),                                       \
      ONDISK_HOST_FIELD(Struct, ilf_asize, kUnsigned,                       \
                        "bytes of the attribute fork's region"),            \
      ONDISK_HOST_FIELD(Struct, ilf_dsize, kUnsigned,                       \
                        "bytes of the data fork's region"),                 \
      ONDISK_HOST_FIELD(Struct, ilf_ino, kUnsigned, "the inode"),           \
      ONDISK_HOST_FIELD(Struct, ilf_rdev, kHex,                             \
                        "device number, if it was logged"),                 \
      ONDISK_HOST_FIELD(Struct, ilf_blkno, kUnsigned,                       \
                        "the buffer that holds the inode, 512-byte units"), \
      ONDISK_HOST_FIELD(Struct, ilf_len, kUnsigned,                         \
                        "length of that buffer, 512-byte units"),           \
      ONDISK_HOST_FIELD(Struct, ilf_boffset, kUnsigned,                     \
                        "bytes from the buffer's start to the inode")

constexpr Field kFormatRows[] = {FUSEXFS_LOG_INODE_ROWS(LogInodeFormat)};
constexpr Field kFormat32Rows[] = {FUSEXFS_LOG_INODE_ROWS(LogInodeFormat32)};

const Field kCoreRows[] = {
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_magic, kMagic,
                      "0x494e (\"IN\") in the writer's byte order"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_mode, kMode,
                      "file type and permissions; 0: a free inode"),
    ONDISK_FIELD(LogInodeCoreFormat, di_version, kUnsigned, "inode version"),
    ONDISK_FIELD(LogInodeCoreFormat, di_format, kEnum, "form of the data fork",
                 kForkFormatNames),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_metatype, kUnsigned,
                      "what kind of metadata inode"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_uid, kUnsigned, "owner"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_gid, kUnsigned, "group"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_nlink, kUnsigned, "names"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_projid_lo, kUnsigned,
                      "project, low half"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_projid_hi, kUnsigned,
                      "project, high half"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_big_nextents, kUnsigned,
                      "extents of the data fork, if flags2 has nrext64"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_size, kUnsigned, "bytes"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_nblocks, kUnsigned,
                      "blocks of data, attributes and their btrees"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_extsize, kUnsigned,
                      "extent size hint in blocks"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_nextents, kUnsigned,
                      "extents of the data fork; of the attribute fork if "
                      "flags2 has nrext64"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_anextents, kUnsigned,
                      "extents of the attribute fork, without nrext64"),
    ONDISK_FIELD(LogInodeCoreFormat, di_forkoff, kUnsigned,
                 "where the attribute fork starts, units of 8 bytes; 0: none"),
    ONDISK_FIELD(LogInodeCoreFormat, di_aformat, kEnum,
                 "form of the attribute fork", kForkFormatNames),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_dmevmask, kHex, "unused"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_dmstate, kHex, "unused"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_flags, kFlags, "inode flags",
                      kInodeFlagNames),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_gen, kUnsigned, "generation"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_next_unlinked, kHex,
                      "next inode of the unlinked list; not replayed"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_crc, kHex,
                      "means nothing in the log"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_changecount, kUnsigned,
                      "changes so far"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_lsn, kHex,
                      "means nothing in the log"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_flags2, kFlags, "more inode flags",
                      kInodeFlag2Names),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_cowextsize, kUnsigned,
                      "copy-on-write extent size hint in blocks"),
    ONDISK_FIELD(LogInodeCoreFormat, di_pad2, kPadding, "unused"),
    ONDISK_HOST_FIELD(LogInodeCoreFormat, di_ino, kUnsigned,
                      "the inode's own number"),
    ONDISK_FIELD(LogInodeCoreFormat, di_uuid, kUuid,
                 "the filesystem that it belongs to"),
};

template <class Format>
void CopyFormat(Bytes bytes, LogInodeItem& item) {
  const auto& format = View<Format>(bytes);
  item.fields = format.ilf_fields.value();
  item.data_bytes = format.ilf_dsize.value();
  item.attribute_bytes = format.ilf_asize.value();
  item.inode = InodeNumber(format.ilf_ino.value());
  item.device = format.ilf_rdev.value();
  item.buffer = DiskAddress(format.ilf_blkno.value());
  item.buffer_length = format.ilf_len.value();
  item.buffer_offset = format.ilf_boffset.value();
}

// Fills in what is there; complains of nothing.
LogInodeItem ReadRegions(LogRegions regions) {
  LogInodeItem item;
  if (regions[0].size() == sizeof(LogInodeFormat)) {
    CopyFormat<LogInodeFormat>(regions[0], item);
  } else if (regions[0].size() == sizeof(LogInodeFormat32)) {
    CopyFormat<LogInodeFormat32>(regions[0], item);
  }
  size_t next = 1;
  const auto take = [&](bool present) {
    return present && next < regions.size() ? regions[next++] : Bytes();
  };
  item.core = take(true);
  item.data = take((item.fields & kLogInodeDataFork) != 0);
  item.attributes = take((item.fields & kLogInodeAttributeFork) != 0);
  return item;
}

void AddTime(std::string_view name, size_t at, Bytes core, bool bigtime,
             uint64_t base, Explanation& into) {
  if (!Within(core, at, sizeof(Host64))) return;
  uint64_t raw = View<Host64>(core, at).value();
  // A legacy time is two 32-bit integers in memory order, seconds first.
  if (!bigtime) {
    raw = uint64_t{View<Host32>(core, at).value()} << 32 |
          View<Host32>(core, at + 4).value();
  }
  into.Add(name, base + at, core.subspan(at, sizeof(Host64)),
           RenderTimestamp(DecodeTimestamp(raw, bigtime)),
           bigtime ? "nanoseconds since 1901" : "seconds and nanoseconds");
}

Explanation ExplainCore(Bytes bytes, Where where) {
  Explanation core = ExplainTable(kLogInodeCoreFields, bytes, 0, where);
  constexpr size_t kFlags2 = offsetof(LogInodeCoreFormat, di_flags2);
  const bool bigtime =
      Within(bytes, kFlags2, sizeof(Host64)) &&
      (View<Host64>(bytes, kFlags2).value() & kInodeFlag2Bigtime) != 0;
  constexpr std::pair<const char*, size_t> kTimes[] = {
      {"di_atime", offsetof(LogInodeCoreFormat, di_atime)},
      {"di_mtime", offsetof(LogInodeCoreFormat, di_mtime)},
      {"di_ctime", offsetof(LogInodeCoreFormat, di_ctime)},
      {"di_crtime", offsetof(LogInodeCoreFormat, di_crtime)},
  };
  for (const auto& [name, at] : kTimes) {
    AddTime(name, at, bytes, bigtime, 0, core);
  }
  std::stable_sort(
      core.fields.begin(), core.fields.end(),
      [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return core;
}

Explanation ExplainFork(std::string_view name, Bytes bytes, Where where) {
  Explanation fork;
  fork.structure = name;
  fork.about = "As it stands in the inode, padded to four bytes.";
  fork.where = where.ToString();
  fork.Add("bytes", 0, bytes, RenderHex(bytes, 64),
           fmt::format("{} bytes", bytes.size()));
  return fork;
}

}  // namespace

const FieldTable kLogInodeFormatFields = {
    "inode item",
    "An inode's core and the forks that changed. Recovery writes them into the "
    "inode, unless the inode on disk is newer.",
    sizeof(LogInodeFormat), kFormatRows};
const FieldTable kLogInodeFormat32Fields = {
    "inode item (32-bit form)",
    "An inode's core and the forks that changed, as a 32-bit kernel wrote it.",
    sizeof(LogInodeFormat32), kFormat32Rows};
const FieldTable kLogInodeCoreFields = {
    "logged inode core", "The inode, in the byte order of the writer.",
    sizeof(LogInodeCoreFormat), kCoreRows};

void VerifyLogInode(const Geometry& geometry, LogRegions regions,
                    Checker& check) {
  const size_t format_bytes = regions[0].size();
  check.That(format_bytes == sizeof(LogInodeFormat) ||
                 format_bytes == sizeof(LogInodeFormat32),
             "format bytes", format_bytes, "56 or 52");
  if (check.failed()) return;
  if (!CheckLogRegionCount(regions, check)) return;

  const LogInodeItem item = ReadRegions(regions);
  check.EqualHex("ilf_fields", item.fields & kLogInodeKnownFields, item.fields);
  check.That(geometry.IsValid(item.inode), "ilf_ino", item.inode.value,
             "an inode number within the image");
  check.That(geometry.IsValid(item.buffer), "ilf_blkno", item.buffer.value,
             "an address within the data device");
  check.AtMost("ilf_boffset",
               uint64_t{item.buffer_offset} + geometry.inode_size,
               uint64_t{item.buffer_length} << kDiskAddressShift);
  if (check.done()) return;

  const size_t expected = 2 + ((item.fields & kLogInodeDataFork) != 0 ? 1 : 0) +
                          ((item.fields & kLogInodeAttributeFork) != 0 ? 1 : 0);
  if (!check.Equal("ilf_size", regions.size(), expected)) return;
  const size_t core_bytes =
      geometry.features.crc ? kLogInodeCoreBytesV3 : kLogInodeCoreBytesV2;
  if (!check.Equal("core bytes", item.core.size(), core_bytes)) return;
  check.EqualHex("di_magic", View<Host16>(item.core).value(), kInodeMagic);
  // Regions are padded to four bytes; the forks fit into the inode.
  check.That(item.data.size() >= item.data_bytes &&
                 item.data.size() <= geometry.inode_size,
             "ilf_dsize", item.data_bytes,
             fmt::format("at most {}", item.data.size()));
  check.That(item.attributes.size() >= item.attribute_bytes &&
                 item.attributes.size() <= geometry.inode_size,
             "ilf_asize", item.attribute_bytes,
             fmt::format("at most {}", item.attributes.size()));
}

LogInodeItem ReadLogInode(LogRegions regions) { return ReadRegions(regions); }

Explanation ExplainLogInode(const Geometry&, LogRegions regions,
                            uint64_t offset, Where where) {
  const FieldTable& table = regions[0].size() == sizeof(LogInodeFormat32)
                                ? kLogInodeFormat32Fields
                                : kLogInodeFormatFields;
  Explanation result = ExplainTable(table, regions[0], offset, where);
  const LogInodeItem item = ReadRegions(regions);
  if (!item.core.empty()) result.parts.push_back(ExplainCore(item.core, where));
  if (!item.data.empty()) {
    result.parts.push_back(ExplainFork("logged data fork", item.data, where));
  }
  if (!item.attributes.empty()) {
    result.parts.push_back(
        ExplainFork("logged attribute fork", item.attributes, where));
  }
  return result;
}

}  // namespace ondisk
