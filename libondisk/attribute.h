// SPDX-License-Identifier: GPL-2.0-or-later
// What all forms of an attribute fork have in common: flags, limits, names.
//
// An extended attribute is a name of 1 to 255 bytes in a namespace (given by
// flag bits, user being none of them) with a value of 0 to 64 KiB. Forms, as
// the fork grows: short-form inside the inode (attribute_shortform.h); one leaf
// block (attribute_leaf.h); a da B+tree over leaves (da_btree.h). A value too
// long for a leaf lies in blocks of its own in the same fork ("remote",
// attribute_remote.h).
//
// Thread-safety: pure functions.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_attr.c; on
// parent pointers xfs_parent.c.
#ifndef FUSEXFS_LIBONDISK_ATTRIBUTE_H_
#define FUSEXFS_LIBONDISK_ATTRIBUTE_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "libondisk/fields.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint8_t kAttributeLocal = 1u << 0;   // value in the leaf
inline constexpr uint8_t kAttributeRoot = 1u << 1;    // trusted.*
inline constexpr uint8_t kAttributeSecure = 1u << 2;  // security.*
inline constexpr uint8_t kAttributeParent = 1u << 3;  // a parent pointer
// Half made or half removed: to be treated as absent.
inline constexpr uint8_t kAttributeIncomplete = 1u << 7;
inline constexpr uint8_t kAttributeNamespaceMask =
    kAttributeRoot | kAttributeSecure | kAttributeParent;
inline constexpr uint8_t kAttributeKnownFlags =
    kAttributeLocal | kAttributeNamespaceMask | kAttributeIncomplete;
extern const std::span<const NamedValue> kAttributeFlagNames;

inline constexpr uint32_t kMaxAttributeNameLength = 255;
inline constexpr uint32_t kMaxAttributeValueLength = 64 * 1024;

// One attribute, of any form. Name and value point into the block or fork.
struct AttributeView {
  std::string_view name;
  uint8_t flags = 0;
  Bytes value;                // local values
  bool remote = false;        // the value is elsewhere:
  DaBlock remote_block;       //   its first fork block
  uint32_t value_length = 0;  // bytes, local or remote

  // An unknown flag makes a namespace of its own, which nobody asks for.
  uint8_t name_space() const {
    return flags &
           static_cast<uint8_t>(~(kAttributeLocal | kAttributeIncomplete));
  }
  bool incomplete() const { return (flags & kAttributeIncomplete) != 0; }
  bool is_parent_pointer() const { return (flags & kAttributeParent) != 0; }
};

// At most one namespace bit.
bool IsLegalAttributeNamespace(uint8_t flags);
// 1 to 255 bytes without NUL; a parent pointer's also without '/'.
bool IsLegalAttributeName(uint8_t flags, std::string_view name);

// "user.", "trusted.", "security.", or "parent." (our word, for explaining).
std::string_view AttributePrefix(uint8_t flags);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_ATTRIBUTE_H_
