// SPDX-License-Identifier: GPL-2.0-or-later
// What a mounted filesystem consists of: made by Mount (filesystem_mount.cc),
// used by the methods of Filesystem (filesystem.cc), seen by nobody else.
//
// Thread-safety: each part is safe for any number of threads; all else is
// constant once mounted.
#ifndef FUSEXFS_FUSEXFS_FILESYSTEM_IMPL_H_
#define FUSEXFS_FUSEXFS_FILESYSTEM_IMPL_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/device/device.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/inode/inode_cache.h"
#include "fusexfs/names/context.h"
#include "fusexfs/space/allocation_group.h"
#include "fusexfs/space/refcount_lookup.h"
#include "fusexfs/space/summary_counts.h"
#include "libondisk/geometry.h"
#include "libondisk/superblock.h"

namespace fusexfs {

struct Filesystem::Impl {
  Impl(std::unique_ptr<Device> data, std::unique_ptr<Device> log,
       const ondisk::Geometry& shape, const ondisk::Superblock& primary,
       ondisk::Lsn log_head, const MountOptions& options)
      : data_device(std::move(data)),
        log_device(std::move(log)),
        geometry(shape),
        superblock(primary),
        // Inodes are small, and buffers of inode clusters are soon done with.
        buffers(*data_device, geometry, options.cache_bytes / 2, log_head),
        inodes(buffers, geometry, options.cache_bytes / 2),
        groups(buffers, geometry),
        names{geometry, buffers, inodes} {}

  // An inode that users may see.
  absl::StatusOr<InodeRef> Get(ondisk::InodeNumber number);

  const std::unique_ptr<Device> data_device;
  const std::unique_ptr<Device> log_device;
  const ondisk::Geometry geometry;
  const ondisk::Superblock superblock;
  BufferCache buffers;
  InodeCache inodes;
  AllocationGroups groups;
  const NamesContext names;
  std::unique_ptr<RefcountLookup> refcount;
  SummaryCounts counts;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILESYSTEM_IMPL_H_
