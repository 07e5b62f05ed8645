// SPDX-License-Identifier: GPL-2.0-or-later
// The inode: everything about a file but its names and (mostly) its data.
//
// An inode of 256 to 2048 bytes is a core, then the literal area with the data
// fork, then, from di_forkoff * 8 bytes into that area on, the attribute fork.
// V4 images have inodes of version 1 or 2 (core of 100 bytes), V5 images of
// version 3 (176 bytes, with CRC, own number and UUID).
//
// Two fields change their place or meaning:
//   nrext64 (a flag of the inode): the data extent count moves from nextents to
//     the 64-bit field at byte 24, the attribute extent count from anextents to
//     the 32-bit field at byte 76;
//   metadir (a feature): in metadata inodes onlink holds the metadata type.
//
// Invariants: an InodeCore is made from bytes that VerifyInode accepted, so its
// sizes and offsets lie within the inode. Thread-safety: plain values.
// Source: kernel fs/xfs/libxfs/xfs_format.h (xfs_dinode), xfs_inode_buf.c.
#ifndef FUSEXFS_LIBONDISK_INODE_CORE_H_
#define FUSEXFS_LIBONDISK_INODE_CORE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/extents.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/timestamp.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint16_t kInodeMagic = 0x494e;  // "IN"

// The file type bits of di_mode, as POSIX's S_IFMT has them.
inline constexpr uint16_t kModeTypeMask = 0170000;
inline constexpr uint16_t kModeFifo = 0010000;
inline constexpr uint16_t kModeCharacterDevice = 0020000;
inline constexpr uint16_t kModeDirectory = 0040000;
inline constexpr uint16_t kModeBlockDevice = 0060000;
inline constexpr uint16_t kModeRegular = 0100000;
inline constexpr uint16_t kModeSymlink = 0120000;
inline constexpr uint16_t kModeSocket = 0140000;

// di_flags
inline constexpr uint16_t kInodeFlagRealtime = 1u << 0;
inline constexpr uint16_t kInodeFlagPrealloc = 1u << 1;
inline constexpr uint16_t kInodeFlagNewRealtimeBitmap = 1u << 2;
inline constexpr uint16_t kInodeFlagImmutable = 1u << 3;
inline constexpr uint16_t kInodeFlagAppend = 1u << 4;
inline constexpr uint16_t kInodeFlagSync = 1u << 5;
inline constexpr uint16_t kInodeFlagNoAtime = 1u << 6;
inline constexpr uint16_t kInodeFlagNoDump = 1u << 7;
inline constexpr uint16_t kInodeFlagRealtimeInherit = 1u << 8;
inline constexpr uint16_t kInodeFlagProjectInherit = 1u << 9;
inline constexpr uint16_t kInodeFlagNoSymlinks = 1u << 10;
inline constexpr uint16_t kInodeFlagExtentSize = 1u << 11;
inline constexpr uint16_t kInodeFlagExtentSizeInherit = 1u << 12;
inline constexpr uint16_t kInodeFlagNoDefrag = 1u << 13;
inline constexpr uint16_t kInodeFlagFilestream = 1u << 14;

// di_flags2
inline constexpr uint64_t kInodeFlag2Dax = 1u << 0;
inline constexpr uint64_t kInodeFlag2Reflink = 1u << 1;
inline constexpr uint64_t kInodeFlag2CowExtentSize = 1u << 2;
inline constexpr uint64_t kInodeFlag2Bigtime = 1u << 3;
inline constexpr uint64_t kInodeFlag2Nrext64 = 1u << 4;
inline constexpr uint64_t kInodeFlag2Metadata = 1u << 5;

extern const std::span<const NamedValue> kInodeFlagNames;
extern const std::span<const NamedValue> kInodeFlag2Names;
extern const std::span<const NamedValue> kForkFormatNames;

enum class ForkFormat : uint8_t {
  kDevice = 0,     // a device number
  kLocal = 1,      // the content itself
  kExtents = 2,    // an array of extent records
  kBtree = 3,      // the root of a btree of extent records
  kUuid = 4,       // never used
  kMetaBtree = 5,  // the root of a realtime metadata btree
};

// Names are those of xfs_dinode without "di_".
struct DiskInode {
  Be16 magic;
  Be16 mode;
  uint8_t version;
  uint8_t format;  // of the data fork
  Be16 onlink;     // links in version 1; metadata type in metadata inodes
  Be32 uid;
  Be32 gid;
  Be32 nlink;
  Be16 projid_lo;
  Be16 projid_hi;
  Be64 big_nextents;  // nrext64 inodes; flushiter in its low half before V3
  Be64 atime;
  Be64 mtime;
  Be64 ctime;
  Be64 size;
  Be64 nblocks;
  Be32 extsize;
  Be32 nextents;  // the attribute fork's in nrext64 inodes
  Be16 anextents;
  uint8_t forkoff;  // units of 8 bytes from the end of the core; 0: no fork
  uint8_t aformat;
  Be32 dmevmask;
  Be16 dmstate;
  Be16 flags;
  Be32 gen;
  Be32 next_unlinked;
  // Version 3 only.
  Le32 crc;
  Be64 changecount;
  Be64 lsn;
  Be64 flags2;
  Be32 cowextsize;
  uint8_t pad2[12];
  Be64 crtime;
  Be64 ino;
  uint8_t uuid[16];
};
static_assert(sizeof(DiskInode) == 176 && alignof(DiskInode) == 1);
static_assert(offsetof(DiskInode, big_nextents) == 24);
static_assert(offsetof(DiskInode, size) == 56);
static_assert(offsetof(DiskInode, nextents) == 76);
static_assert(offsetof(DiskInode, forkoff) == 82);
static_assert(offsetof(DiskInode, next_unlinked) == 96);
static_assert(offsetof(DiskInode, crc) == 100);
static_assert(offsetof(DiskInode, flags2) == 120);
static_assert(offsetof(DiskInode, ino) == 152);

