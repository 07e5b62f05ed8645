// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/ioctl_fiemap.h"

#include <algorithm>
#include <cerrno>

#include "libondisk/status.h"

namespace fusexfs {

namespace {

constexpr size_t kHeaderBytes = offsetof(fusexfs_fiemap, extents);
static_assert(kHeaderBytes == 32);
static_assert(sizeof(fiemap_extent) == 56);
static_assert(sizeof(fusexfs_fiemap) == 16328);
static_assert(FUSEXFS_IOC_FIEMAP ==
              FUSEXFS_IOC_FIEMAP_SMALL(FUSEXFS_FIEMAP_MAX_EXTENTS));

}  // namespace

bool IsFiemapCommand(unsigned command) {
  return (command & ~(_IOC_SIZEMASK << _IOC_SIZESHIFT)) ==
         (FUSEXFS_IOC_FIEMAP & ~(_IOC_SIZEMASK << _IOC_SIZESHIFT));
}

absl::StatusOr<size_t> AnswerFiemap(Filesystem& filesystem,
                                    ondisk::InodeNumber inode, size_t size,
                                    fusexfs_fiemap& map) {
  const size_t room =
      size < kHeaderBytes
          ? 0
          : std::min<size_t>((size - kHeaderBytes) / sizeof(fiemap_extent),
                             FUSEXFS_FIEMAP_MAX_EXTENTS);
  if (room == 0) {
    return ondisk::PosixError(EINVAL, "FIEMAP without room for an extent");
  }
  if (map.version != FUSEXFS_FIEMAP_VERSION) {
    return ondisk::UnsupportedError("FIEMAP in an unknown version");
  }
  if ((map.flags & ~FIEMAP_FLAG_XATTR) != 0) {
    return ondisk::UnsupportedError("FIEMAP with an unknown flag");
  }
  if (map.length == 0) {
    return ondisk::PosixError(EINVAL, "FIEMAP of a range without length");
  }
  const FiemapFork fork = (map.flags & FIEMAP_FLAG_XATTR) != 0
                              ? FiemapFork::kAttribute
                              : FiemapFork::kData;
  map.count = 0;
  map.more = 0;
  ONDISK_RETURN_IF_ERROR(
      filesystem.Fiemap(inode, map.start, map.length, fork,
                        [&map, room](const FiemapExtent& extent) {
                          if (map.count == room) {
                            map.more = 1;
                            return false;
                          }
                          fiemap_extent& out = map.extents[map.count++];
                          out = {};
                          out.fe_logical = extent.logical;
                          out.fe_physical = extent.physical;
                          out.fe_length = extent.length;
                          out.fe_flags = extent.flags;
                          return true;
                        }));
  return kHeaderBytes + map.count * sizeof(fiemap_extent);
}

}  // namespace fusexfs
