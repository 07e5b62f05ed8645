// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/fiemap.h"

#include <linux/fiemap.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "fusexfs/file/realtime.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

constexpr uint64_t kMaxFileBytes = std::numeric_limits<int64_t>::max();

// Keeps one extent back, because only the end tells which one is the last.
class Reporter {
 public:
  Reporter(const ondisk::Geometry& geometry,
           absl::FunctionRef<bool(const FiemapExtent&)> visit)
      : geometry_(geometry), visit_(visit) {}

  // False once the visitor has had enough.
  bool Add(const Extent& extent, bool shared) {
    if (pending_.has_value() && !visit_(*pending_)) {
      pending_.reset();
      return false;
    }
    pending_ = FiemapExtent{
        extent.start.value << geometry_.block_log,
        geometry_.ToByteOffset(extent.block),
        uint64_t{extent.count} << geometry_.block_log,
        (extent.unwritten ? uint32_t{FIEMAP_EXTENT_UNWRITTEN} : 0) |
            (shared ? uint32_t{FIEMAP_EXTENT_SHARED} : 0)};
    return true;
  }
  void Finish() {
    if (!pending_.has_value()) return;
    pending_->flags |= FIEMAP_EXTENT_LAST;
    visit_(*pending_);
  }

 private:
  const ondisk::Geometry& geometry_;
  absl::FunctionRef<bool(const FiemapExtent&)> visit_;
  std::optional<FiemapExtent> pending_;
};

// The first `count` blocks of `extent`; the rest stays in it.
Extent TakeFront(Extent& extent, uint32_t count) {
  Extent front = extent;
  front.count = count;
  extent.start = extent.start + count;
  extent.block = extent.block + count;
  extent.count -= count;
  return front;
}

// The extent in pieces, each shared as a whole or not at all. True if the
// reporter wants more.
absl::StatusOr<bool> ReportPieces(const ondisk::Geometry& geometry,
                                  RefcountLookup& shared, Extent extent,
                                  Reporter& reporter) {
  while (extent.count != 0) {
    const ondisk::AgNumber ag = geometry.AgOf(extent.block);
    const ondisk::AgBlock block = geometry.AgBlockOf(extent.block);
    ONDISK_ASSIGN_OR_RETURN(const std::optional<SharedRun> run,
                            shared.FindShared(ag, block, extent.count));
    const uint32_t plain = run.has_value() ? run->start - block : extent.count;
    if (plain != 0 && !reporter.Add(TakeFront(extent, plain), false)) {
      return false;
    }
    if (run.has_value() && !reporter.Add(TakeFront(extent, run->count), true)) {
      return false;
    }
  }
  return true;
}

absl::Status CheckMappable(const Inode& inode, uint64_t start, uint64_t length,
                           FiemapFork fork) {
  const bool data = fork == FiemapFork::kData;
  if (inode.is_directory() || inode.is_symlink() ||
      (data && !inode.is_regular())) {
    return ondisk::UnsupportedError(fmt::format(
        "inode {} is not a file that FIEMAP maps", inode.number().value));
  }
  if (length == 0) {
    return ondisk::PosixError(EINVAL, "FIEMAP of an empty range");
  }
  if (start >= kMaxFileBytes) {
    return ondisk::PosixError(
        EFBIG, fmt::format("FIEMAP from {}, behind the largest file", start));
  }
  return data ? CheckOnDataDevice(inode) : absl::OkStatus();
}

}  // namespace

absl::Status Fiemap(const Inode& inode, const ondisk::Geometry& geometry,
                    RefcountLookup& shared, uint64_t start, uint64_t length,
                    FiemapFork fork,
                    absl::FunctionRef<bool(const FiemapExtent&)> visit) {
  ONDISK_RETURN_IF_ERROR(CheckMappable(inode, start, length, fork));
  const bool data = fork == FiemapFork::kData;
  ONDISK_ASSIGN_OR_RETURN(const ExtentMap* map, data
                                                    ? inode.DataExtents()
                                                    : inode.AttributeExtents());
  const ondisk::FileBlock first(start >> geometry.block_log);
  const uint64_t end_byte = start + std::min(length, kMaxFileBytes - start);
  const ondisk::FileBlock end((end_byte + geometry.block_size - 1) >>
                              geometry.block_log);
  const bool may_share = data && inode.core().is_reflinked();
  Reporter reporter(geometry, visit);
  for (size_t i = map->FindFrom(first); i < map->extents().size(); ++i) {
    Extent extent = map->extents()[i];
    if (extent.start >= end) break;
    if (extent.start < first) {
      TakeFront(extent, static_cast<uint32_t>(first - extent.start));
    }
    if (extent.end() > end) {
      extent.count = static_cast<uint32_t>(end - extent.start);
    }
    bool more = false;
    if (may_share && !extent.unwritten) {
      ONDISK_ASSIGN_OR_RETURN(more,
                              ReportPieces(geometry, shared, extent, reporter));
    } else {
      more = reporter.Add(extent, /*shared=*/false);
    }
    if (!more) return absl::OkStatus();
  }
  reporter.Finish();
  return absl::OkStatus();
}

}  // namespace fusexfs
