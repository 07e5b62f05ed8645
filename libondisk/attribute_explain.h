// SPDX-License-Identifier: GPL-2.0-or-later
// Rows that short-form and leaf attributes share when they are explained.
//
// Thread-safety: pure functions.
#ifndef FUSEXFS_LIBONDISK_ATTRIBUTE_EXPLAIN_H_
#define FUSEXFS_LIBONDISK_ATTRIBUTE_EXPLAIN_H_

#include <cstdint>
#include <string_view>

#include "libondisk/attribute.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"

namespace ondisk {

// Adds rows `prefix`name and, for a local value, `prefix`value: as a parent, as
// an ACL, as text or as bytes. `base` is where `attribute`'s pointers count
// from.
void ExplainAttributeNameAndValue(const Geometry& geometry,
                                  std::string_view prefix,
                                  const AttributeView& attribute,
                                  const uint8_t* base, Explanation& into);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_ATTRIBUTE_EXPLAIN_H_
