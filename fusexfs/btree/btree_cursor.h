// SPDX-License-Identifier: GPL-2.0-or-later
// Lookup and iteration in one btree, by record.
//
//   BtreeCursor<RefcountTree> cursor(cache, geometry, root);
//   ONDISK_ASSIGN_OR_RETURN(bool found, cursor.LookupAtLeast(key));
//   while (found) { use(cursor.record()); ASSIGN(found, cursor.Next()); }
//
// Every record that the cursor stops at has been checked, and iteration checks
// that records ascend, so that it ends on any image.
// Errors: I/O; corruption naming the tree, the block's address and the field.
// After an error the cursor stands nowhere.
// Thread-safety: one cursor belongs to one thread. The tree must not change
// under it (the caller holds what LOCKING.md names for the tree).
#ifndef FUSEXFS_FUSEXFS_BTREE_BTREE_CURSOR_H_
#define FUSEXFS_FUSEXFS_BTREE_BTREE_CURSOR_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/btree/btree_path.h"
#include "fusexfs/btree/btree_root.h"
#include "libondisk/checker.h"
#include "libondisk/geometry.h"

namespace fusexfs {

// `Tree` is one of trees.h.
template <class Tree>
class BtreeCursor {
 public:
  using Record = typename Tree::Record;
  using Key = typename Tree::Key;

  // REQUIRES: root.kind == Tree::kKind.
  BtreeCursor(BufferCache& cache, const ondisk::Geometry& geometry,
              const BtreeRoot& root)
      : path_(cache, geometry, root) {}

  // Each stops at a record, or says false: there is none.
  absl::StatusOr<bool> First();
  // The first record whose key is not below `key`.
  absl::StatusOr<bool> LookupAtLeast(const Key& key);
  // The last record whose key is not above `key`.
  absl::StatusOr<bool> LookupAtMost(const Key& key);
  absl::StatusOr<bool> LookupEqual(const Key& key);
  // REQUIRE: the cursor is at a record. False leaves it there.
  absl::StatusOr<bool> Next();
  absl::StatusOr<bool> Previous();

  // REQUIRES: the last call said true.
  const Record& record() const { return record_; }

 private:
  // Goes down to the leaf where `key` would be; the index there is the first
  // record not below it (maybe the count). False: the tree is empty.
  absl::StatusOr<bool> Seek(const Key& key);
  absl::Status CheckChildKey(const Key& expected) const;
  absl::Status LoadRecord();
  absl::Status CheckAscending(const Record& before, const Record& after) const;
  ondisk::Checker NewChecker() const {
    return ondisk::Checker(ondisk::TraitsOf(Tree::kKind).name,
                           ondisk::Where::Disk(path_.address()));
  }

