// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/btree/btree_root.h"

#include <array>

#include <fmt/format.h>

#include "libondisk/btree_block.h"

namespace fusexfs {
namespace {

using ondisk::BtreeKind;

template <BtreeKind kKind>
absl::Status Verify(const ondisk::Geometry& geometry,
                    ondisk::DiskAddress address, ondisk::Bytes bytes) {
  ondisk::Checker check(ondisk::TraitsOf(kKind).name,
                        ondisk::Where::Disk(address));
  VerifyBtreeBlock(bytes, kKind, geometry, address, check);
  return check.status();
}

}  // namespace

BtreeRoot BtreeRoot::InAg(BtreeKind kind, ondisk::AgNumber ag,
                          ondisk::AgBlock block, uint32_t levels) {
  BtreeRoot root;
  root.kind = kind;
  root.ag = ag;
  root.block = block;
  root.levels = levels;
  return root;
}

BtreeRoot BtreeRoot::InInode(ondisk::InodeNumber owner, ondisk::Bytes fork) {
  BtreeRoot root;
  root.kind = BtreeKind::kBmbt;
  root.owner = owner;
  root.fork = fork;
  root.levels = ondisk::BmbtRoot(fork).level();
  return root;
}

std::string BtreeRoot::Describe() const {
  const std::string_view name = ondisk::TraitsOf(kind).name;
  return in_inode() ? fmt::format("{} of inode {}", name, owner.value)
                    : fmt::format("{} of AG {}", name, ag.value);
}

const BlockType& BtreeBlockType(BtreeKind kind) {
  constexpr uint32_t kShort = offsetof(ondisk::BtreeShortHeader, lsn);
  constexpr uint32_t kLong = offsetof(ondisk::BtreeLongHeader, lsn);
  // In the order of BtreeKind.
  static constexpr std::array<BlockType, ondisk::kBtreeKinds> kTypes = {{
      {"bnobt block", &Verify<BtreeKind::kBnobt>, kShort},
      {"cntbt block", &Verify<BtreeKind::kCntbt>, kShort},
      {"inobt block", &Verify<BtreeKind::kInobt>, kShort},
      {"finobt block", &Verify<BtreeKind::kFinobt>, kShort},
      {"rmapbt block", &Verify<BtreeKind::kRmapbt>, kShort},
      {"refcountbt block", &Verify<BtreeKind::kRefcountbt>, kShort},
      {"bmbt block", &Verify<BtreeKind::kBmbt>, kLong},
  }};
  return kTypes[static_cast<size_t>(kind)];
}

}  // namespace fusexfs
