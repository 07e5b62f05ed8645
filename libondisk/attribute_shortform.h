// SPDX-License-Identifier: GPL-2.0-or-later
// An attribute fork small enough to live inside its inode.
//
// Thread-safety: pure functions on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_attr_leaf.c
// (xfs_attr_shortform_verify).
#ifndef FUSEXFS_LIBONDISK_ATTRIBUTE_SHORTFORM_H_
#define FUSEXFS_LIBONDISK_ATTRIBUTE_SHORTFORM_H_

#include <cstdint>

#include "libondisk/attribute.h"
#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

struct AttributeShortFormHeader {
  Be16 totsize;  // bytes of header and entries
  uint8_t count;
  uint8_t padding;
};
static_assert(sizeof(AttributeShortFormHeader) == 4);

// Name and value bytes follow.
struct AttributeShortFormEntry {
  uint8_t namelen;
  uint8_t valuelen;
  uint8_t flags;
};
static_assert(sizeof(AttributeShortFormEntry) == 3);

// `fork` is the whole literal area of the attribute fork; totsize says how much
// of it is used.
void VerifyAttributeShortForm(const Geometry& geometry, Bytes fork,
                              Checker& check);

// Walks the attributes. REQUIRES: VerifyAttributeShortForm held.
class AttributeShortFormEntries {
 public:
  explicit AttributeShortFormEntries(Bytes fork);
  // False at the end (and at bytes that cannot be an entry).
  bool Next(AttributeView& attribute);

 private:
  Bytes fork_;
  uint32_t position_;
  uint32_t left_;
};

Explanation ExplainAttributeShortForm(const Geometry& geometry,
                                      InodeNumber inode, Bytes fork);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_ATTRIBUTE_SHORTFORM_H_
