// SPDX-License-Identifier: GPL-2.0-or-later
// The attribute fork of an inode, in every form: find one attribute, visit all.
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_ATTRIBUTE_READ_H_
#define FUSEXFS_FUSEXFS_NAMES_ATTRIBUTE_READ_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/names/context.h"
#include "libondisk/attribute.h"

namespace fusexfs {

// The value of the attribute `name` in the namespace `name_space` (kAttribute*
// flag bits, 0: user). ENODATA.
absl::StatusOr<std::string> ReadAttribute(const NamesContext& context,
                                          const Inode& inode,
                                          uint8_t name_space,
                                          std::string_view name);

// Calls `visit` for each attribute, incomplete ones included, in the order of
// the fork, until it returns a status that is not OK (which is returned). The
// view is valid during the call only.
absl::Status VisitAttributes(
    const NamesContext& context, const Inode& inode,
    absl::FunctionRef<absl::Status(const ondisk::AttributeView&)> visit);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_ATTRIBUTE_READ_H_
