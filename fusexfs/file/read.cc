// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/read.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "fusexfs/file/realtime.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

absl::Status CheckReadable(const Inode& inode) {
  if (inode.is_regular()) return CheckOnDataDevice(inode);
  if (inode.is_directory()) {
    return ondisk::PosixError(
        EISDIR, fmt::format("inode {} is a directory", inode.number().value));
  }
  return ondisk::PosixError(
      EINVAL,
      fmt::format("inode {} is not a regular file", inode.number().value));
}

// Joins segments before they are given out.
class Joiner {
 public:
  explicit Joiner(absl::FunctionRef<bool(const FileSegment&)> visit)
      : visit_(visit) {}

  // False once the visitor has had enough.
  bool Add(const FileSegment& next) {
    if (pending_.length != 0 && Follows(next)) {
      pending_.length += next.length;
      return true;
    }
    if (!Flush()) return false;
    pending_ = next;
    return true;
  }
  bool Flush() { return pending_.length == 0 || visit_(pending_); }

 private:
  bool Follows(const FileSegment& next) const {
    if (!pending_.device_offset.has_value()) {
      return !next.device_offset.has_value();
    }
    return next.device_offset == *pending_.device_offset + pending_.length;
  }

  absl::FunctionRef<bool(const FileSegment&)> visit_;
  FileSegment pending_;
};

}  // namespace

absl::Status VisitSegments(const Inode& inode, const ondisk::Geometry& geometry,
                           uint64_t offset, uint64_t length,
                           absl::FunctionRef<bool(const FileSegment&)> visit) {
  ONDISK_RETURN_IF_ERROR(CheckReadable(inode));
  const uint64_t size = inode.core().size;
  if (offset >= size || length == 0) return absl::OkStatus();
  const uint64_t end = offset + std::min(length, size - offset);
  ONDISK_ASSIGN_OR_RETURN(const ExtentMap* map, inode.DataExtents());
  Joiner joiner(visit);
  uint64_t at = offset;
  for (size_t i = map->FindFrom(ondisk::FileBlock(at >> geometry.block_log));
       i < map->extents().size() && at < end; ++i) {
    const Extent& extent = map->extents()[i];
    // An extent may reach beyond 2^63 bytes, the end of the file may not.
    const uint64_t first = extent.start.value;
    if (first > (end - 1) >> geometry.block_log) break;
    const uint64_t start = first << geometry.block_log;
    if (start > at) {
      if (!joiner.Add({start - at, std::nullopt})) return absl::OkStatus();
      at = start;
    }
    const uint64_t in_extent = at - start;
    const uint64_t bytes = std::min(
        (uint64_t{extent.count} << geometry.block_log) - in_extent, end - at);
    FileSegment segment{bytes, std::nullopt};
    if (!extent.unwritten) {
      segment.device_offset = geometry.ToByteOffset(extent.block) + in_extent;
    }
    if (!joiner.Add(segment)) return absl::OkStatus();
    at += bytes;
  }
  if (at < end && !joiner.Add({end - at, std::nullopt})) {
    return absl::OkStatus();
  }
  joiner.Flush();
  return absl::OkStatus();
}

absl::Status MapForRead(const Inode& inode, const ondisk::Geometry& geometry,
                        uint64_t offset, uint64_t length, size_t most_segments,
                        std::vector<FileSegment>& segments) {
  segments.clear();
  if (most_segments == 0) return CheckReadable(inode);
  return VisitSegments(inode, geometry, offset, length,
                       [&](const FileSegment& segment) {
                         segments.push_back(segment);
                         return segments.size() < most_segments;
                       });
}

absl::StatusOr<uint64_t> ReadFile(const Inode& inode,
                                  const ondisk::Geometry& geometry,
                                  const Device& device, uint64_t offset,
                                  ondisk::MutableBytes into) {
  uint64_t done = 0;
  absl::Status error;
  ONDISK_RETURN_IF_ERROR(VisitSegments(
      inode, geometry, offset, into.size(), [&](const FileSegment& segment) {
        const ondisk::MutableBytes part = into.subspan(done, segment.length);
        if (segment.device_offset.has_value()) {
          error = device.ReadAt(*segment.device_offset, part);
          if (!error.ok()) return false;
        } else {
          std::memset(part.data(), 0, part.size());
        }
        done += segment.length;
        return true;
      }));
  ONDISK_RETURN_IF_ERROR(error);
  return done;
}

}  // namespace fusexfs
