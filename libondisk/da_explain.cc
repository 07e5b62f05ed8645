// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/da_explain.h"

#include "libondisk/attribute_leaf.h"
#include "libondisk/attribute_remote.h"
#include "libondisk/da_btree.h"
#include "libondisk/directory_data.h"
#include "libondisk/directory_free.h"
#include "libondisk/directory_leaf.h"

namespace ondisk {
namespace {

enum class Kind {
  kNone,
  kData,
  kDirectoryLeaf,
  kDirectoryFree,
  kNode,
  kAttributeLeaf,
  kAttributeRemote,
};

Kind KindOf(Bytes block) {
  if (block.size() < sizeof(Da3NodeHeader)) return Kind::kNone;
  switch (View<Be32>(block).value()) {
    case kDirectoryDataMagicV4:
    case kDirectoryDataMagicV5:
    case kDirectoryBlockMagicV4:
    case kDirectoryBlockMagicV5:
      return Kind::kData;
    case kDirectoryFreeMagicV4:
    case kDirectoryFreeMagicV5:
      return Kind::kDirectoryFree;
    case kAttributeRemoteMagic:
      return Kind::kAttributeRemote;
    default:
      break;
  }
  switch (DaMagic(block)) {
    case kDaNodeMagicV4:
    case kDaNodeMagicV5:
      return Kind::kNode;
    case kDirectoryLeaf1MagicV4:
    case kDirectoryLeaf1MagicV5:
    case kDirectoryLeafNMagicV4:
    case kDirectoryLeafNMagicV5:
      return Kind::kDirectoryLeaf;
    case kAttributeLeafMagicV4:
    case kAttributeLeafMagicV5:
      return Kind::kAttributeLeaf;
    default:
      return Kind::kNone;
  }
}

}  // namespace

std::optional<uint32_t> DaBlockSize(const Geometry& geometry, Bytes start,
                                    bool directory) {
  switch (KindOf(start)) {
    case Kind::kNone:
      return std::nullopt;
    case Kind::kData:
    case Kind::kDirectoryLeaf:
    case Kind::kDirectoryFree:
      return geometry.directory_block_size;
    case Kind::kNode:
      return directory ? geometry.directory_block_size : geometry.block_size;
    case Kind::kAttributeLeaf:
    case Kind::kAttributeRemote:
      return geometry.block_size;
  }
  return std::nullopt;
}

std::optional<Explanation> ExplainDaBlock(const Geometry& geometry,
                                          DiskAddress address, Bytes block) {
  switch (KindOf(block)) {
    case Kind::kNone:
      return std::nullopt;
    case Kind::kData:
      return ExplainDirectoryData(geometry, address, block);
    case Kind::kDirectoryLeaf:
      return ExplainDirectoryLeaf(geometry, address, block);
    case Kind::kDirectoryFree:
      return ExplainDirectoryFree(geometry, address, block);
    case Kind::kNode:
      return ExplainDaNode(geometry, address, block);
    case Kind::kAttributeLeaf:
      return ExplainAttributeLeaf(geometry, address, block);
    case Kind::kAttributeRemote:
      return ExplainAttributeRemote(geometry, address, block);
  }
  return std::nullopt;
}

}  // namespace ondisk
