// SPDX-License-Identifier: GPL-2.0-or-later
// How an error is said. Four kinds that are never mixed up:
//
//   corruption   the image says something that cannot be   EUCLEAN
//   I/O error    the device did not give the bytes         EIO (or its errno)
//   unsupported  a feature that this program lacks         EOPNOTSUPP
//   POSIX errno  what a system call would answer           that errno
//
// An absl::Status made here carries its errno as a payload, so that it survives
// every annotation on the way up; ErrnoOf reads it back at the edge.
// Thread-safety: free functions on values.
#ifndef FUSEXFS_LIBONDISK_STATUS_H_
#define FUSEXFS_LIBONDISK_STATUS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libondisk/types.h"

namespace ondisk {

// Where on the image something stands; formatted only when an error is.
struct Where {
  enum class Kind : uint8_t {
    kNowhere,
    kDiskAddress,  // first: 512-byte sector on the data device
    kInode,        // first: inode number
    kDataFork,     // first: inode number, second: file block
    kAttrFork,     // first: inode number, second: fork block
    kLogBlock,     // first: 512-byte block of the log
  };
  Kind kind = Kind::kNowhere;
  uint64_t first = 0;
  uint64_t second = 0;

  static Where Disk(DiskAddress a) { return {Kind::kDiskAddress, a.value, 0}; }
  static Where Inode(InodeNumber i) { return {Kind::kInode, i.value, 0}; }
  static Where DataFork(InodeNumber i, uint64_t block) {
    return {Kind::kDataFork, i.value, block};
  }
  static Where AttrFork(InodeNumber i, uint64_t block) {
    return {Kind::kAttrFork, i.value, block};
  }
  static Where Log(uint64_t block) { return {Kind::kLogBlock, block, 0}; }

  std::string ToString() const;
};

// "<structure> at <where>: <field> is <found>, expected <expected>". EUCLEAN.
absl::Status CorruptionError(std::string_view structure, Where where,
                             std::string_view field, std::string_view found,
                             std::string_view expected);
bool IsCorruption(const absl::Status& status);

// EOPNOTSUPP.
absl::Status UnsupportedError(std::string_view message);

// Any errno, with a message for people. REQUIRES: error > 0.
absl::Status PosixError(int error, std::string_view message);

// PosixError of the calling thread's errno: "what: what strerror says".
absl::Status SystemError(std::string_view what);

// 0 for OK; the errno carried by `status`, or the nearest one for its code.
int ErrnoOf(const absl::Status& status);

// The message of `status` as a std::string_view. (Debian 12's absl::string_view
// is a type of its own; formatting goes through {fmt} for that reason.)
std::string_view MessageOf(const absl::Status& status);

// `status` with "prefix: " before its message; code and errno stay.
absl::Status Annotate(const absl::Status& status, std::string_view prefix);

}  // namespace ondisk

#define ONDISK_RETURN_IF_ERROR(expr)                    \
  do {                                                  \
    if (absl::Status _status = (expr); !_status.ok()) { \
      return _status;                                   \
    }                                                   \
  } while (false)

#define ONDISK_CONCAT_INNER_(a, b) a##b
#define ONDISK_CONCAT_(a, b) ONDISK_CONCAT_INNER_(a, b)
#define ONDISK_ASSIGN_OR_RETURN(lhs, expr) \
  ONDISK_ASSIGN_OR_RETURN_(ONDISK_CONCAT_(_result_, __LINE__), lhs, expr)
#define ONDISK_ASSIGN_OR_RETURN_(tmp, lhs, expr) \
  auto tmp = (expr);                             \
  if (!tmp.ok()) return std::move(tmp).status(); \
  lhs = *std::move(tmp)

#endif  // FUSEXFS_LIBONDISK_STATUS_H_
