// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/superblock.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "libondisk/features.h"

namespace ondisk {
namespace {

Features FeaturesOf(const Superblock& sb) {
  const uint16_t version = sb.versionnum.value();
  // Old kernels wrote the second word at the wrong place; both count.
  const uint32_t features2 =
      (version & kVersionMoreBits) != 0
          ? sb.features2.value() | (sb.is_v5() ? 0 : sb.bad_features2.value())
          : 0;
  const uint32_t incompat = sb.is_v5() ? sb.features_incompat.value() : 0;
  const uint32_t ro_compat = sb.is_v5() ? sb.features_ro_compat.value() : 0;

  Features f;
  f.crc = sb.is_v5();
  f.ftype = (incompat & kIncompatFtype) != 0 ||
            (!f.crc && (features2 & kFeatures2Ftype) != 0);
  f.finobt = (ro_compat & kRoCompatFinobt) != 0;
  f.rmapbt = (ro_compat & kRoCompatRmapbt) != 0;
  f.reflink = (ro_compat & kRoCompatReflink) != 0;
  f.inobtcount = (ro_compat & kRoCompatInobtcount) != 0;
  f.sparse_inodes = (incompat & kIncompatSparseInodes) != 0;
  f.meta_uuid = (incompat & kIncompatMetaUuid) != 0;
  f.bigtime = (incompat & kIncompatBigtime) != 0;
  f.needs_repair = (incompat & kIncompatNeedsRepair) != 0;
  f.nrext64 = (incompat & kIncompatNrext64) != 0;
  f.exchange = (incompat & kIncompatExchange) != 0;
  f.parent = (incompat & kIncompatParent) != 0;
  f.metadir = (incompat & kIncompatMetadir) != 0;
  f.attr2 = f.crc || (features2 & kFeatures2Attr2) != 0;
  f.has_attr = (version & kVersionAttr) != 0;
  f.lazy_counters = f.crc || (features2 & kFeatures2LazyCounters) != 0;
  f.project32 = f.crc || (features2 & kFeatures2ProjectId32) != 0;
  f.ascii_ci = (version & kVersionAsciiCi) != 0;
  f.log_v2 = f.crc || (version & kVersionLogV2) != 0;
  f.extent_flag = f.crc || (version & kVersionExtentFlag) != 0;
  f.quota = (version & kVersionQuota) != 0;
  f.aligned_inodes = f.crc || (version & kVersionAlign) != 0;
  f.nlink32 = f.crc || (version & kVersionNlink) != 0;
  return f;
}

InodeNumber QuotaInode(const Be64& field) {
  // Old mkfs wrote 0 for "none".
  return InodeNumber(field.value() == 0 ? kNullInode : field.value());
}

// REQUIRES: VerifySuperblock has passed.
Geometry GeometryOf(const Superblock& sb) {
  Geometry g;
  g.features = FeaturesOf(sb);
  g.block_size = sb.blocksize.value();
  g.sector_size = sb.sectsize.value();
  g.inode_size = sb.inodesize.value();
  g.directory_block_log = static_cast<uint8_t>(sb.blocklog + sb.dirblklog);
  g.directory_block_size = 1u << g.directory_block_log;
  g.inodes_per_block = sb.inopblock.value();
  g.block_log = sb.blocklog;
  g.sector_log = sb.sectlog;
  g.inode_log = sb.inodelog;
  g.inodes_per_block_log = sb.inopblog;
  g.ag_block_log = sb.agblklog;
  g.ag_count = sb.agcount.value();
  g.ag_blocks = sb.agblocks.value();
  g.data_blocks = sb.dblocks.value();

  g.log_start = sb.logstart.value();
  g.log_blocks = sb.logblocks.value();
  g.log_sector_size =
      sb.logsectsize.value() == 0 ? kDiskAddressUnit : sb.logsectsize.value();
  g.log_stripe_unit = sb.logsunit.value();

  g.root_inode = InodeNumber(sb.rootino.value());
  g.metadata_root_inode =
      InodeNumber(g.features.metadir ? sb.metadirino.value() : kNullInode);
  g.realtime_bitmap_inode = InodeNumber(sb.rbmino.value());
  g.realtime_summary_inode = InodeNumber(sb.rsumino.value());
  g.user_quota_inode = QuotaInode(sb.uquotino);
  g.group_quota_inode = QuotaInode(sb.gquotino);
  // V4 keeps group or project quotas in gquotino, as qflags say.
  g.project_quota_inode =
      sb.is_v5() ? QuotaInode(sb.pquotino) : InodeNumber(kNullInode);
  constexpr uint16_t kProjectQuotaAccounted = 0x0008;
  if (!sb.is_v5() && (sb.qflags.value() & kProjectQuotaAccounted) != 0) {
    std::swap(g.group_quota_inode, g.project_quota_inode);
  }
  g.inode_alignment = g.features.aligned_inodes ? sb.inoalignmt.value() : 0;
  g.sparse_inode_alignment =
      g.features.sparse_inodes ? sb.spino_align.value() : 0;
  g.inode_max_percent = sb.imax_pct;
  g.realtime_blocks = sb.rblocks.value();
  g.uuid = sb.uuid;
  g.meta_uuid = g.features.meta_uuid ? sb.meta_uuid : sb.uuid;
  return g;
}

absl::Status NotXfs(std::string_view why) {
  return PosixError(EINVAL, fmt::format("not an XFS image: {}", why));
}

}  // namespace

absl::StatusOr<Geometry> GeometryFromSuperblock(Bytes bytes,
                                                uint64_t device_bytes) {
  if (bytes.empty()) return NotXfs("it is empty");
  if (bytes.size() < kDiskAddressUnit) {
    return NotXfs(fmt::format("it has only {} bytes", bytes.size()));
  }
  const Superblock& sb = View<Superblock>(bytes);
  if (sb.magicnum.value() != kSuperblockMagic) {
    return NotXfs(
        fmt::format("its first bytes are {}, expected {:#x} \"XFSB\"{}",
                    RenderHex(bytes.first(4)), kSuperblockMagic,
                    sb.magicnum.value() == 0
                        ? " (a copy of the superblock may be left in another "
                          "allocation group: xfs_repair looks for it)"
                        : ""));
  }
  if (sb.version() < 4) {
    return UnsupportedError(
        fmt::format("XFS version {} is not supported: only versions 4 and 5",
                    sb.version()));
  }

  Checker check(kSuperblockFields.structure, Where::Disk(DiskAddress(0)));
  VerifySuperblock(bytes, device_bytes, check);
  if (check.failed()) {
    // An unknown feature is not damage. Feature words are checked right after
    // the checksum, so what they say is what was written.
    const uint32_t unknown = UnknownIncompat(sb);
    if (unknown != 0 && check.findings().front().field == "features_incompat") {
      return UnsupportedError(
          fmt::format("the image has features that this program cannot read: "
                      "incompat {}",
                      NameBits(unknown, kIncompatNames)));
    }
    return check.status();
  }
  return GeometryOf(sb);
}

absl::Status CheckMountable(const Superblock& sb, const MountRequest& request) {
  const uint32_t incompat = sb.is_v5() ? sb.features_incompat.value() : 0;
  if ((incompat & kIncompatNeedsRepair) != 0) {
    return PosixError(EUCLEAN,
                      "the image is marked needsrepair (incompat bit 4): run "
                      "xfs_repair first");
  }
  if (sb.inprogress != 0) {
    return CorruptionError(
        kSuperblockFields.structure, Where::Disk(DiskAddress(0)), "inprogress",
        fmt::to_string(sb.inprogress), "0: mkfs or growfs was interrupted");
  }
  if (sb.logstart.value() == 0 && !request.has_log_device) {
    return PosixError(EINVAL,
                      "the image keeps its log on another device: name it "
                      "with logdev=");
  }
  if (sb.logstart.value() != 0 && request.has_log_device) {
    return PosixError(EINVAL,
                      "the image has a log of its own: logdev= must not be "
                      "given");
  }
  if (request.read_only) return absl::OkStatus();
  if (!sb.is_v5()) {
    return PosixError(EROFS,
                      "V4 images are read, not written: mount with -o ro");
  }
  if (const uint32_t unknown = UnknownRoCompat(sb); unknown != 0) {
    return PosixError(
        EROFS, fmt::format("the image has features that this program cannot "
                           "write: ro-compat {}; mount with -o ro",
                           NameBits(unknown, kRoCompatNames)));
  }
  return absl::OkStatus();
}

absl::Status CheckLogRecoverable(const Superblock& sb) {
  const uint32_t unknown = UnknownLogIncompat(sb);
  if (unknown == 0) return absl::OkStatus();
  return UnsupportedError(
      fmt::format("the log must not be replayed: unknown log-incompat {}",
                  NameBits(unknown, kLogIncompatNames)));
}

uint32_t UnknownIncompat(const Superblock& sb) {
  return sb.is_v5() ? sb.features_incompat.value() & ~kIncompatKnown : 0;
}

uint32_t UnknownRoCompat(const Superblock& sb) {
  return sb.is_v5() ? sb.features_ro_compat.value() & ~kRoCompatKnown : 0;
}

uint32_t UnknownLogIncompat(const Superblock& sb) {
  return sb.is_v5() ? sb.features_log_incompat.value() & ~kLogIncompatKnown : 0;
}

std::string NameBits(uint32_t bits, std::span<const NamedValue> names) {
  std::string text;
  for (uint32_t bit = 0; bit < 32; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    if (!text.empty()) text += ", ";
    std::string_view name;
    for (const NamedValue& known : names) {
      if (known.value == uint64_t{1} << bit) name = known.name;
    }
    text += name.empty() ? fmt::format("bit {} ({:#x})", bit, 1u << bit)
                         : fmt::format("{} (bit {})", name, bit);
  }
  return text;
}

std::string VolumeLabel(const Superblock& sb) {
  return std::string(sb.fname, strnlen(sb.fname, sizeof(sb.fname)));
}

}  // namespace ondisk
