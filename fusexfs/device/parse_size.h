// SPDX-License-Identifier: GPL-2.0-or-later
// Sizes and offsets as users write them.
//
// Thread-safety: a pure function.
#ifndef FUSEXFS_FUSEXFS_DEVICE_PARSE_SIZE_H_
#define FUSEXFS_FUSEXFS_DEVICE_PARSE_SIZE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace fusexfs {

// "64M" and the like: digits and K, M, G or T (powers of 1024). EINVAL.
absl::StatusOr<uint64_t> ParseSize(std::string_view text);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_PARSE_SIZE_H_
