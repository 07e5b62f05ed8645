// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/inode_cluster.h"

#include <cerrno>

#include <fmt/format.h>

#include "libondisk/checker.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

constexpr uint32_t kClusterBytes = 8192;
constexpr uint32_t kSmallestInode = 256;

absl::Status VerifyCluster(const ondisk::Geometry& geometry,
                           ondisk::DiskAddress address, ondisk::Bytes bytes) {
  const ondisk::FsBlock block = geometry.ToFsBlock(address);
  const ondisk::AgNumber ag = geometry.AgOf(block);
  const uint32_t first = geometry.AgBlockOf(block).value
                         << geometry.inodes_per_block_log;
  for (uint32_t i = 0; i < bytes.size() >> geometry.inode_log; ++i) {
    const ondisk::InodeNumber number =
        geometry.ToInodeNumber(ag, ondisk::AgInode(first + i));
    ondisk::Checker check("inode cluster", ondisk::Where::Inode(number));
    ondisk::VerifyInodeInCluster(
        geometry, ag,
        bytes.subspan(uint64_t{i} << geometry.inode_log, geometry.inode_size),
        check);
    if (check.failed()) return check.status();
  }
  return absl::OkStatus();
}

}  // namespace

const BlockType kInodeClusterType = {"inode cluster", VerifyCluster};

uint32_t InodeClusterBlocks(const ondisk::Geometry& geometry) {
  if (!geometry.features.aligned_inodes) return 1;
  // A cluster is used only if it divides the unit that chunks are aligned to;
  // else an inode's place in its cluster could not be told from its number.
  const auto fits = [&geometry](uint32_t blocks) {
    return blocks != 0 && geometry.inode_alignment >= blocks &&
           geometry.inode_alignment % blocks == 0;
  };
  const uint32_t scale =
      geometry.features.crc ? geometry.inode_size / kSmallestInode : 1;
  const uint32_t scaled = (kClusterBytes * scale) >> geometry.block_log;
  if (fits(scaled)) return scaled;
  const uint32_t plain = kClusterBytes >> geometry.block_log;
  return fits(plain) ? plain : 1;
}

absl::StatusOr<InodePlace> LocateInode(const ondisk::Geometry& geometry,
                                       ondisk::InodeNumber number) {
  if (!geometry.IsValid(number)) {
    return ondisk::PosixError(
        EINVAL, fmt::format("inode {} cannot be on this image", number.value));
  }
  const ondisk::AgNumber ag = geometry.AgOf(number);
  const ondisk::AgBlock block = geometry.AgBlockOf(number);
  const uint32_t blocks = InodeClusterBlocks(geometry);
  const uint32_t into = block.value % blocks;
  const ondisk::AgBlock start(block.value - into);
  if (blocks > geometry.AgSize(ag) - start.value) {
    return ondisk::PosixError(
        EINVAL, fmt::format("inode {} cannot be on this image: its cluster "
                            "ends behind AG {}",
                            number.value, ag.value));
  }
  return InodePlace{geometry.ToDiskAddress(ag, start),
                    blocks << geometry.block_log,
                    (into << geometry.block_log) +
                        (geometry.IndexInBlock(number) << geometry.inode_log)};
}

}  // namespace fusexfs
