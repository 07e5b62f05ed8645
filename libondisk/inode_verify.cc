// SPDX-License-Identifier: GPL-2.0-or-later
// The checks of an inode, in the order in which each may rely on those before.
#include <algorithm>

#include "libondisk/attribute_shortform.h"
#include "libondisk/crc32c.h"
#include "libondisk/directory_shortform.h"
#include "libondisk/inode_core.h"

namespace ondisk {
namespace {

// Metadata types that exist (unknown, directory, three quotas, four realtime).
constexpr uint16_t kMetadataTypes = 9;
constexpr uint16_t kMetadataFileFlags = kInodeFlagImmutable | kInodeFlagSync |
                                        kInodeFlagNoAtime | kInodeFlagNoDump |
                                        kInodeFlagNoDefrag;
constexpr uint16_t kMetadataDirectoryFlags =
    kMetadataFileFlags | kInodeFlagNoSymlinks;

// A directory has three address spaces of 32 GiB each, so no more blocks.
constexpr uint64_t kDirectorySpaceBytes = uint64_t{3} << 35;

bool GoodVersion(const Geometry& geometry, uint8_t version) {
  return geometry.features.crc ? version == 3 : version == 1 || version == 2;
}

bool IsKnownType(uint16_t mode) {
  switch (mode & kModeTypeMask) {
    case kModeFifo:
    case kModeCharacterDevice:
    case kModeDirectory:
    case kModeBlockDevice:
    case kModeRegular:
    case kModeSymlink:
    case kModeSocket:
      return true;
    default:
      return false;
  }
}

// What a verifier function needs of the inode, read once.
struct Subject {
  const Geometry& geometry;
  const DiskInode& disk;
  uint16_t mode;
  uint16_t type;
  uint16_t flags;
  uint64_t flags2;  // 0 before version 3
  uint64_t size;
  uint64_t data_extents;
  uint64_t attribute_extents;
  uint32_t literal_bytes;
  uint32_t data_bytes;  // of the data fork