  BtreePath path_;
  Record record_;
};

template <class Tree>
absl::StatusOr<bool> BtreeCursor<Tree>::Seek(const Key& key) {
  ONDISK_RETURN_IF_ERROR(path_.ToRoot());
  while (!path_.at_leaf()) {
    // The last child whose first key is not above `key`; else the first child.
    uint32_t low = 0, high = path_.count();
    while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      if (Tree::DecodeKey(path_.LowKey(middle)) <= key) {
        low = middle;
      } else {
        high = middle;
      }
    }
    const Key child_key = Tree::DecodeKey(path_.LowKey(low));
    path_.set_index(low);
    ONDISK_RETURN_IF_ERROR(path_.Descend());
    ONDISK_RETURN_IF_ERROR(CheckChildKey(child_key));
  }
  uint32_t low = 0, high = path_.count();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (Tree::KeyOf(Tree::Decode(path_.Record(middle), path_.geometry())) <
        key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  path_.set_index(low);
  return path_.count() > 0;
}

// A parent's key is the first key of its child; else lookups go astray.
template <class Tree>
absl::Status BtreeCursor<Tree>::CheckChildKey(const Key& expected) const {
  const Key found =
      path_.at_leaf()
          ? Tree::KeyOf(Tree::Decode(path_.Record(0), path_.geometry()))
          : Tree::DecodeKey(path_.LowKey(0));
  if (found == expected) return absl::OkStatus();
  ondisk::Checker check = NewChecker();
  check.Fail("first key", Tree::Text(found), Tree::Text(expected));
  return path_.Named(check.status());
}

template <class Tree>
absl::Status BtreeCursor<Tree>::LoadRecord() {
  record_ = Tree::Decode(path_.Record(path_.index()), path_.geometry());
  ondisk::Checker check = NewChecker();
  Tree::Verify(record_, path_.geometry(), path_.root(), check);
  return check.failed() ? path_.Named(check.status()) : absl::OkStatus();
}

template <class Tree>
absl::Status BtreeCursor<Tree>::CheckAscending(const Record& before,
                                               const Record& after) const {
  if (Tree::InOrder(before, after)) return absl::OkStatus();
  ondisk::Checker check = NewChecker();
  check.Fail("record order", Tree::Text(Tree::KeyOf(after)),
             "a record behind " + Tree::Text(Tree::KeyOf(before)));
  return path_.Named(check.status());
}

template <class Tree>
absl::StatusOr<bool> BtreeCursor<Tree>::First() {
  ONDISK_RETURN_IF_ERROR(path_.ToRoot());
  while (!path_.at_leaf()) {
    const Key child_key = Tree::DecodeKey(path_.LowKey(0));
    path_.set_index(0);
    ONDISK_RETURN_IF_ERROR(path_.Descend());
    ONDISK_RETURN_IF_ERROR(CheckChildKey(child_key));
  }
  path_.set_index(0);
  if (path_.count() == 0) return false;
  ONDISK_RETURN_IF_ERROR(LoadRecord());
  return true;
}

template <class Tree>
absl::StatusOr<bool> BtreeCursor<Tree>::LookupAtLeast(const Key& key) {
  ONDISK_ASSIGN_OR_RETURN(const bool any, Seek(key));
  if (!any) return false;
  if (path_.index() == path_.count()) {
    ONDISK_ASSIGN_OR_RETURN(const bool moved, path_.ToNextLeaf());
    if (!moved) return false;
  }
  ONDISK_RETURN_IF_ERROR(LoadRecord());
  return true;
}

template <class Tree>
absl::StatusOr<bool> BtreeCursor<Tree>::LookupAtMost(const Key& key) {
  ONDISK_ASSIGN_OR_RETURN(const bool any, Seek(key));
  if (!any) return false;
  const uint32_t index = path_.index();
  if (index < path_.count()) {
    ONDISK_RETURN_IF_ERROR(LoadRecord());
    if (Tree::KeyOf(record_) == key) return true;
  }
  if (index > 0) {
    path_.set_index(index - 1);
  } else {
    ONDISK_ASSIGN_OR_RETURN(const bool moved, path_.ToPreviousLeaf());
    if (!moved) return false;
  }
  ONDISK_RETURN_IF_ERROR(LoadRecord());
  return true;
}

template <class Tree>
absl::StatusOr<bool> BtreeCursor<Tree>::LookupEqual(const Key& key) {
  ONDISK_ASSIGN_OR_RETURN(const bool any, Seek(key));
  if (!any || path_.index() == path_.count()) return false;
  ONDISK_RETURN_IF_ERROR(LoadRecord());
  return Tree::KeyOf(record_) == key;
}

template <class Tree>
absl::StatusOr<bool> BtreeCursor<Tree>::Next() {
  const Record before = record_;
  if (path_.index() + 1 < path_.count()) {
    path_.set_index(path_.index() + 1);
  } else {
    ONDISK_ASSIGN_OR_RETURN(const bool moved, path_.ToNextLeaf());
    if (!moved) return false;
  }
  ONDISK_RETURN_IF_ERROR(LoadRecord());
  ONDISK_RETURN_IF_ERROR(CheckAscending(before, record_));
  return true;
}

template <class Tree>
absl::StatusOr<bool> BtreeCursor<Tree>::Previous() {
  const Record after = record_;
  if (path_.index() > 0) {
    path_.set_index(path_.index() - 1);
  } else {
    ONDISK_ASSIGN_OR_RETURN(const bool moved, path_.ToPreviousLeaf());
    if (!moved) return false;
  }
  ONDISK_RETURN_IF_ERROR(LoadRecord());
  ONDISK_RETURN_IF_ERROR(CheckAscending(record_, after));
  return true;
}

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_BTREE_BTREE_CURSOR_H_
