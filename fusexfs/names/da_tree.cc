// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/da_tree.h"

#include <utility>

#include "libondisk/checker.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::DaBlock;

constexpr uint32_t kAnyLevel = ~0u;

}  // namespace

absl::Status DaTreeWalk::Find(uint32_t hash) {
  depth_ = 0;
  leaves_left_ = 0;
  return Descend(root_, kAnyLevel, hash);
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
    if (leaves_left_ == 0) leaves_left_ = fork_.CountMappedBlocks() + 1;
    if (--leaves_left_ == 0) {
      return fork_.Corruption("da tree", leaf_block_, "leaves",
                              fork_.CountMappedBlocks() + 1,
                              "no more than blocks mapped");
    }
    ONDISK_RETURN_IF_ERROR(Descend(
        DaBlock(node.entries[step.index].before.value()), node.level - 1u, 0));
    return true;
  }
  return false;
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
