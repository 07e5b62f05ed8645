// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/extent_loader.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "fusexfs/btree/btree_cursor.h"
#include "fusexfs/btree/btree_root.h"
#include "fusexfs/btree/trees.h"
#include "libondisk/checker.h"

namespace fusexfs {
namespace {

using ondisk::Fork;
using ondisk::InodeCore;

// A count is not believed before the records are seen.
constexpr uint64_t kMostReserved = 4096;

// Takes verified records one by one and keeps those that may follow each other.
class Collector {
 public:
  Collector(const InodeCore& core, Fork fork)
      : core_(core),
        fork_(fork),
        expected_(fork == Fork::kData ? core.data_extents
                                      : core.attribute_extents) {
    extents_.reserve(std::min(expected_, kMostReserved));
  }

  absl::Status Add(const Extent& extent) {
    if (extents_.size() == expected_) return Miscounted(expected_ + 1);
    if (!extents_.empty() && extent.start < extents_.back().end()) {
      ondisk::Checker check("extent record", WhereOf(extent.start));
      check.AtLeast("startoff", extent.start.value,
                    extents_.back().end().value);
      return check.status();
    }
    extents_.push_back(extent);
    return absl::OkStatus();
  }

  absl::StatusOr<ExtentMap> Finish() {
    if (extents_.size() != expected_) return Miscounted(extents_.size());
    if (extents_.capacity() > extents_.size() + kMostReserved) {
      extents_.shrink_to_fit();
    }
    return ExtentMap(std::move(extents_));
  }

 private:
  ondisk::Where WhereOf(ondisk::FileBlock block) const {
    return fork_ == Fork::kData
               ? ondisk::Where::DataFork(core_.number, block.value)
               : ondisk::Where::AttrFork(core_.number, block.value);
  }
  absl::Status Miscounted(uint64_t records) const {
    ondisk::Checker check("inode", ondisk::Where::Inode(core_.number));
    check.Equal(fork_ == Fork::kData ? "nextents" : "anextents", expected_,
                records);
    return check.status();
  }

  const InodeCore& core_;
  const Fork fork_;
  const uint64_t expected_;
  std::vector<Extent> extents_;
};

template <Fork kFork>
absl::Status Walk(BufferCache& buffers, const ondisk::Geometry& geometry,
                  ondisk::InodeNumber owner, ondisk::Bytes fork_bytes,
                  Collector& collector) {
  BtreeCursor<BmbtTree<kFork>> cursor(buffers, geometry,
                                      BtreeRoot::InInode(owner, fork_bytes));
  ONDISK_ASSIGN_OR_RETURN(bool more, cursor.First());
  while (more) {
    ONDISK_RETURN_IF_ERROR(collector.Add(cursor.record()));
    ONDISK_ASSIGN_OR_RETURN(more, cursor.Next());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ExtentMap> LoadExtents(BufferCache& buffers,
                                      const ondisk::Geometry& geometry,
                                      const InodeCore& core, Fork fork,
                                      ondisk::Bytes fork_bytes) {
  Collector collector(core, fork);
  const ondisk::ForkFormat format =
      fork == Fork::kData ? core.data_format : core.attribute_format;
  if (format == ondisk::ForkFormat::kExtents) {
    for (uint64_t at = 0;
         ondisk::Within(fork_bytes, at, sizeof(ondisk::DiskExtent));
         at += sizeof(ondisk::DiskExtent)) {
      ONDISK_RETURN_IF_ERROR(collector.Add(ondisk::UnpackExtent(
          ondisk::View<ondisk::DiskExtent>(fork_bytes, at))));
    }
    return collector.Finish();
  }
  if (format != ondisk::ForkFormat::kBtree) return ExtentMap();
  ONDISK_RETURN_IF_ERROR(fork == Fork::kData
                             ? Walk<Fork::kData>(buffers, geometry, core.number,
                                                 fork_bytes, collector)
                             : Walk<Fork::kAttribute>(buffers, geometry,
                                                      core.number, fork_bytes,
                                                      collector));
  return collector.Finish();
}

}  // namespace fusexfs
