// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/da_tree.h"

#include <utility>

#include "libondisk/checker.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::DaBlock;
// Where V5 blocks carry their links too.
using ondisk::DaBlockInfo;

constexpr uint32_t kAnyLevel = ~0u;

}  // namespace

absl::Status DaTreeWalk::Find(uint32_t hash) {
  depth_ = 0;
  ONDISK_RETURN_IF_ERROR(Descend(root_, kAnyLevel, hash));
  first_leaf_ = leaf_block_;
  return absl::OkStatus();
}

absl::StatusOr<bool> DaTreeWalk::Next() {
  while (depth_ > 0) {
    Step& step = path_[depth_ - 1];
    const auto node = ondisk::ViewDaNode(fork_.geometry(), step.node.bytes());
    if (step.index + 1 >= node.entries.size()) {
      --depth_;
      continue;
    }
    ++step.index;
    const DaBlock previous = leaf_block_;
    const uint32_t next = ondisk::View<DaBlockInfo>(leaf()).forw.value();
    ONDISK_RETURN_IF_ERROR(Descend(
        DaBlock(node.entries[step.index].before.value()), node.level - 1u, 0));
    ONDISK_RETURN_IF_ERROR(CheckNeighbours(previous, next));
    return true;
  }
  return false;
}

absl::Status DaTreeWalk::CheckNeighbours(DaBlock previous,
                                         uint32_t next) const {
  if (next != leaf_block_.value) {
    return fork_.Corruption("da tree", previous, "forw", next,
                            "the leaf that follows by the nodes");
  }
  const uint32_t back = ondisk::View<DaBlockInfo>(leaf()).back.value();
  if (back != previous.value) {
    return fork_.Corruption("da tree", leaf_block_, "back", back,
                            "the leaf before it by the nodes");
  }
  // A ring of leaves comes back to where it was entered.
  if (leaf_block_ == first_leaf_) {
    return fork_.Corruption("da tree", previous, "forw", next,
                            "a leaf that was not met yet");
  }
  return absl::OkStatus();
}

absl::Status DaTreeWalk::Descend(DaBlock at, uint32_t level, uint32_t hash) {
  while (true) {
    ONDISK_ASSIGN_OR_RETURN(BufferRef buffer, fork_.Read(at, type_));
    const ondisk::Bytes block = buffer.bytes();
    ondisk::Checker check(type_.name, fork_.At(at));
    ondisk::VerifyDaOwner(fork_.geometry(), block, fork_.owner(), check);
    ONDISK_RETURN_IF_ERROR(check.status());

    if (!ondisk::IsDaNode(block)) {
      if (level != kAnyLevel && level != 0) {
        return fork_.Corruption("da tree", at, "level", 0,
                                "a node, not a leaf");
      }
      leaf_ = std::move(buffer);
      leaf_block_ = at;
      return absl::OkStatus();
    }

    const auto node = ondisk::ViewDaNode(fork_.geometry(), block);
    if (node.level == 0 || node.level >= ondisk::kDaMaxDepth ||
        (level != kAnyLevel && node.level != level)) {
      return fork_.Corruption("da node", at, "level", node.level,
                              "one less than its parent's");
    }
    const size_t index = ondisk::FindDaChild(node, hash);
    const DaBlock child(node.entries[index].before.value());
    if (child == root_) {
      return fork_.Corruption("da node", at, "before", child.value,
                              "a block that is not the root");
    }
    level = node.level - 1u;
    path_[depth_++] = {std::move(buffer), index};
    at = child;
  }
}

}  // namespace fusexfs
