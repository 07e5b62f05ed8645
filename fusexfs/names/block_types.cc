// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/block_types.h"

#include "libondisk/attribute_leaf.h"
#include "libondisk/attribute_remote.h"
#include "libondisk/da_btree.h"
#include "libondisk/directory_data.h"
#include "libondisk/directory_leaf.h"
#include "libondisk/symlink.h"

namespace fusexfs {
namespace {

using ondisk::Bytes;
using ondisk::Checker;
using ondisk::DiskAddress;
using ondisk::Geometry;
using ondisk::Where;

using Verifier = void (*)(const Geometry&, DiskAddress, Bytes, Checker&);

absl::Status Run(Verifier verifier, std::string_view structure,
                 const Geometry& geometry, DiskAddress address, Bytes bytes) {
  Checker check(structure, Where::Disk(address));
  verifier(geometry, address, bytes, check);
  return check.status();
}

absl::Status VerifyData(const Geometry& geometry, DiskAddress address,
                        Bytes bytes) {
  return ondisk::IsDirectoryBlockForm(bytes)
             ? Run(ondisk::VerifyDirectoryBlock, "directory block", geometry,
                   address, bytes)
             : Run(ondisk::VerifyDirectoryData, "directory data block",
                   geometry, address, bytes);
}

absl::Status VerifyDirectoryTree(const Geometry& geometry, DiskAddress address,
                                 Bytes bytes) {
  if (ondisk::IsDaNode(bytes)) {
    return Run(ondisk::VerifyDaNode, "da node", geometry, address, bytes);
  }
  const uint16_t magic = ondisk::DaMagic(bytes);
  if (magic == ondisk::kDirectoryLeaf1MagicV4 ||
      magic == ondisk::kDirectoryLeaf1MagicV5) {
    return Run(ondisk::VerifyDirectoryLeaf1, "directory leaf1 block", geometry,
               address, bytes);
  }
  return Run(ondisk::VerifyDirectoryLeafN, "directory leafn block", geometry,
             address, bytes);
}

absl::Status VerifyAttributeTree(const Geometry& geometry, DiskAddress address,
                                 Bytes bytes) {
  return ondisk::IsDaNode(bytes)
             ? Run(ondisk::VerifyDaNode, "da node", geometry, address, bytes)
             : Run(ondisk::VerifyAttributeLeaf, "attribute leaf", geometry,
                   address, bytes);
}

absl::Status VerifyAttributeValue(const Geometry& geometry, DiskAddress address,
                                  Bytes bytes) {
  return Run(ondisk::VerifyAttributeRemote, "attribute value block", geometry,
             address, bytes);
}

absl::Status VerifySymlink(const Geometry& geometry, DiskAddress address,
                           Bytes bytes) {
  return Run(ondisk::VerifySymlinkBlock, "symlink block", geometry, address,
             bytes);
}

}  // namespace

const BlockType kDirectoryDataBlock = {
    "directory data block", VerifyData,
    offsetof(ondisk::Directory3BlockHeader, lsn)};
const BlockType kDirectoryTreeBlock = {"directory tree block",
                                       VerifyDirectoryTree,
                                       offsetof(ondisk::Da3BlockInfo, lsn)};
const BlockType kAttributeTreeBlock = {"attribute tree block",
                                       VerifyAttributeTree,
                                       offsetof(ondisk::Da3BlockInfo, lsn)};
const BlockType kAttributeValueBlock = {"attribute value block",
                                        VerifyAttributeValue};
const BlockType kSymlinkBlock = {"symlink block", VerifySymlink,
                                 offsetof(ondisk::SymlinkHeader, lsn)};

}  // namespace fusexfs
