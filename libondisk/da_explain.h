// SPDX-License-Identifier: GPL-2.0-or-later
// Explains any block of a directory or attribute fork by its magic number.
//
// Thread-safety: pure functions.
#ifndef FUSEXFS_LIBONDISK_DA_EXPLAIN_H_
#define FUSEXFS_LIBONDISK_DA_EXPLAIN_H_

#include <optional>

#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

// How many bytes to hand to ExplainDaBlock, going by the first bytes of a block
// (at least 64): a directory block, a filesystem block; nothing if this is no
// block of a directory or attribute fork. An intermediate node does not say
// which of the two it belongs to: `directory` does.
std::optional<uint32_t> DaBlockSize(const Geometry& geometry, Bytes start,
                                    bool directory);

// Nothing if the magic number is none of theirs.
std::optional<Explanation> ExplainDaBlock(const Geometry& geometry,
                                          DiskAddress address, Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DA_EXPLAIN_H_
