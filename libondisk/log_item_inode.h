// SPDX-License-Identifier: GPL-2.0-or-later
// The inode item: an inode's core and the forks that changed.
//
// Regions: the format, the core, then the data fork and the attribute fork if
// ilf_fields says so. The format comes in two forms, told apart by size: 32-bit
// kernels wrote it without the padding before ilf_ino.
//
// The logged core has the layout of the disk inode (inode_core.h), but in the
// writer's byte order; its forks are as they stand on disk, except that a btree
// root is the in-memory form. di_lsn and di_crc of the logged core mean
// nothing. Without the V3 part it ends before di_next_unlinked.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_inode_log_format,
// xfs_log_dinode), fs/xfs/xfs_inode_item_recover.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_INODE_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_INODE_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/log_item.h"

namespace ondisk {

// ilf_fields
inline constexpr uint32_t kLogInodeCore = 0x001;
inline constexpr uint32_t kLogInodeDataLocal = 0x002;
inline constexpr uint32_t kLogInodeDataExtents = 0x004;
inline constexpr uint32_t kLogInodeDataRoot = 0x008;
inline constexpr uint32_t kLogInodeDevice = 0x010;
inline constexpr uint32_t kLogInodeUuid = 0x020;  // never used
inline constexpr uint32_t kLogInodeAttributeLocal = 0x040;
inline constexpr uint32_t kLogInodeAttributeExtents = 0x080;
inline constexpr uint32_t kLogInodeAttributeRoot = 0x100;
inline constexpr uint32_t kLogInodeDataOwner = 0x200;
inline constexpr uint32_t kLogInodeAttributeOwner = 0x400;
inline constexpr uint32_t kLogInodeDataFork =
    kLogInodeDataLocal | kLogInodeDataExtents | kLogInodeDataRoot;
inline constexpr uint32_t kLogInodeAttributeFork = kLogInodeAttributeLocal |
                                                   kLogInodeAttributeExtents |
                                                   kLogInodeAttributeRoot;
inline constexpr uint32_t kLogInodeKnownFields = 0x7ff;

struct LogInodeFormat {
  Host16 ilf_type;
  Host16 ilf_size;  // regions
  Host32 ilf_fields;
  Host16 ilf_asize;  // bytes of the attribute fork's region
  Host16 ilf_dsize;  // bytes of the data fork's region
  Host32 ilf_pad;
  Host64 ilf_ino;
  Host32 ilf_rdev;  // the rest of a union of 16 bytes follows
  uint8_t ilf_rest[12];
  Host64 ilf_blkno;    // the buffer that holds the inode, 512-byte units
  Host32 ilf_len;      // its length, 512-byte units
  Host32 ilf_boffset;  // bytes from its start to the inode
};
static_assert(sizeof(LogInodeFormat) == 56);
static_assert(offsetof(LogInodeFormat, ilf_ino) == 16);
static_assert(offsetof(LogInodeFormat, ilf_blkno) == 40);

// As 32-bit kernels wrote it.
struct LogInodeFormat32 {
  Host16 ilf_type;
  Host16 ilf_size;
  Host32 ilf_fields;
  Host16 ilf_asize;
  Host16 ilf_dsize;
  Host64 ilf_ino;
  Host32 ilf_rdev;
  uint8_t ilf_rest[12];
  Host64 ilf_blkno;
  Host32 ilf_len;
  Host32 ilf_boffset;
};
static_assert(sizeof(LogInodeFormat32) == 52);
static_assert(offsetof(LogInodeFormat32, ilf_ino) == 12);

struct LogInodeCoreFormat {
  Host16 di_magic;
  Host16 di_mode;
  uint8_t di_version;
  uint8_t di_format;
  Host16 di_metatype;
  Host32 di_uid;
  Host32 di_gid;
  Host32 di_nlink;
  Host16 di_projid_lo;
  Host16 di_projid_hi;
  Host64 di_big_nextents;  // nrext64; else padding
  Host64 di_atime;
  Host64 di_mtime;
  Host64 di_ctime;
  Host64 di_size;
  Host64 di_nblocks;
  Host32 di_extsize;
  Host32 di_nextents;   // nrext64: extents of the attribute fork
  Host16 di_anextents;  // nrext64: padding
  uint8_t di_forkoff;
  uint8_t di_aformat;
  Host32 di_dmevmask;
  Host16 di_dmstate;
  Host16 di_flags;
  Host32 di_gen;
  // ---- version 3 ----
  Host32 di_next_unlinked;
  Host32 di_crc;
  Host64 di_changecount;
  Host64 di_lsn;
  Host64 di_flags2;
  Host32 di_cowextsize;
  uint8_t di_pad2[12];
  Host64 di_crtime;
  Host64 di_ino;
  uint8_t di_uuid[16];
};
static_assert(sizeof(LogInodeCoreFormat) == 176);
static_assert(offsetof(LogInodeCoreFormat, di_size) == 56);
static_assert(offsetof(LogInodeCoreFormat, di_forkoff) == 82);
static_assert(offsetof(LogInodeCoreFormat, di_next_unlinked) == 96);
static_assert(offsetof(LogInodeCoreFormat, di_crtime) == 144);

inline constexpr size_t kLogInodeCoreBytesV2 =
    offsetof(LogInodeCoreFormat, di_next_unlinked);
inline constexpr size_t kLogInodeCoreBytesV3 = sizeof(LogInodeCoreFormat);

extern const FieldTable kLogInodeFormatFields;
extern const FieldTable kLogInodeFormat32Fields;
extern const FieldTable kLogInodeCoreFields;

// Either form of the format, and the regions by name (empty if not there).
struct LogInodeItem {
  uint32_t fields = 0;
  uint32_t data_bytes = 0;
  uint32_t attribute_bytes = 0;
  InodeNumber inode;
  uint32_t device = 0;
  DiskAddress buffer;
  uint32_t buffer_length = 0;  // 512-byte units
  uint32_t buffer_offset = 0;  // bytes
  Bytes core;
  Bytes data;
  Bytes attributes;
};

void VerifyLogInode(const Geometry& geometry, LogRegions regions,
                    Checker& check);
// REQUIRES: VerifyLogInode found nothing.
LogInodeItem ReadLogInode(LogRegions regions);

Explanation ExplainLogInode(const Geometry& geometry, LogRegions regions,
                            uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_INODE_H_
