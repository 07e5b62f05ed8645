// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/btree/btree_path.h"

#include <algorithm>

#include "libondisk/checker.h"

namespace fusexfs {
namespace {

using ondisk::Checker;
using ondisk::Where;

// Leaves asked for ahead of a walk.
constexpr uint32_t kReadahead = 16;

}  // namespace

BtreePath::BtreePath(BufferCache& cache, const ondisk::Geometry& geometry,
                     const BtreeRoot& root)
    : cache_(cache),
      geometry_(geometry),
      root_(root),
      layout_(ondisk::BtreeLayout::Of(root.kind, geometry)),
      top_(root.in_inode() ? root.levels : root.levels - 1) {}

absl::Status BtreePath::ToRoot() {
  Checker check(ondisk::TraitsOf(root_.kind).name, Where{});
  if (!check.InRange("levels", root_.levels, 1, kMostBtreeLevels - 1) ||
      (!root_.in_inode() &&
       !check.That(geometry_.IsValidPayload(root_.ag, root_.block), "root",
                   root_.block.value,
                   "a block of the AG behind its headers"))) {
    return Named(check.status());
  }
  if (!root_.in_inode()) return Enter(root_.block.value, top_);
  Checker fork_check(ondisk::TraitsOf(root_.kind).name,
                     Where::Inode(root_.owner));
  VerifyBmbtRoot(root_.fork, geometry_, fork_check);
  if (fork_check.failed()) return Named(fork_check.status());
  level_ = top_;
  nodes_[top_].index = 0;
  return absl::OkStatus();
}

uint32_t BtreePath::count() const {
  return IsInodeRoot() ? ondisk::BmbtRoot(root_.fork).count() : block().count();
}

ondisk::Bytes BtreePath::LowKey(uint32_t i) const {
  if (!IsInodeRoot()) return block().LowKey(i);
  return root_.fork.subspan(
      sizeof(ondisk::BmbtRootHeader) + size_t{i} * sizeof(ondisk::Be64),
      sizeof(ondisk::Be64));
}

ondisk::Bytes BtreePath::Record(uint32_t i) const { return block().Record(i); }

uint64_t BtreePath::Pointer(uint32_t i) const {
  return IsInodeRoot() ? ondisk::BmbtRoot(root_.fork).Pointer(i)
                       : block().Pointer(i);
}

ondisk::DiskAddress BtreePath::address() const {
  return IsInodeRoot() ? ondisk::DiskAddress()
                       : nodes_[level_].buffer.address();
}

ondisk::DiskAddress BtreePath::AddressOf(uint64_t number) const {
  return root_.in_inode()
             ? geometry_.ToDiskAddress(ondisk::FsBlock(number))
             : geometry_.ToDiskAddress(
                   root_.ag, ondisk::AgBlock(static_cast<uint32_t>(number)));
}

absl::Status BtreePath::Named(const absl::Status& status) const {
  return ondisk::Annotate(status, root_.Describe());
}

absl::Status BtreePath::Enter(uint64_t number, uint32_t level) {
  absl::StatusOr<BufferRef> buffer = cache_.Read(
      AddressOf(number), layout_.block_size, BtreeBlockType(root_.kind));
  if (!buffer.ok()) return Named(buffer.status());
  Node& node = nodes_[level];
  node.buffer = *std::move(buffer);
  node.number = number;
  node.index = 0;
  level_ = level;

  const ondisk::BtreeBlock view = block();
  Checker check(ondisk::TraitsOf(root_.kind).name, Where::Disk(address()));
  VerifyBtreeLevel(view, level, check);
  if (root_.in_inode()) {
    VerifyBmbtOwner(view, root_.owner, check);
  } else if (level == top_) {
    // The root has no neighbours, and is a leaf if it is empty.
    check.EqualHex("leftsib", view.left(), ondisk::kNullFsBlock);
    check.EqualHex("rightsib", view.right(), ondisk::kNullFsBlock);
  }
  if (root_.in_inode() || level != top_ || level > 0) {
    check.AtLeast("numrecs", view.count(), 1);
  }
  return check.failed() ? Named(check.status()) : absl::OkStatus();
}

absl::Status BtreePath::Descend() {
  return Enter(Pointer(index()), level_ - 1);
}

absl::StatusOr<bool> BtreePath::ToNextLeaf() {
  return ToNeighbourLeaf(Direction::kRight);
}

absl::StatusOr<bool> BtreePath::ToPreviousLeaf() {
  return ToNeighbourLeaf(Direction::kLeft);
}

absl::StatusOr<bool> BtreePath::ToNeighbourLeaf(Direction direction) {
  const bool right = direction == Direction::kRight;
  // Up to the first node that has a further child on that side.
  uint32_t up = 1;
  for (;; ++up) {
    if (up > top_) {
      level_ = 0;  // stay
      return false;
    }
    level_ = up;
    const bool further = right ? index() + 1 < count() : nodes_[up].index > 0;
    if (further) break;
  }
  set_index(right ? index() + 1 : index() - 1);
  // Down again, along the near edge; each block is the old one's neighbour.
  while (!at_leaf()) {
    if (right && level_ == 1) PrefetchChildren();
    const uint32_t below = level_ - 1;
    const BufferRef old = std::move(nodes_[below].buffer);
    const uint64_t old_number = nodes_[below].number;
    ONDISK_RETURN_IF_ERROR(Descend());
    ONDISK_RETURN_IF_ERROR(CheckNeighbours(
        ondisk::BtreeBlock(old.bytes(), layout_), old_number, direction));
    set_index(right ? 0 : count() - 1);
  }
  return true;
}

absl::Status BtreePath::CheckNeighbours(const ondisk::BtreeBlock& from,
                                        uint64_t from_number,
                                        Direction direction) const {
  const bool right = direction == Direction::kRight;
  Checker check(ondisk::TraitsOf(root_.kind).name, Where::Disk(address()));
  check.Equal(right ? "leftsib" : "rightsib",
              right ? block().left() : block().right(), from_number);
  if (check.failed()) return Named(check.status());
  Checker old_check(ondisk::TraitsOf(root_.kind).name,
                    Where::Disk(AddressOf(from_number)));
  old_check.Equal(right ? "rightsib" : "leftsib",
                  right ? from.right() : from.left(), nodes_[level_].number);
  return old_check.failed() ? Named(old_check.status()) : absl::OkStatus();
}

void BtreePath::PrefetchChildren() const {
  if (index() % kReadahead != 1) return;
  const uint32_t end = std::min(count(), index() + kReadahead);
  for (uint32_t i = index(); i < end; ++i) {
    cache_.Prefetch(AddressOf(Pointer(i)), layout_.block_size);
  }
}

}  // namespace fusexfs
