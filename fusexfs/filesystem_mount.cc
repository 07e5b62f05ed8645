// SPDX-License-Identifier: GPL-2.0-or-later
// Filesystem::Mount: everything that can speak against a mount, in the order in
// which it can be known, before any of it is used.
#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fusexfs/filesystem.h"
#include "fusexfs/filesystem_impl.h"
#include "fusexfs/journal/log_area.h"
#include "fusexfs/journal/log_state.h"
#include "libondisk/block_lsn.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"

namespace fusexfs {
namespace {

using ondisk::AgNumber;
using ondisk::Geometry;
using ondisk::PosixError;
using ondisk::Superblock;

// Enough for the headers that are being looked at.
constexpr uint64_t kHeaderCacheBytes = 1u << 20;
constexpr uint32_t kHeaderReadahead = 32;  // AGs

// What the log says; nothing if it was not asked (norecovery). A dirty one is
// refused.
absl::StatusOr<std::optional<LogState>> CheckLog(const Superblock& superblock,
                                                 const Geometry& geometry,
                                                 const Device& data_device,
                                                 const Device* log_device,
                                                 bool no_recovery) {
  ONDISK_ASSIGN_OR_RETURN(const LogArea area,
                          LogArea::Of(geometry, data_device, log_device));
  if (no_recovery) return std::nullopt;
  ONDISK_ASSIGN_OR_RETURN(LogState state, FindLogState(area));
  if (geometry.features.crc) {
    ondisk::Checker check("superblock", ondisk::Where::Disk({}));
    ondisk::VerifyBlockLsn(ondisk::Lsn(superblock.lsn.value()), state.head,
                           check);
    ONDISK_RETURN_IF_ERROR(check.status());
  }
  if (state.clean) return state;
  ONDISK_RETURN_IF_ERROR(ondisk::CheckLogRecoverable(superblock));
  return PosixError(
      EUCLEAN,
      fmt::format("the log is {}; it was not unmounted cleanly and this "
                  "release cannot replay a log. Mount it once with the kernel, "
                  "or look at it as it is with -o ro,norecovery",
                  state.ToString()));
}

// The kernel refuses an image with a damaged AG header, so that nothing is
// built on it. (Through a cache of its own: nothing is to be allocated per AG
// before the image has shown that it has them.)
absl::Status CheckAgHeaders(const Device& device, const Geometry& geometry,
                            ondisk::Lsn log_head) {
  BufferCache buffers(device, geometry, kHeaderCacheBytes, log_head);
  for (uint32_t ag = 0; ag < geometry.ag_count; ++ag) {
    if (ag % kHeaderReadahead == 0) {
      const uint32_t end = std::min(geometry.ag_count, ag + kHeaderReadahead);
      for (uint32_t next = ag; next < end; ++next) {
        device.Prefetch(geometry.SuperblockAddress(AgNumber(next)).value
                            << ondisk::kDiskAddressShift,
                        uint64_t{4} << geometry.sector_log);
      }
    }
    const AllocationGroup group(buffers, geometry, AgNumber(ag));
    absl::Status status = group.ReadAgf().status();
    if (status.ok()) status = group.ReadAgi().status();
    if (!status.ok()) return ondisk::Annotate(status, fmt::format("AG {}", ag));
  }
  return absl::OkStatus();
}

absl::Status CheckRoot(InodeCache& inodes, const Geometry& geometry) {
  const absl::StatusOr<InodeRef> root = inodes.Get(geometry.root_inode);
  if (root.ok() && (*root)->is_directory()) return absl::OkStatus();
  if (!root.ok() && ondisk::ErrnoOf(root.status()) != ENOENT) {
    return ondisk::Annotate(root.status(), "root directory");
  }
  return ondisk::CorruptionError(
      "root inode", ondisk::Where::Inode(geometry.root_inode), "mode",
      fmt::format("0{:o}", root.ok() ? (*root)->core().mode : 0),
      "a directory's");
}

SummaryCounts CountsOf(const Superblock& superblock) {
  SummaryCounts counts;
  counts.inodes = superblock.icount.value();
  counts.free_inodes = superblock.ifree.value();
  counts.free_blocks = superblock.fdblocks.value();
  return counts;
}

// As the kernel counts: with lazy counters the superblock is right if an
// unmount wrote it, else the AGs are asked; they alone know the blocks of the
// free-space btrees. An image with a damaged AG header can be here only for
// norecovery; it gets the superblock's numbers.
absl::StatusOr<SummaryCounts> FindCounts(const Superblock& superblock,
                                         const std::optional<LogState>& log,
                                         const AllocationGroups& groups) {
  SummaryCounts counts = CountsOf(superblock);
  const Geometry& geometry = groups.geometry();
  absl::StatusOr<SummaryCounts> sum = SumOverGroups(groups);
  if (!sum.ok() && !ondisk::IsCorruption(sum.status())) return sum;
  const bool unmounted = log.has_value() && log->unmount_record;
  if ((unmounted || !geometry.features.lazy_counters) &&
      ArePossible(counts, geometry)) {
    if (sum.ok()) counts.space_btree_blocks = sum->space_btree_blocks;
    return counts;
  }
  return sum.ok() ? *sum : counts;
}

absl::StatusOr<std::vector<uint8_t>> ReadSuperblock(const Device& device) {
  std::vector<uint8_t> bytes(
      std::min<uint64_t>(device.size(), ondisk::kSuperblockReadBytes));
  ONDISK_RETURN_IF_ERROR(device.ReadAt(0, bytes));
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Filesystem>> Filesystem::Mount(
    std::unique_ptr<Device> data_device, std::unique_ptr<Device> log_device,
    const MountOptions& options) {
  const std::string name = data_device->name();
  absl::StatusOr<std::unique_ptr<Impl>> impl =
      MountImpl(std::move(data_device), std::move(log_device), options);
  if (!impl.ok()) return ondisk::Annotate(impl.status(), name);
  return std::unique_ptr<Filesystem>(new Filesystem(*std::move(impl)));
}

absl::StatusOr<std::unique_ptr<Filesystem::Impl>> Filesystem::MountImpl(
    std::unique_ptr<Device> data_device, std::unique_ptr<Device> log_device,
    const MountOptions& options) {
  if (options.no_recovery && !options.read_only) {
    return PosixError(EINVAL, "norecovery mounts must be read-only (-o ro)");
  }
  ONDISK_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                          ReadSuperblock(*data_device));
  ONDISK_ASSIGN_OR_RETURN(
      const Geometry geometry,
      ondisk::GeometryFromSuperblock(bytes, data_device->size()));
  const Superblock& superblock = ondisk::View<Superblock>(bytes);
  ONDISK_RETURN_IF_ERROR(ondisk::CheckMountable(
      superblock, {.read_only = options.read_only,
                   .has_log_device = log_device != nullptr}));
  ONDISK_ASSIGN_OR_RETURN(const std::optional<LogState> log,
                          CheckLog(superblock, geometry, *data_device,
                                   log_device.get(), options.no_recovery));
  const ondisk::Lsn log_head = log ? log->head : ondisk::kNullLsn;
  // With norecovery the user wants what can be had: damage is reported where it
  // is met.
  if (!options.no_recovery) {
    ONDISK_RETURN_IF_ERROR(CheckAgHeaders(*data_device, geometry, log_head));
  }

  auto impl =
      std::make_unique<Impl>(std::move(data_device), std::move(log_device),
                             geometry, superblock, log_head, options);
  ONDISK_ASSIGN_OR_RETURN(
      impl->refcount,
      NewRefcountLookup(options.refcount_strategy, impl->groups));
  ONDISK_RETURN_IF_ERROR(CheckRoot(impl->inodes, impl->geometry));
  ONDISK_ASSIGN_OR_RETURN(impl->counts,
                          FindCounts(superblock, log, impl->groups));
  return impl;
}

}  // namespace fusexfs
