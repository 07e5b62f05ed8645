// SPDX-License-Identifier: GPL-2.0-or-later
// The values of remote attributes.
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_ATTRIBUTE_VALUE_H_
#define FUSEXFS_FUSEXFS_NAMES_ATTRIBUTE_VALUE_H_

#include <string>

#include "absl/status/statusor.h"
#include "fusexfs/names/da_fork.h"
#include "libondisk/attribute.h"

namespace fusexfs {

// The value, from the leaf or from blocks of its own.
absl::StatusOr<std::string> ReadAttributeValue(
    const DaFork& fork, const ondisk::AttributeView& attribute);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_ATTRIBUTE_VALUE_H_
