// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/fork_walk.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "libondisk/btree_block.h"
#include "libondisk/btree_traits.h"
#include "libondisk/checker.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

using ondisk::BtreeKind;
using ondisk::Bytes;
using ondisk::Checker;
using ondisk::Where;

class Walker {
 public:
  Walker(const RawImage& image, const RawInode& inode, ondisk::Fork fork,
         const ForkVisitor& visitor)
      : image_(image),
        inode_(inode),
        fork_(fork),
        visitor_(visitor),
        layout_(ondisk::BtreeLayout::Of(BtreeKind::kBmbt, image.geometry())),
        blocks_left_(
            std::min(inode.core.nblocks, image.geometry().data_blocks)) {}

  absl::Status Walk() {
    const Bytes area = inode_.fork(fork_);
    switch (inode_.format(fork_)) {
      case ondisk::ForkFormat::kExtents:
        return WalkRecords(area);
      case ondisk::ForkFormat::kBtree:
        return WalkRoot(area);
      default:
        return absl::OkStatus();
    }
  }

 private:
  absl::Status WalkRecords(Bytes area) {
    const uint64_t count = fork_ == ondisk::Fork::kData
                               ? inode_.core.data_extents
                               : inode_.core.attribute_extents;
    const uint64_t fits = area.size() / sizeof(ondisk::DiskExtent);
    for (uint64_t i = 0; i < std::min(count, fits); ++i) {
      ONDISK_RETURN_IF_ERROR(Visit(ondisk::View<ondisk::DiskExtent>(
                                       area, i * sizeof(ondisk::DiskExtent)),
                                   Where::Inode(inode_.core.number)));
    }
    return absl::OkStatus();
  }

  absl::Status WalkRoot(Bytes area) {
    Checker check("extent btree root", Where::Inode(inode_.core.number));
    ondisk::VerifyBmbtRoot(area, image_.geometry(), check);
    if (check.failed()) {
      visitor_.damaged(check.status());
      return absl::OkStatus();
    }
    const ondisk::BmbtRoot root(area);
    if (root.level() >= layout_.max_levels) {
      visitor_.damaged(ondisk::CorruptionError(
          "extent btree root", Where::Inode(inode_.core.number), "level",
          fmt::to_string(root.level()),
          fmt::format("less than {}", layout_.max_levels)));
      return absl::OkStatus();
    }
    for (uint32_t i = 0; i < root.count(); ++i) {
      ONDISK_RETURN_IF_ERROR(
          WalkBlock(ondisk::FsBlock(root.Pointer(i)), root.level() - 1));
    }
    return absl::OkStatus();
  }

  absl::Status WalkBlock(ondisk::FsBlock at, uint32_t level) {
    const ondisk::Geometry& geometry = image_.geometry();
    const Where where = Where::Disk(geometry.ToDiskAddress(at));
    if (blocks_left_ == 0) {
      visitor_.damaged(ondisk::CorruptionError(
          "extent btree", Where::Inode(inode_.core.number), "nblocks",
          fmt::to_string(inode_.core.nblocks),
          "at least the blocks of the btree (it may have a cycle)"));
      return absl::OkStatus();
    }
    --blocks_left_;
    ONDISK_ASSIGN_OR_RETURN(const auto bytes, image_.ReadBlock(at));
    const ondisk::DiskAddress address = geometry.ToDiskAddress(at);
    Checker check("bmbt", where, Checker::Mode::kAllFindings);
    ondisk::VerifyBtreeBlock(bytes, BtreeKind::kBmbt, geometry, address, check);
    const bool sound = !check.failed();
    const ondisk::BtreeBlock block(bytes, layout_);
    ondisk::Explanation explanation =
        ondisk::ExplainBtreeBlock(bytes, BtreeKind::kBmbt, geometry, address);
    Checker context("bmbt", where, Checker::Mode::kAllFindings);
    if (sound) {
      ondisk::VerifyBtreeLevel(block, level, context);
      ondisk::VerifyBmbtOwner(block, inode_.core.number, context);
      ondisk::AttachFindings(context, explanation);
    }
    visitor_.btree_block(explanation);
    if (!sound || context.failed()) return absl::OkStatus();
    for (uint32_t i = 0; i < block.count(); ++i) {
      if (level > 0) {
        ONDISK_RETURN_IF_ERROR(
            WalkBlock(ondisk::FsBlock(block.Pointer(i)), level - 1));
      } else {
        ONDISK_RETURN_IF_ERROR(
            Visit(ondisk::View<ondisk::DiskExtent>(block.Record(i)), where));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Visit(const ondisk::DiskExtent& disk, Where where) {
    const ondisk::ExtentRecord extent = ondisk::UnpackExtent(disk);
    Checker check("extent", where);
    ondisk::VerifyExtent(image_.geometry(), fork_, inode_.core.is_realtime(),
                         extent, check);
    if (check.failed()) {
      visitor_.damaged(check.status());
      return absl::OkStatus();
    }
    return visitor_.extent(extent);
  }

  const RawImage& image_;
  const RawInode& inode_;
  const ondisk::Fork fork_;
  const ForkVisitor& visitor_;
  const ondisk::BtreeLayout layout_;
  uint64_t blocks_left_;
};

}  // namespace

absl::StatusOr<std::vector<uint8_t>> ReadInode(const RawImage& image,
                                               ondisk::InodeNumber inode) {
  const ondisk::Geometry& geometry = image.geometry();
  if (!geometry.IsValid(inode)) {
    return ondisk::PosixError(
        EINVAL, fmt::format("inode {}: no such number can exist in this image",
                            inode.value));
  }
  ONDISK_ASSIGN_OR_RETURN(
      const auto block, image.ReadBlock(geometry.ToFsBlock(
                            geometry.AgOf(inode), geometry.AgBlockOf(inode))));
  const auto start = block.begin() + uint64_t{geometry.IndexInBlock(inode)} *
                                         geometry.inode_size;
  return std::vector<uint8_t>(start, start + geometry.inode_size);
}

absl::StatusOr<RawInode> LoadInode(const RawImage& image,
                                   ondisk::InodeNumber inode) {
  RawInode raw;
  ONDISK_ASSIGN_OR_RETURN(raw.bytes, ReadInode(image, inode));
  Checker check("inode", Where::Inode(inode));
  ondisk::VerifyInode(image.geometry(), inode, raw.bytes, check);
  ONDISK_RETURN_IF_ERROR(check.status());
  raw.core = ondisk::DecodeInode(inode, raw.bytes);
  if (raw.core.mode == 0) {
    return ondisk::PosixError(
        ENOENT, fmt::format("inode {} is free: it holds no file", inode.value));
  }
  return raw;
}

absl::Status WalkFork(const RawImage& image, const RawInode& inode,
                      ondisk::Fork fork, const ForkVisitor& visitor) {
  return Walker(image, inode, fork, visitor).Walk();
}

}  // namespace fusexfs::tool
