// SPDX-License-Identifier: GPL-2.0-or-later
// What a superblock must fulfil before any of it is used.
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "libondisk/crc32c.h"
#include "libondisk/features.h"
#include "libondisk/superblock.h"

namespace ondisk {
namespace {

constexpr uint32_t kMinSectorLog = 9, kMaxSectorLog = 15;
constexpr uint32_t kMinBlockLog = 9, kMaxBlockLog = 16;
constexpr uint32_t kMinV5BlockLog = 10;
constexpr uint32_t kMinInodeLog = 8, kMaxInodeLog = 11;
constexpr uint64_t kMinAgBytes = uint64_t{1} << 24;
constexpr uint64_t kMaxAgBytes = uint64_t{1} << 40;
constexpr uint32_t kMinAgBlocks = 64;
constexpr uint64_t kMaxLogBlocks = 1024 * 1024;
constexpr uint64_t kMaxLogBytes = 2 * 1024 * 1024 * uint64_t{1024} - 1;
constexpr uint32_t kMaxLogStripeUnit = 256 * 1024;
constexpr uint64_t kMinRealtimeExtent = 4096;
constexpr uint64_t kMaxRealtimeExtent = uint64_t{1} << 30;
constexpr uint32_t kInodesPerChunk = 64;

constexpr uint16_t kVersionNeededByV5 = kVersionNlink | kVersionAlign |
                                        kVersionLogV2 | kVersionExtentFlag |
                                        kVersionDirV2 | kVersionMoreBits;
constexpr uint16_t kVersionNeededByV4 = kVersionExtentFlag | kVersionDirV2;
constexpr uint32_t kFeatures2NeededByV5 = kFeatures2LazyCounters |
                                          kFeatures2Attr2 |
                                          kFeatures2ProjectId32 | kFeatures2Crc;
constexpr uint32_t kFeatures2KnownV4 = kFeatures2LazyCounters |
                                       kFeatures2Attr2 | kFeatures2ProjectId32 |
                                       kFeatures2Ftype;

constexpr uint16_t kQuotaOtherFlags = 0x0030;     // V4 only
constexpr uint16_t kQuotaSeparateFlags = 0x0780;  // V5 only

uint64_t DivideRoundUp(uint64_t value, uint64_t divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

// floor(log2(value)); 0 for 0.
uint32_t HighBit(uint64_t value) {
  return value == 0 ? 0 : static_cast<uint32_t>(std::bit_width(value)) - 1;
}

// `log` lies in range and `size` is its power of two.
bool PowerOfTwo(Checker& check, std::string_view size_name, uint64_t size,
                std::string_view log_name, uint32_t log, uint32_t low,
                uint32_t high) {
  return check.InRange(log_name, log, low, high) &&
         check.Equal(size_name, size, uint64_t{1} << log);
}

// Magic, version, sector size, checksum: the rest is not looked at without.
bool VerifyFrame(Bytes bytes, const Superblock& sb, Checker& check) {
  if (!check.EqualHex("magicnum", sb.magicnum.value(), kSuperblockMagic) ||
      !check.That(sb.version() == 4 || sb.version() == 5, "versionnum",
                  sb.version(), "version 4 or 5 in the low four bits") ||
      !PowerOfTwo(check, "sectsize", sb.sectsize.value(), "sectlog", sb.sectlog,
                  kMinSectorLog, kMaxSectorLog)) {
    return false;
  }
  const uint32_t sector = sb.sectsize.value();
  if (bytes.size() < sector) {
    return check.Fail(
        "sectsize", fmt::to_string(sector),
        fmt::format("at most {}: the image is cut off there", bytes.size()));
  }
  // A checksum on V4 is the trace of a version number that lost a bit.
  if (!sb.is_v5() && sb.crc.value() == 0) return true;
  return MetadataCrcMatches(bytes.first(sector), kSuperblockCrcOffset) ||
         check.Fail("crc", fmt::format("{:#010x}", sb.crc.value()),
                    fmt::format("{:#010x}", MetadataCrc(bytes.first(sector),
                                                        kSuperblockCrcOffset)));
}

void VerifyFeatureWords(const Superblock& sb, Checker& check) {
  const uint16_t version = sb.versionnum.value();
  check.That((version & kVersionShared) == 0, "versionnum", version,
             "the shared bit (0x200) is not set");
  const uint32_t needed = sb.is_v5() ? kVersionNeededByV5 : kVersionNeededByV4;
  check.That((version & needed) == needed, "versionnum", version,
             fmt::format("bits {:#x} are set", needed));
  const uint32_t features2 = sb.features2.value();
  if (sb.is_v5()) {
    check.That((features2 & kFeatures2NeededByV5) == kFeatures2NeededByV5,
               "features2", features2,
               fmt::format("bits {:#x} are set", kFeatures2NeededByV5));
    check.That((features2 & ~(kFeatures2KnownV4 | kFeatures2Crc)) == 0,
               "features2", features2, "no unknown bits");
    if (const uint32_t unknown = UnknownIncompat(sb); unknown != 0) {
      check.Fail("features_incompat",
                 fmt::format("{:#x}", sb.features_incompat.value()),
                 fmt::format("no feature that this program cannot read: {}",
                             NameBits(unknown, kIncompatNames)));
    }
  } else if ((version & kVersionMoreBits) != 0) {
    check.That((features2 & ~kFeatures2KnownV4) == 0, "features2", features2,
               "no unknown bits");
  }
  const uint16_t wrong = sb.is_v5() ? kQuotaOtherFlags : kQuotaSeparateFlags;
  check.That((sb.qflags.value() & wrong) == 0, "qflags", sb.qflags.value(),
             fmt::format("bits {:#x} are not set in this version", wrong));
}

// Sizes of blocks and inodes: all later lines shift and divide by them.
bool VerifySizes(const Superblock& sb, Checker& check) {
  const uint32_t min_block_log = sb.is_v5() ? kMinV5BlockLog : kMinBlockLog;
  if (!PowerOfTwo(check, "blocksize", sb.blocksize.value(), "blocklog",
                  sb.blocklog, min_block_log, kMaxBlockLog) ||
      !check.AtLeast("blocklog", sb.blocklog, sb.sectlog) ||
      !PowerOfTwo(check, "inodesize", sb.inodesize.value(), "inodelog",
                  sb.inodelog, kMinInodeLog, kMaxInodeLog) ||
      !check.AtLeast("blocklog", sb.blocklog, sb.inodelog)) {
    return false;
  }
  const uint32_t per_block_log = sb.blocklog - sb.inodelog;
  const bool holds[] = {
      check.Equal("inopblog", sb.inopblog, per_block_log),
      check.Equal("inopblock", sb.inopblock.value(), 1u << per_block_log),
      check.AtMost("dirblklog", sb.dirblklog, kMaxBlockLog - sb.blocklog),
  };
  return holds[0] && holds[1] && holds[2];
}

// Counts of blocks and groups. REQUIRES: VerifySizes.
bool VerifyGroups(const Superblock& sb, uint64_t device_bytes, Checker& check) {
  const uint64_t ag_blocks = sb.agblocks.value();
  const uint64_t ag_count = sb.agcount.value();
  const uint64_t blocks = sb.dblocks.value();
  if (!check.InRange("agblocks", ag_blocks, kMinAgBytes >> sb.blocklog,
                     kMaxAgBytes >> sb.blocklog) ||
      !check.Equal("agblklog", sb.agblklog, HighBit(ag_blocks - 1) + 1) ||
      !check.AtLeast("agcount", ag_count, 1) ||
      !check.AtMost(
          "dblocks", blocks,
          std::min(ag_count * ag_blocks, (uint64_t{1} << 63) >> sb.blocklog)) ||
      !check.AtLeast("dblocks", blocks,
                     (ag_count - 1) * ag_blocks + kMinAgBlocks)) {
    return false;
  }
  if (device_bytes != 0 && blocks > device_bytes >> sb.blocklog) {
    return check.Fail(
        "dblocks", fmt::format("{} ({} bytes)", blocks, blocks << sb.blocklog),
        fmt::format("at most {}: the image has only {} bytes; it is cut off",
                    device_bytes >> sb.blocklog, device_bytes));
  }
  return true;
}

// [block, block + count) lies within one group. REQUIRES: VerifyGroups.
bool WithinGroup(const Superblock& sb, uint64_t block, uint64_t count) {
  const uint64_t ag = block >> sb.agblklog;
  const uint64_t first = block & ((uint64_t{1} << sb.agblklog) - 1);
  if (ag >= sb.agcount.value()) return false;
  const uint64_t size = std::min<uint64_t>(
      sb.agblocks.value(), sb.dblocks.value() - ag * sb.agblocks.value());
  const uint64_t header = (uint64_t{3} << sb.sectlog) >> sb.blocklog;
  return first > header && first < size && count <= size - first;
}

bool IsInode(const Superblock& sb, uint64_t inode) {
  return WithinGroup(sb, inode >> sb.inopblog, 1);
}

void VerifyInodes(const Superblock& sb, Checker& check) {
  check.That(IsInode(sb, sb.rootino.value()), "rootino", sb.rootino.value(),
             "an inode number within the image");
  check.AtMost("imax_pct", sb.imax_pct, 100);
  check.AtMost("inoalignmt", sb.inoalignmt.value(), sb.agblocks.value());
  const uint32_t incompat = sb.is_v5() ? sb.features_incompat.value() : 0;
  if ((incompat & kIncompatSparseInodes) != 0) {
    const uint32_t chunk =
        (kInodesPerChunk * sb.inodesize.value()) >> sb.blocklog;
    check.Equal("inoalignmt", sb.inoalignmt.value(), chunk);
    // An inode cluster, half a chunk on V5; both are 0 where a block holds
    // more.
    check.Equal("spino_align", sb.spino_align.value(),
                (kInodesPerChunk / 2 * sb.inodesize.value()) >> sb.blocklog);
  }
  if ((incompat & kIncompatMetadir) != 0) {
    check.That(IsInode(sb, sb.metadirino.value()), "metadirino",
               sb.metadirino.value(), "an inode number within the image");
    check.That(std::all_of(sb.pad, sb.pad + sizeof(sb.pad),
                           [](uint8_t byte) { return byte == 0; }),
               "pad", 1, "zero");
  }
  check.Equal("shared_vn", sb.shared_vn, 0);
}

void VerifyLog(const Superblock& sb, Checker& check) {
  const uint64_t blocks = sb.logblocks.value();
  check.InRange("logblocks", blocks, 1,
                std::min(kMaxLogBlocks, kMaxLogBytes >> sb.blocklog));
  const uint64_t start = sb.logstart.value();
  if (start != 0) {
    check.That(WithinGroup(sb, start, blocks), "logstart", start,
               fmt::format("a block with room for the log's {} blocks in its "
                           "allocation group",
                           blocks));
  }
  if ((sb.versionnum.value() & kVersionSector) != 0) {
    PowerOfTwo(check, "logsectsize", sb.logsectsize.value(), "logsectlog",
               sb.logsectlog, kMinSectorLog, sb.sectlog);
  } else {
    check.Equal("logsectlog", sb.logsectlog, 0);
    check.Equal("logsectsize", sb.logsectsize.value(), 0);
  }
  const uint32_t unit = sb.logsunit.value();
  if (unit > 1) {
    check.That(unit % sb.blocksize.value() == 0, "logsunit", unit,
               "a multiple of the block size");
    check.AtMost("logsunit", unit, kMaxLogStripeUnit);
  }
}

void VerifyRealtime(const Superblock& sb, Checker& check) {
  const uint64_t extent_blocks = sb.rextsize.value();
  if (!check.InRange("rextsize", extent_blocks,
                     DivideRoundUp(kMinRealtimeExtent, sb.blocksize.value()),
                     kMaxRealtimeExtent >> sb.blocklog)) {
    return;
  }
  const uint64_t extents = sb.rextents.value();
  if (sb.rblocks.value() == 0) {
    check.Equal("rextents", extents, 0);
    check.Equal("rbmblocks", sb.rbmblocks.value(), 0);
    check.Equal("rextslog", sb.rextslog, 0);
    check.Equal("frextents", sb.frextents.value(), 0);
    return;
  }
  check.Equal("rextents", extents, sb.rblocks.value() / extent_blocks);
  check.Equal("rextslog", sb.rextslog, HighBit(extents));
  const bool metadir =
      sb.is_v5() && (sb.features_incompat.value() & kIncompatMetadir) != 0;
  if (!metadir) {  // with realtime groups each group has a bitmap of its own
    check.Equal("rbmblocks", sb.rbmblocks.value(),
                DivideRoundUp(extents, uint64_t{8} << sb.blocklog));
  } else if (check.AtLeast("rgextents", sb.rgextents.value(), 1)) {
    check.Equal("rgcount", sb.rgcount.value(),
                DivideRoundUp(extents, sb.rgextents.value()));
  }
}

void VerifyStripe(const Superblock& sb, Checker& check) {
  const uint64_t unit = sb.unit.value();
  const uint64_t width = sb.width.value();
  const bool flagged = (sb.versionnum.value() & kVersionDalign) != 0;
  check.That(flagged == (unit != 0), "unit", unit,
             flagged ? "not 0 (versionnum has dalign)"
                     : "0 (versionnum lacks dalign)");
  check.That((unit == 0) == (width == 0) && (unit == 0 || width % unit == 0),
             "width", width, "a multiple of unit");
}

}  // namespace

void VerifySuperblock(Bytes bytes, uint64_t device_bytes, Checker& check) {
  if (bytes.size() < sizeof(Superblock)) {
    check.Fail("size", fmt::format("{} bytes", bytes.size()),
               fmt::format("at least {} bytes", sizeof(Superblock)));
    return;
  }
  const Superblock& sb = View<Superblock>(bytes);
  // A wrong checksum alone does not hide the other findings.
  if (!VerifyFrame(bytes, sb, check) &&
      (check.done() || check.findings().back().field != "crc")) {
    return;
  }
  VerifyFeatureWords(sb, check);
  if (check.done() || !VerifySizes(sb, check) ||
      !VerifyGroups(sb, device_bytes, check)) {
    return;
  }
  VerifyInodes(sb, check);
  VerifyLog(sb, check);
  VerifyRealtime(sb, check);
  VerifyStripe(sb, check);
}

}  // namespace ondisk
