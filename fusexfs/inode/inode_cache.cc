// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/inode_cache.h"

#include <utility>

#include "fusexfs/inode/inode_cluster.h"
#include "libondisk/status.h"

namespace fusexfs {

InodeCache::InodeCache(BufferCache& buffers, const ondisk::Geometry& geometry,
                       uint64_t limit_bytes)
    : buffers_(buffers),
      geometry_(geometry),
      table_(limit_bytes, limit_bytes / sizeof(Inode) + 1) {}

absl::StatusOr<InodeRef> InodeCache::Get(ondisk::InodeNumber number) {
  ONDISK_ASSIGN_OR_RETURN(
      Pinned<Inode> inode,
      table_.Get(number.value, [&](Inode& fresh) -> absl::StatusOr<uint64_t> {
        ONDISK_ASSIGN_OR_RETURN(const InodePlace place,
                                LocateInode(geometry_, number));
        ONDISK_ASSIGN_OR_RETURN(
            const BufferRef cluster,
            buffers_.Read(place.cluster, place.cluster_bytes,
                          kInodeClusterType));
        return fresh.Fill(
            buffers_, geometry_,
            cluster.bytes().subspan(place.offset, geometry_.inode_size));
      }));
  return InodeRef(std::move(inode));
}

}  // namespace fusexfs