// Where the literal area starts.
constexpr uint32_t InodeCoreSize(uint8_t version) {
  return version >= 3 ? sizeof(DiskInode) : offsetof(DiskInode, crc);
}

// Records in each fork, wherever this inode keeps the counts.
inline bool HasWideExtentCounts(const DiskInode& disk) {
  return disk.version >= 3 && (disk.flags2.value() & kInodeFlag2Nrext64) != 0;
}
inline uint64_t DataExtentCount(const DiskInode& disk) {
  return HasWideExtentCounts(disk) ? disk.big_nextents.value()
                                   : disk.nextents.value();
}
inline uint32_t AttributeExtentCount(const DiskInode& disk) {
  return HasWideExtentCounts(disk) ? disk.nextents.value()
                                   : disk.anextents.value();
}

// An inode's core in the host's terms.
struct InodeCore {
  InodeNumber number;
  uint8_t version = 0;
  ForkFormat data_format = ForkFormat::kDevice;
  ForkFormat attribute_format = ForkFormat::kDevice;
  uint16_t mode = 0;  // type and permissions; 0: a free inode
  uint32_t nlink = 0;
  uint32_t uid = 0;
  uint32_t gid = 0;
  uint32_t projid = 0;
  uint32_t generation = 0;
  uint64_t size = 0;     // bytes
  uint64_t nblocks = 0;  // of data, attributes and their btrees
  Timestamp atime, mtime, ctime;
  Timestamp crtime;  // version 3 only
  uint16_t flags = 0;
  uint16_t metadata_type = 0;  // metadata inodes
  uint64_t flags2 = 0;
  uint32_t extsize = 0;       // hint, blocks
  uint32_t cowextsize = 0;    // hint, blocks
  uint64_t data_extents = 0;  // records in each fork
  uint32_t attribute_extents = 0;
  AgInode next_unlinked;
  uint64_t changecount = 0;
  Lsn lsn;
  uint32_t device_major = 0;  // device files
  uint32_t device_minor = 0;
  // Bytes from the start of the inode, and lengths. No attribute fork: 0 long.
  uint16_t data_fork_offset = 0;
  uint16_t data_fork_size = 0;
  uint16_t attribute_fork_offset = 0;
  uint16_t attribute_fork_size = 0;

  uint16_t type() const { return mode & kModeTypeMask; }
  bool is_directory() const { return type() == kModeDirectory; }
  bool is_regular() const { return type() == kModeRegular; }
  bool is_symlink() const { return type() == kModeSymlink; }
  bool is_device() const {
    return type() == kModeCharacterDevice || type() == kModeBlockDevice;
  }
  bool has_attribute_fork() const { return attribute_fork_size != 0; }
  bool is_reflinked() const { return (flags2 & kInodeFlag2Reflink) != 0; }
  bool is_realtime() const { return (flags & kInodeFlagRealtime) != 0; }
  bool is_metadata() const { return (flags2 & kInodeFlag2Metadata) != 0; }
  bool has_birth_time() const { return version >= 3; }
};

// Everything that the core must satisfy by itself. `inode` is the whole inode,
// geometry.inode_size bytes. A free inode (mode 0) passes if it is well-formed.
void VerifyInode(const Geometry& geometry, InodeNumber number, Bytes inode,
                 Checker& check);

// The little that the inode must satisfy for its whole cluster to be believed:
// magic, version, and the link of the unlinked list.
void VerifyInodeInCluster(const Geometry& geometry, AgNumber ag, Bytes inode,
                          Checker& check);

// What stands in the forks: extent records, btree roots, short-form directories
// and attributes, a symlink's target.
// REQUIRES: VerifyInode held and the inode is not free.
void VerifyInodeForks(const Geometry& geometry, const InodeCore& core,
                      Bytes inode, Checker& check);

// REQUIRES: VerifyInode held.
InodeCore DecodeInode(InodeNumber number, Bytes inode);

// The whole area of a fork, in use or not.
inline Bytes DataFork(const InodeCore& core, Bytes inode) {
  return inode.subspan(core.data_fork_offset, core.data_fork_size);
}
inline Bytes AttributeFork(const InodeCore& core, Bytes inode) {
  return inode.subspan(core.attribute_fork_offset, core.attribute_fork_size);
}

// Tables of the core for an inode of this version, in the order of offsets.
std::span<const FieldTable* const> InodeFieldTables(uint8_t version,
                                                    bool nrext64);

// The core, its findings, and what stands in the forks: one part each.
Explanation ExplainInode(const Geometry& geometry, InodeNumber number,
                         Bytes inode);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_INODE_CORE_H_
