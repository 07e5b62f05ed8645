// SPDX-License-Identifier: GPL-2.0-or-later
// Parent pointers: for each name of an inode, an attribute that says which
// directory has it. The attribute's name is the entry's name, its flag is
// PARENT, its value the parent's number and generation.
//
// Thread-safety: pure functions.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h (xfs_parent_rec), xfs_parent.c.
#ifndef FUSEXFS_LIBONDISK_PARENT_POINTER_H_
#define FUSEXFS_LIBONDISK_PARENT_POINTER_H_

#include <cstdint>

#include "libondisk/attribute.h"
#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

struct ParentRecord {
  Be64 inode;
  Be32 generation;
};
static_assert(sizeof(ParentRecord) == 12);
extern const FieldTable kParentRecordFields;

// `attribute` is a legal parent pointer: complete, local, of 12 bytes, a legal
// directory name, a legal parent.
void VerifyParentPointer(const Geometry& geometry,
                         const AttributeView& attribute, Checker& check);

struct ParentPointerView {
  std::string_view name;
  InodeNumber parent;
  uint32_t generation = 0;
};
// REQUIRES: VerifyParentPointer held.
ParentPointerView ViewParentPointer(const AttributeView& attribute);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_PARENT_POINTER_H_
