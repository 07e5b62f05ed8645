// SPDX-License-Identifier: GPL-2.0-or-later
// The buffer item: the changed parts of a metadata block.
//
// The format says which block it is and has one bit per 128-byte chunk of it;
// the further regions are runs of the chunks whose bits are set. A run may be
// cut over several regions (it crossed a page of memory). A cancelled buffer
// (its block was freed) has no data, and forbids replaying earlier items of the
// same block. A block in several pieces has one item per piece.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_buf_log_format),
// fs/xfs/xfs_buf_item_recover.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_BUFFER_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libondisk/log_item.h"

namespace ondisk {

inline constexpr uint32_t kLogChunkBytes = 128;

// blf_flags: what needs special care, and in the top five bits what the block
// holds.
inline constexpr uint16_t kLogBufferInodes = 1u << 0;  // replay pointers only
inline constexpr uint16_t kLogBufferCancel = 1u << 1;
inline constexpr uint16_t kLogBufferUserDquot = 1u << 2;
inline constexpr uint16_t kLogBufferProjectDquot = 1u << 3;
inline constexpr uint16_t kLogBufferGroupDquot = 1u << 4;
inline constexpr uint16_t kLogBufferContentShift = 11;

enum class LogBufferContent : uint8_t {
  kUnknown = 0,
  kUserDquot = 1,
  kProjectDquot = 2,
  kGroupDquot = 3,
  kBtree = 4,
  kAgf = 5,
  kAgfl = 6,
  kAgi = 7,
  kInodes = 8,
  kSymlink = 9,
  kDirectoryBlock = 10,
  kDirectoryData = 11,
  kDirectoryFree = 12,
  kDirectoryLeaf1 = 13,
  kDirectoryLeafN = 14,
  kDaNode = 15,
  kAttributeLeaf = 16,
  kAttributeRemote = 17,
  kSuperblock = 18,
  kRealtimeBitmap = 19,
  kRealtimeSummary = 20,
};

// Followed by blf_map_size words (Host32) of bitmap.
struct LogBufferFormat {
  Host16 blf_type;
  Host16 blf_size;  // regions
  Host16 blf_flags;
  Host16 blf_len;  // 512-byte blocks
  Host64 blf_blkno;
  Host32 blf_map_size;  // words

  LogBufferContent content() const {
    return static_cast<LogBufferContent>(blf_flags.value() >>
                                         kLogBufferContentShift);
  }
  bool cancelled() const { return (blf_flags.value() & kLogBufferCancel) != 0; }
};
static_assert(sizeof(LogBufferFormat) == 20);
static_assert(offsetof(LogBufferFormat, blf_blkno) == 8);

extern const FieldTable kLogBufferFormatFields;

std::string_view LogBufferContentName(LogBufferContent content);

// A run of changed bytes: where they go in the block.
struct LogBufferRun {
  uint32_t offset;
  Bytes bytes;
};

void VerifyLogBuffer(const Geometry& geometry, LogRegions regions,
                     Checker& check);
// REQUIRES: VerifyLogBuffer found nothing.
std::vector<LogBufferRun> LogBufferRuns(LogRegions regions);

Explanation ExplainLogBuffer(const Geometry& geometry, LogRegions regions,
                             uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_BUFFER_H_