  bool has(uint64_t flag2) const { return (flags2 & flag2) != 0; }
};

void VerifyIdentity(const Subject& s, InodeNumber number, Bytes inode,
                    Checker& check) {
  if (s.disk.version < 3) return;
  if (!MetadataCrcMatches(inode, offsetof(DiskInode, crc))) {
    check.EqualHex("crc", s.disk.crc.value(),
                   MetadataCrc(inode, offsetof(DiskInode, crc)));
  }
  if (check.done()) return;
  check.Equal("ino", s.disk.ino.value(), number.value);
  if (!std::equal(s.geometry.meta_uuid.begin(), s.geometry.meta_uuid.end(),
                  s.disk.uuid)) {
    check.Fail("uuid", RenderUuid(s.disk.uuid),
               RenderUuid(s.geometry.meta_uuid));
  }
}

void VerifySizeAndLinks(const Subject& s, Checker& check) {
  // Version 1 counted links in onlink; old tools filled both fields there.
  if (s.disk.version >= 2 && !s.has(kInodeFlag2Metadata)) {
    check.Equal("onlink", s.disk.onlink.value(), 0);
  }
  check.That(s.size >> 63 == 0, "size", s.size, "at most 2^63 - 1");
  if (check.done()) return;
  const uint32_t links =
      s.disk.version == 1 ? s.disk.onlink.value() : s.disk.nlink.value();
  if (s.type == kModeDirectory || s.type == kModeSymlink) {
    check.That(s.size != 0 || links == 0, "size", s.size,
               "more than 0 for a directory or symlink");
  }
}

void VerifyCounts(const Subject& s, Checker& check) {
  if (s.has(kInodeFlag2Nrext64)) {
    check.That(s.geometry.features.nrext64, "flags2", s.flags2,
               "no nrext64 flag, the image lacks the feature");
    check.Equal("nrext64_pad", s.disk.anextents.value(), 0);
  } else if (s.disk.version >= 3) {
    check.Equal("v3_pad", s.disk.big_nextents.value(), 0);
  }
  if (check.done()) return;
  const uint64_t blocks = s.disk.nblocks.value();
  if (s.mode != 0) {
    // The sum cannot overflow where both addends are within the sum's limit.
    if (check.AtMost("nextents", s.data_extents, blocks)) {
      check.AtMost("anextents", s.attribute_extents, blocks - s.data_extents);
    }
  }
  if (s.type == kModeDirectory) {
    check.AtMost("nextents", s.data_extents,
                 kDirectorySpaceBytes >> s.geometry.block_log);
  }
  if (s.disk.version >= 3 && s.data_extents == 0 && s.attribute_extents == 0 &&
      s.disk.format != static_cast<uint8_t>(ForkFormat::kMetaBtree)) {
    check.Equal("nblocks", blocks, 0);
  }
}

void VerifyForkOffset(const Subject& s, Checker& check) {
  if (s.disk.forkoff == 0) return;
  switch (static_cast<ForkFormat>(s.disk.format)) {
    case ForkFormat::kDevice:
      check.Equal("forkoff", s.disk.forkoff, 1);
      break;
    case ForkFormat::kLocal:
    case ForkFormat::kExtents:
    case ForkFormat::kBtree:
    case ForkFormat::kMetaBtree:
      check.Less("forkoff", s.disk.forkoff, s.literal_bytes / 8);
      break;
    default:
      check.That(false, "format", s.disk.format,
                 "device, local, extents or btree");
  }
}

// How many records the fork can have in its format.
void VerifyExtentCount(const Subject& s, Fork fork, ForkFormat format,
                       uint64_t extents, uint32_t fork_bytes, Checker& check) {
  const std::string_view field = fork == Fork::kData ? "nextents" : "anextents";
  if (format == ForkFormat::kLocal) check.Equal(field, extents, 0);
  if (format == ForkFormat::kExtents) {
    check.AtMost(field, extents, fork_bytes / sizeof(DiskExtent));
  }
  if (format == ForkFormat::kBtree) {
    const bool large = s.has(kInodeFlag2Nrext64);
    const int bits = fork == Fork::kData ? (large ? 48 : 31) : large ? 32 : 15;
    check.AtMost(field, extents, (uint64_t{1} << bits) - 1);
  }
}

void VerifyDataFork(const Subject& s, Checker& check) {
  const auto format = static_cast<ForkFormat>(s.disk.format);
  if (s.type != kModeRegular && s.type != kModeDirectory &&
      s.type != kModeSymlink) {
    check.Equal("format", s.disk.format,
                static_cast<uint8_t>(ForkFormat::kDevice));
    return;
  }
  const bool fits = s.size <= s.data_bytes;
  switch (format) {
    case ForkFormat::kLocal:
      check.That(s.type != kModeRegular, "format", s.disk.format,
                 "extents or btree for a regular file");
      check.AtMost("size", s.size, s.data_bytes);
      break;
    case ForkFormat::kExtents:
      // A symlink may have moved out for attributes that are gone since.
      check.That(s.type != kModeDirectory || s.size == 0 || !fits, "format",
                 s.disk.format, "local, the directory fits in the inode");
      break;
    case ForkFormat::kBtree:
      check.That(s.type == kModeRegular || s.size == 0 || !fits, "format",
                 s.disk.format, "local, the content fits in the inode");
      break;
    case ForkFormat::kMetaBtree:
      check.That(s.geometry.features.metadir && s.has(kInodeFlag2Metadata) &&
                     s.type == kModeRegular,
                 "format", s.disk.format, "a metadata file's format");
      break;
    default:
      check.That(false, "format", s.disk.format, "local, extents or btree");
  }
  if (check.done()) return;
  VerifyExtentCount(s, Fork::kData, format, s.data_extents, s.data_bytes,
                    check);
}

void VerifyAttributeFork(const Subject& s, Checker& check) {
  const auto format = static_cast<ForkFormat>(s.disk.aformat);
  if (s.disk.forkoff == 0) {
    // 0 in inodes that were never used.
    check.That(s.disk.aformat == 0 || format == ForkFormat::kExtents, "aformat",
               s.disk.aformat, "extents, there is no attribute fork");
    check.Equal("anextents", s.attribute_extents, 0);
    return;
  }
  if (!check.That(format == ForkFormat::kLocal ||
                      format == ForkFormat::kExtents ||
                      format == ForkFormat::kBtree,
                  "aformat", s.disk.aformat, "local, extents or btree")) {
    return;
  }
  VerifyExtentCount(s, Fork::kAttribute, format, s.attribute_extents,
                    s.literal_bytes - s.data_bytes, check);
}

// A hint in blocks that goes with a flag.
void VerifyHint(const Subject& s, std::string_view field, uint32_t hint,
                bool flag, bool type_fits, bool realtime, Checker& check) {
  if (flag) {
    check.That(type_fits, "flags", s.flags,
               "no extent size hint for this file type");
    check.AtLeast(field, hint, 1);
  } else if (s.mode != 0) {  // a free inode keeps its old hint
    check.Equal(field, hint, 0);
  }
  check.AtMost(field, hint, kMaxExtentLength);
  if (!realtime) check.AtMost(field, hint, s.geometry.ag_blocks / 2);
}

void VerifyHints(const Subject& s, Checker& check) {
  const bool realtime = (s.flags & kInodeFlagRealtime) != 0;
  const bool hint = (s.flags & kInodeFlagExtentSize) != 0;
  const bool inherit = (s.flags & kInodeFlagExtentSizeInherit) != 0;
  VerifyHint(s, "extsize", s.disk.extsize.value(), hint || inherit,
             (!hint || s.type == kModeRegular) &&
                 (!inherit || s.type == kModeDirectory),
             realtime, check);
  if (s.disk.version < 3 || check.done()) return;
  VerifyHint(s, "cowextsize", s.disk.cowextsize.value(),
             s.has(kInodeFlag2CowExtentSize),
             s.type == kModeRegular || s.type == kModeDirectory, realtime,
             check);
}

void VerifyFlags(const Subject& s, Checker& check) {
  const bool realtime = (s.flags & kInodeFlagRealtime) != 0;
  if (s.mode != 0) {
    check.That(!realtime || s.geometry.realtime_blocks != 0, "flags", s.flags,
               "no realtime flag, there is no realtime device");
  }
  if (s.has(kInodeFlag2Reflink | kInodeFlag2CowExtentSize)) {
    check.That(s.geometry.features.reflink, "flags2", s.flags2,
               "no reflink flags, the image lacks the feature");
  }
  if (s.has(kInodeFlag2Reflink)) {
    check.That(s.type == kModeRegular, "flags2", s.flags2,
               "no reflink flag but on regular files");
    check.That(!realtime || s.geometry.features.metadir, "flags2", s.flags2,
               "no reflink flag on a realtime file");
  }
  if (s.has(kInodeFlag2Bigtime)) {
    check.That(s.geometry.features.bigtime, "flags2", s.flags2,
               "no bigtime flag, the image lacks the feature");
  }
}

void VerifyMetadataFlag(const Subject& s, Checker& check) {
  if (!s.has(kInodeFlag2Metadata)) return;
  if (!check.That(s.geometry.features.metadir, "flags2", s.flags2,
                  "no metadata flag, the image lacks the feature")) {
    return;
  }
  check.Less("metatype", s.disk.onlink.value(), kMetadataTypes);
  check.That(s.type == kModeDirectory || s.type == kModeRegular, "mode", s.mode,
             "a directory or regular file");
  check.That((s.mode & 0777) == 0, "mode", s.mode, "no permissions");
  check.Equal("dmevmask", s.disk.dmevmask.value(), 0);
  check.Equal("dmstate", s.disk.dmstate.value(), 0);
  check.Equal("uid", s.disk.uid.value(), 0);
  check.Equal("gid", s.disk.gid.value(), 0);
  const uint16_t must =
      s.type == kModeDirectory ? kMetadataDirectoryFlags : kMetadataFileFlags;
  check.That((s.flags & must) == must, "flags", s.flags,
             "all flags that a metadata inode carries");
  check.That(!s.has(kInodeFlag2Dax), "flags2", s.flags2, "no DAX");
}

// The kernel takes any value; no clock reads one, so we call it damage.
void VerifyTimes(const Subject& s, Checker& check) {
  if (s.mode == 0 || s.has(kInodeFlag2Bigtime)) return;
  const auto nanoseconds = [](const Be64& time) {
    return DecodeLegacyTimestamp(time.value()).nanoseconds;
  };
  check.Less("atime", nanoseconds(s.disk.atime), kNanosecondsPerSecond);
  check.Less("mtime", nanoseconds(s.disk.mtime), kNanosecondsPerSecond);
  check.Less("ctime", nanoseconds(s.disk.ctime), kNanosecondsPerSecond);
  if (s.disk.version >= 3) {
    check.Less("crtime", nanoseconds(s.disk.crtime), kNanosecondsPerSecond);
  }
}

void VerifyFork(const Geometry& geometry, const InodeCore& core, Fork fork,
                Bytes area, Checker& check) {
  const bool data = fork == Fork::kData;
  const ForkFormat format = data ? core.data_format : core.attribute_format;
  const uint64_t extents = data ? core.data_extents : core.attribute_extents;
  if (format == ForkFormat::kBtree) {
    VerifyExtentRoot(geometry, area, extents, core.nblocks, check);
  } else if (format == ForkFormat::kExtents) {
    for (uint64_t i = 0; i < extents && !check.done(); ++i) {
      VerifyExtent(geometry, fork, core.is_realtime(),
                   UnpackExtent(View<DiskExtent>(area, i * sizeof(DiskExtent))),
                   check);
    }
  } else if (format == ForkFormat::kLocal && !data) {
    VerifyAttributeShortForm(geometry, area, check);
  } else if (format == ForkFormat::kLocal && core.is_directory()) {
    VerifyDirectoryShortForm(geometry, area.first(core.size), check);
  } else if (format == ForkFormat::kLocal && core.is_symlink()) {
    const Bytes target = area.first(core.size);
    check.That(std::find(target.begin(), target.end(), 0) == target.end(),
               "target", 0, "no zero byte");
  }
}

}  // namespace

void VerifyInodeInCluster(const Geometry& geometry, AgNumber ag, Bytes inode,
                          Checker& check) {
  const auto& disk = View<DiskInode>(inode);
  check.EqualHex("magic", disk.magic.value(), kInodeMagic);
  check.That(GoodVersion(geometry, disk.version), "version", disk.version,
             geometry.features.crc ? "3" : "1 or 2");
  const uint32_t next = disk.next_unlinked.value();
  check.That(next == kNullAgInode ||
                 ((next >> geometry.ag_inode_log()) == 0 &&
                  geometry.IsValid(geometry.ToInodeNumber(ag, AgInode(next)))),
             "next_unlinked", next, "none, or an inode of the same AG");
}

void VerifyInode(const Geometry& geometry, InodeNumber number, Bytes inode,
                 Checker& check) {
  if (!check.Equal("inode size", inode.size(), geometry.inode_size)) return;
  const auto& disk = View<DiskInode>(inode);
  check.EqualHex("magic", disk.magic.value(), kInodeMagic);
  if (check.done()) return;
  // The version says where everything stands.
  if (!check.That(GoodVersion(geometry, disk.version), "version", disk.version,
                  geometry.features.crc ? "3" : "1 or 2")) {
    return;
  }
  const uint32_t literal = geometry.inode_size - InodeCoreSize(disk.version);
  const uint32_t fork_offset = disk.forkoff * 8u;
  const uint16_t mode = disk.mode.value();
  const Subject s{geometry,
                  disk,
                  mode,
                  static_cast<uint16_t>(mode & kModeTypeMask),
                  disk.flags.value(),
                  disk.version >= 3 ? disk.flags2.value() : 0,
                  disk.size.value(),
                  DataExtentCount(disk),
                  AttributeExtentCount(disk),
                  literal,
                  fork_offset == 0 ? literal : std::min(fork_offset, literal)};
  VerifyIdentity(s, number, inode, check);
  if (check.done()) return;
  if (!check.That(mode == 0 || IsKnownType(mode), "mode", mode,
                  "one of the seven file types")) {
    return;
  }
  VerifySizeAndLinks(s, check);
  if (check.done()) return;
  VerifyCounts(s, check);
  if (check.done()) return;
  VerifyForkOffset(s, check);
  if (check.done()) return;
  if (mode != 0) VerifyDataFork(s, check);
  if (check.done()) return;
  VerifyAttributeFork(s, check);
  if (check.done()) return;
  VerifyFlags(s, check);
  VerifyHints(s, check);
  VerifyMetadataFlag(s, check);
  VerifyTimes(s, check);
}

void VerifyInodeForks(const Geometry& geometry, const InodeCore& core,
                      Bytes inode, Checker& check) {
  VerifyFork(geometry, core, Fork::kData, DataFork(core, inode), check);
  if (check.done() || !core.has_attribute_fork()) return;
  VerifyFork(geometry, core, Fork::kAttribute, AttributeFork(core, inode),
             check);
}

}  // namespace ondisk
