// SPDX-License-Identifier: GPL-2.0-or-later
// The block types of this room, as the buffer cache knows them.
//
// Blocks that are found before it is known what they are (the root of a tree
// may be a leaf) share one type; its verifier goes by the magic number.
//
// Thread-safety: constants.
#ifndef FUSEXFS_FUSEXFS_NAMES_BLOCK_TYPES_H_
#define FUSEXFS_FUSEXFS_NAMES_BLOCK_TYPES_H_

#include "fusexfs/cache/buffer_cache.h"

namespace fusexfs {

// Data blocks and the block form.
extern const BlockType kDirectoryDataBlock;
// da nodes, leaf1 and leafn blocks.
extern const BlockType kDirectoryTreeBlock;
// da nodes and attribute leaves.
extern const BlockType kAttributeTreeBlock;
extern const BlockType kAttributeValueBlock;
extern const BlockType kSymlinkBlock;

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_BLOCK_TYPES_H_
