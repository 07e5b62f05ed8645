// SPDX-License-Identifier: GPL-2.0-or-later
// file/: what a file's bytes are and where they stand.
//
//   read.h    reading, and the map from a file's range to the device
//   seek.h    SEEK_DATA and SEEK_HOLE
//   fiemap.h  FIEMAP
//
// Holes and unwritten extents read as zeros. A realtime file's data is on
// another device, which this program does not open: EOPNOTSUPP (realtime.h).
//
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_FILE_READ_H_
#define FUSEXFS_FUSEXFS_FILE_READ_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/device/device.h"
#include "fusexfs/inode/inode.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

// A run of a file's bytes: where they are on the data device, or zeros.
struct FileSegment {
  uint64_t length = 0;                    // bytes
  std::optional<uint64_t> device_offset;  // none: a hole or unwritten, zeros
};

// Calls `visit` for the segments of [offset, offset + length), cut at the end
// of the file, in order and without a gap, until it returns false. Neighbouring
// segments of one kind are joined where the device's bytes follow each other.
// EISDIR, EINVAL (neither file nor directory).
absl::Status VisitSegments(const Inode& inode, const ondisk::Geometry& geometry,
                           uint64_t offset, uint64_t length,
                           absl::FunctionRef<bool(const FileSegment&)> visit);

// The same as a list: cleared and filled, at most `most_segments` long (then it
// covers less than the range).
absl::Status MapForRead(const Inode& inode, const ondisk::Geometry& geometry,
                        uint64_t offset, uint64_t length, size_t most_segments,
                        std::vector<FileSegment>& segments);

// Fills `into` from `offset` on. Returns the bytes read, fewer than asked for
// only at the end of the file.
absl::StatusOr<uint64_t> ReadFile(const Inode& inode,
                                  const ondisk::Geometry& geometry,
                                  const Device& device, uint64_t offset,
                                  ondisk::MutableBytes into);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILE_READ_H_
