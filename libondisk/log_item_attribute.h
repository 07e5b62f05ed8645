// SPDX-License-Identifier: GPL-2.0-or-later
// ATTRI and ATTRD: an extended attribute, or a parent pointer, is to be
// changed; it has been changed.
//
// Regions of an ATTRI, by operation:
//
//   set, replace        format, name, value (left out if it is empty)
//   remove              format, name
//   parent set, remove  format, name, value (a parent record of 12 bytes)
//   parent replace      format, old name, new name, old value, new value
//
// Names and values are padded to four bytes; the format has their lengths. In a
// parent replacement the field of the name's length is two 16-bit lengths, and
// both values have the same length.
//
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h (struct xfs_attri_log_format),
// fs/xfs/xfs_attr_item.c.
#ifndef FUSEXFS_LIBONDISK_LOG_ITEM_ATTRIBUTE_H_
#define FUSEXFS_LIBONDISK_LOG_ITEM_ATTRIBUTE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libondisk/log_item.h"
#include "libondisk/log_item_intent.h"

namespace ondisk {

// The low byte of alfi_op_flags; no other bit may be set.
enum class LogAttributeOperation : uint8_t {
  kSet = 1,
  kRemove = 2,
  kReplace = 3,
  kParentSet = 4,
  kParentRemove = 5,
  kParentReplace = 6,
};

struct LogAttriFormat {
  Host16 alfi_type;
  Host16 alfi_size;
  Host32 alfi_igen;  // the inode's generation, for parent pointers
  Host64 alfi_id;
  Host64 alfi_ino;
  Host32 alfi_op_flags;
  // One 32-bit length in the host's order, or two 16-bit ones: see name_length.
  Host16 alfi_old_name_len;
  Host16 alfi_new_name_len;
  Host32 alfi_value_len;
  Host32 alfi_attr_filter;  // namespace and incomplete flag, as on disk

  LogAttributeOperation operation() const {
    return static_cast<LogAttributeOperation>(alfi_op_flags.value() &
                                              kLogOperationMask);
  }
};
static_assert(sizeof(LogAttriFormat) == 40);
static_assert(offsetof(LogAttriFormat, alfi_op_flags) == 24);
static_assert(offsetof(LogAttriFormat, alfi_value_len) == 32);

extern const FieldTable kLogAttriFields;
extern const FieldTable kLogAttrdFields;

// The regions by name. Values are without padding.
struct LogAttributeChange {
  LogAttributeOperation operation{};
  InodeNumber inode;
  uint32_t generation = 0;
  uint64_t id = 0;
  uint8_t flags = 0;  // attribute flags
  std::string_view name;
  std::string_view new_name;
  Bytes value;
  Bytes new_value;
};

void VerifyLogAttri(const Geometry& geometry, LogRegions regions,
                    Checker& check);
// REQUIRES: VerifyLogAttri found nothing.
LogAttributeChange ReadLogAttri(LogRegions regions);

Explanation ExplainLogAttri(const Geometry& geometry, LogRegions regions,
                            uint64_t offset, Where where);
Explanation ExplainLogAttrd(const Geometry& geometry, LogRegions regions,
                            uint64_t offset, Where where);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ITEM_ATTRIBUTE_H_
