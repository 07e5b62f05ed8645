// SPDX-License-Identifier: GPL-2.0-or-later
// What `ondisk explain` shows: one function per WHAT. Each hands one or more
// structures to the printer; a check that does not hold is the printer's
// business, an error returned is what made it impossible to go on.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_EXPLAIN_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_EXPLAIN_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "fusexfs/tools/ondisk/explanation_printer.h"
#include "fusexfs/tools/ondisk/raw_image.h"
#include "libondisk/btree_traits.h"
#include "libondisk/extents.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

// The primary superblock, even of an image that is not one.
absl::Status ExplainPrimarySuperblock(const Device& device,
                                      ExplanationPrinter& printer);

// The headers of an AG. EINVAL if there is no such AG.
enum class AgHeader : uint8_t { kSuperblock, kAgf, kAgi, kAgfl };
absl::Status ExplainAgHeader(const RawImage& image, AgHeader header,
                             uint64_t ag, ExplanationPrinter& printer);

absl::Status ExplainInodeNumber(const RawImage& image,
                                ondisk::InodeNumber inode,
                                ExplanationPrinter& printer);

// Whatever stands there, by its magic number.
absl::Status ExplainDiskAddress(const RawImage& image,
                                ondisk::DiskAddress address,
                                ExplanationPrinter& printer);
absl::Status ExplainFsBlock(const RawImage& image, ondisk::FsBlock block,
                            ExplanationPrinter& printer);

// Every block of a directory, or of an attribute fork.
absl::Status ExplainNames(const RawImage& image, ondisk::InodeNumber inode,
                          ondisk::Fork fork, ExplanationPrinter& printer);

// Every block of a tree, the root first. For bmbt: of the file's data fork.
absl::Status ExplainAgBtree(const RawImage& image, ondisk::BtreeKind kind,
                            uint64_t ag, ExplanationPrinter& printer);
absl::Status ExplainFileBtree(const RawImage& image, ondisk::InodeNumber inode,
                              ExplanationPrinter& printer);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_EXPLAIN_H_
