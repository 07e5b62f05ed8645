// SPDX-License-Identifier: GPL-2.0-or-later
// The btrees of the allocation groups, walked from end to end, and looked up
// in; the refcount btree through FIEMAP too.
#include <cstdint>

#include "fusexfs/btree/btree_cursor.h"
#include "fusexfs/btree/trees.h"
#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/space/allocation_group.h"
#include "fusexfs/space/refcount_lookup.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/patched_image.h"

namespace {

using fusexfs::AllocationGroup;

template <class Tree>
void Walk(const AllocationGroup& group, ondisk::Bytes input) {
  const absl::StatusOr<fusexfs::BtreeRoot> root = group.Root(Tree::kKind);
  if (!root.ok()) return;
  fusexfs::BtreeCursor<Tree> cursor(group.cache(), group.geometry(), *root);
  for (auto at = cursor.First(); at.ok() && *at; at = cursor.Next()) {
  }
  // A key made of the input's last bytes.
  uint8_t key[32] = {};
  for (size_t i = 0; i < sizeof(key) && i < input.size(); ++i) {
    key[i] = input[input.size() - 1 - i];
  }
  const auto wanted = Tree::DecodeKey(key);
  (void)cursor.LookupAtLeast(wanted);
  (void)cursor.LookupEqual(wanted);
  auto at = cursor.LookupAtMost(wanted);
  for (int i = 0; i < 100 && at.ok() && *at; ++i) at = cursor.Previous();
}

}  // namespace

const fusexfs::fuzz::Bases* bases;

// Before the first input, so that loading does not count as its time.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using enum fusexfs::StructureKind;
  bases = new fusexfs::fuzz::Bases(
      fusexfs::fuzz::LoadBases({"tiny-v5", "tiny-1k", "dir64k-1k", "tiny-v4"},
                               {kShortBtree, kAgf, kAgi}));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ondisk::Bytes input(data, size);
  const auto image = fusexfs::fuzz::ReadInput(*bases, input);
  fusexfs::fuzz::ExplainChanged(*image);

  const ondisk::Geometry& geometry = image->base().geometry;
  fusexfs::BufferCache cache(*image, geometry, 4u << 20);
  fusexfs::AllocationGroups groups(cache, geometry);
  for (uint32_t ag = 0; ag < groups.count(); ++ag) {
    const AllocationGroup& group = groups[ondisk::AgNumber(ag)];
    Walk<fusexfs::BnobtTree>(group, input);
    Walk<fusexfs::CntbtTree>(group, input);
    Walk<fusexfs::InobtTree>(group, input);
    if (geometry.features.finobt) Walk<fusexfs::FinobtTree>(group, input);
    if (geometry.features.rmapbt) Walk<fusexfs::RmapTree>(group, input);
    if (geometry.features.reflink) Walk<fusexfs::RefcountTree>(group, input);
  }
  const auto refcounts = fusexfs::NewRefcountLookup("locked", groups);
  if (refcounts.ok()) {
    for (uint32_t ag = 0; ag < groups.count(); ++ag) {
      const uint32_t blocks = geometry.AgSize(ondisk::AgNumber(ag));
      (void)(*refcounts)
          ->FindShared(ondisk::AgNumber(ag), ondisk::AgBlock(0), blocks);
    }
  }
  return 0;
}
