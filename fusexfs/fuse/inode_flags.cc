// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/inode_flags.h"

#include "libondisk/inode_core.h"

namespace fusexfs {

namespace {

// The extended flags' bits are those of di_flags, by design of both; the one
// exception belongs to the realtime bitmap and is no flag for users.
constexpr uint32_t kVisibleFlags =
    0x7fff & ~ondisk::kInodeFlagNewRealtimeBitmap;
static_assert(FS_XFLAG_IMMUTABLE == ondisk::kInodeFlagImmutable);
static_assert(FS_XFLAG_PROJINHERIT == ondisk::kInodeFlagProjectInherit);
static_assert(FS_XFLAG_FILESTREAM == ondisk::kInodeFlagFilestream);

struct FlagPair {
  uint32_t extended;
  uint32_t chattr;
};

constexpr FlagPair kChattrFlags[] = {
    {FS_XFLAG_SYNC, FS_SYNC_FL},
    {FS_XFLAG_IMMUTABLE, FS_IMMUTABLE_FL},
    {FS_XFLAG_APPEND, FS_APPEND_FL},
    {FS_XFLAG_NODUMP, FS_NODUMP_FL},
    {FS_XFLAG_NOATIME, FS_NOATIME_FL},
    {FS_XFLAG_DAX, FS_DAX_FL},
    {FS_XFLAG_PROJINHERIT, FS_PROJINHERIT_FL},
};

}  // namespace

uint32_t ExtendedFlags(const Attributes& attributes) {
  uint32_t flags = attributes.flags & kVisibleFlags;
  if (attributes.flags2 & ondisk::kInodeFlag2Dax) flags |= FS_XFLAG_DAX;
  if (attributes.flags2 & ondisk::kInodeFlag2CowExtentSize) {
    flags |= FS_XFLAG_COWEXTSIZE;
  }
  if (attributes.has_attribute_fork) flags |= FS_XFLAG_HASATTR;
  return flags;
}

uint32_t ChattrFlags(uint32_t extended_flags) {
  uint32_t flags = 0;
  for (const FlagPair& pair : kChattrFlags) {
    if (extended_flags & pair.extended) flags |= pair.chattr;
  }
  return flags;
}

fsxattr ExtendedAttributes(const Attributes& attributes, uint32_t block_size) {
  fsxattr result{};
  result.fsx_xflags = ExtendedFlags(attributes);
  if (result.fsx_xflags & (FS_XFLAG_EXTSIZE | FS_XFLAG_EXTSZINHERIT)) {
    result.fsx_extsize = attributes.extent_size_hint * block_size;
  }
  if (result.fsx_xflags & FS_XFLAG_COWEXTSIZE) {
    result.fsx_cowextsize = attributes.cow_extent_size_hint * block_size;
  }
  result.fsx_projid = attributes.project;
  result.fsx_nextents = static_cast<uint32_t>(attributes.data_extents);
  return result;
}

}  // namespace fusexfs
