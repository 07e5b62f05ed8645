// SPDX-License-Identifier: GPL-2.0-or-later
// The superblock's field table, and its rendering for `ondisk explain`.
#include <algorithm>

#include "libondisk/features.h"
#include "libondisk/superblock.h"

namespace ondisk {
namespace {

constexpr NamedValue kVersionNames[] = {
    {kVersionAttr, "attr", "an extended attribute was written once"},
    {kVersionNlink, "nlink", "32-bit link counts"},
    {kVersionQuota, "quota", "quota inodes exist"},
    {kVersionAlign, "align", "inode chunks are aligned"},
    {kVersionDalign, "dalign", "stripe unit and width are set"},
    {kVersionShared, "shared", "never used"},
    {kVersionLogV2, "logv2", "version 2 log"},
    {kVersionSector, "sector", "sectors are not 512 bytes"},
    {kVersionExtentFlag, "extflg", "extents may be unwritten"},
    {kVersionDirV2, "dirv2", "version 2 directories"},
    {kVersionAsciiCi, "asciici", "names compare without case"},
    {kVersionMoreBits, "morebits", "features2 is in use"},
};

constexpr NamedValue kFeatures2Names[] = {
    {kFeatures2LazyCounters, "lazysbcount", "counters are exact at unmount"},
    {kFeatures2Attr2, "attr2", "the attribute fork's place varies"},
    {kFeatures2ProjectId32, "projid32", "32-bit project ids"},
    {kFeatures2Crc, "crc", "checksummed metadata"},
    {kFeatures2Ftype, "ftype", "directory entries carry the file type"},
};

constexpr NamedValue kQuotaFlagNames[] = {
    {0x0001, "uquota_acct"}, {0x0002, "uquota_enfd"}, {0x0004, "uquota_chkd"},
    {0x0008, "pquota_acct"}, {0x0010, "oquota_enfd"}, {0x0020, "oquota_chkd"},
    {0x0040, "gquota_acct"}, {0x0080, "gquota_enfd"}, {0x0100, "gquota_chkd"},
    {0x0200, "pquota_enfd"}, {0x0400, "pquota_chkd"},
};

#define ROW(member, kind, meaning, ...) \
  ONDISK_FIELD(Superblock, member, kind, meaning __VA_OPT__(, ) __VA_ARGS__)

const Field kFields[] = {
    ROW(magicnum, kMagic, "says that this is a superblock"),
    ROW(blocksize, kUnsigned, "bytes of a filesystem block"),
    ROW(dblocks, kUnsigned, "blocks of the data device"),
    ROW(rblocks, kUnsigned, "blocks of the realtime device"),
    ROW(rextents, kUnsigned, "extents of the realtime device"),
    ROW(uuid, kUuid, "the image's identity, as users see it"),
    ROW(logstart, kUnsigned, "first block of the log; 0: on another device"),
    ROW(rootino, kUnsigned, "inode of the root directory"),
    ROW(rbmino, kUnsigned, "inode of the realtime bitmap"),
    ROW(rsumino, kUnsigned, "inode of the realtime summary"),
    ROW(rextsize, kUnsigned, "blocks of a realtime extent"),
    ROW(agblocks, kUnsigned, "blocks of every allocation group but the last"),
    ROW(agcount, kUnsigned, "number of allocation groups"),
    ROW(rbmblocks, kUnsigned, "blocks of the realtime bitmap"),
    ROW(logblocks, kUnsigned, "blocks of the log"),
    ROW(versionnum, kFlags, "version (low four bits) and V4 features",
        kVersionNames),
    ROW(sectsize, kUnsigned, "bytes of a sector"),
    ROW(inodesize, kUnsigned, "bytes of an inode"),
    ROW(inopblock, kUnsigned, "inodes in a block"),
    ROW(fname, kText, "the volume's label"),
    ROW(blocklog, kUnsigned, "log2 of blocksize"),
    ROW(sectlog, kUnsigned, "log2 of sectsize"),
    ROW(inodelog, kUnsigned, "log2 of inodesize"),
    ROW(inopblog, kUnsigned, "log2 of inopblock"),
    ROW(agblklog, kUnsigned, "log2 of agblocks, rounded up"),
    ROW(rextslog, kUnsigned, "log2 of rextents"),
    ROW(inprogress, kUnsigned, "1 while mkfs or growfs is at work"),
    ROW(imax_pct, kUnsigned, "percent of space that inodes may take; 0: all"),
    ROW(icount, kUnsigned, "allocated inodes"),
    ROW(ifree, kUnsigned, "of those, unused"),
    ROW(fdblocks, kUnsigned, "free blocks"),
    ROW(frextents, kUnsigned, "free realtime extents"),
    ROW(uquotino, kUnsigned, "inode of the user quotas"),
    ROW(gquotino, kUnsigned, "inode of the group quotas"),
    ROW(qflags, kFlags, "which quotas are accounted and enforced",
        kQuotaFlagNames),
    ROW(flags, kHex, "1: only read-only mounts"),
    ROW(shared_vn, kUnsigned, "always 0"),
    ROW(inoalignmt, kUnsigned, "alignment of inode chunks, blocks"),
    ROW(unit, kUnsigned, "stripe unit, blocks"),
    ROW(width, kUnsigned, "stripe width, blocks"),
    ROW(dirblklog, kUnsigned, "log2 of blocks in a directory block"),
    ROW(logsectlog, kUnsigned, "log2 of logsectsize"),
    ROW(logsectsize, kUnsigned, "bytes of a log sector; 0: 512"),
    ROW(logsunit, kUnsigned, "log stripe unit, bytes; 0 or 1: none"),
    ROW(features2, kFlags, "more V4 features", kFeatures2Names),
    ROW(bad_features2, kFlags, "the same word where old kernels misplaced it",
        kFeatures2Names),
    ROW(features_compat, kFlags, "features that old drivers may ignore"),
    ROW(features_ro_compat, kFlags, "unknown bits here forbid writing",
        kRoCompatNames),
    ROW(features_incompat, kFlags, "unknown bits here forbid any use",
        kIncompatNames),
    ROW(features_log_incompat, kFlags, "unknown bits here forbid recovery",
        kLogIncompatNames),
    ROW(crc, kCrc, "checksum of the sector"),
    ROW(spino_align, kUnsigned, "alignment of sparse inode chunks, blocks"),
    ROW(pquotino, kUnsigned, "inode of the project quotas"),
    ROW(lsn, kBlockLsn, "the log record that last wrote this"),
    ROW(meta_uuid, kUuid, "identity that metadata carries (meta_uuid only)"),
    ROW(metadirino, kUnsigned, "root of the metadata directory (metadir only)"),
    ROW(rgcount, kUnsigned, "number of realtime groups"),
    ROW(rgextents, kUnsigned, "realtime extents of a realtime group"),
    ROW(rgblklog, kUnsigned, "log2 of a realtime group's blocks, rounded up"),
    ROW(pad, kPadding, "zero"),
    ROW(rtstart, kUnsigned, "first block of the realtime section (zoned only)"),
    ROW(rtreserved, kUnsigned, "reserved realtime blocks (zoned only)"),
};
#undef ROW

constexpr std::string_view kAbout =
    "The first sector of an allocation group. The one of group 0 describes the "
    "whole image: sizes, features, where the root directory and the log are.";

// Rows that V4 does not have show whatever lies there; leave them out.
Explanation Rows(Bytes bytes, Where where) {
  const bool v5 =
      bytes.size() >= sizeof(Superblock) && View<Superblock>(bytes).is_v5();
  const Bytes shown =
      v5 ? bytes
         : bytes.first(
               std::min(bytes.size(), offsetof(Superblock, features_compat)));
  return ExplainTable(kSuperblockFields, shown, 0, where);
}

}  // namespace

const FieldTable kSuperblockFields = {"superblock", kAbout, sizeof(Superblock),
                                      kFields};

Explanation ExplainSuperblock(Bytes bytes, uint64_t device_bytes) {
  const Where where = Where::Disk(DiskAddress(0));
  Explanation explanation = Rows(bytes, where);
  Checker check(kSuperblockFields.structure, where,
                Checker::Mode::kAllFindings);
  VerifySuperblock(bytes, device_bytes, check);
  AttachFindings(check, explanation);
  return explanation;
}

Explanation ExplainSecondarySuperblock(Bytes sector, AgNumber ag,
                                       const Superblock& primary,
                                       const Geometry& geometry) {
  const Where where = Where::Disk(geometry.SuperblockAddress(ag));
  Explanation explanation = Rows(sector, where);
  Checker check(kSuperblockFields.structure, where,
                Checker::Mode::kAllFindings);
  VerifySecondarySuperblock(sector, primary, geometry, check);
  AttachFindings(check, explanation);
  return explanation;
}

}  // namespace ondisk
