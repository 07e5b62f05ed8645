// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/space/allocation_group.h"

#include "libondisk/agfl.h"
#include "libondisk/checker.h"

namespace fusexfs {
namespace {

using ondisk::BtreeKind;

template <auto kVerifyHeader>
absl::Status Verify(std::string_view name, const ondisk::Geometry& geometry,
                    ondisk::DiskAddress address, ondisk::Bytes bytes) {
  ondisk::Checker check(name, ondisk::Where::Disk(address));
  kVerifyHeader(bytes, geometry, address, check);
  return check.status();
}

constexpr BlockType kAgfType = {
    "AGF",
    [](const ondisk::Geometry& geometry, ondisk::DiskAddress address,
       ondisk::Bytes bytes) {
      return Verify<&ondisk::VerifyAgf>("AGF", geometry, address, bytes);
    },
    offsetof(ondisk::Agf, lsn)};
constexpr BlockType kAgiType = {
    "AGI",
    [](const ondisk::Geometry& geometry, ondisk::DiskAddress address,
       ondisk::Bytes bytes) {
      return Verify<&ondisk::VerifyAgi>("AGI", geometry, address, bytes);
    },
    offsetof(ondisk::Agi, lsn)};
constexpr BlockType kAgflType = {
    "AGFL",
    [](const ondisk::Geometry& geometry, ondisk::DiskAddress address,
       ondisk::Bytes bytes) {
      return Verify<&ondisk::VerifyAgfl>("AGFL", geometry, address, bytes);
    },
    offsetof(ondisk::AgflHeader, lsn)};

BtreeRoot Make(BtreeKind kind, ondisk::AgNumber ag, ondisk::Be32 root,
               ondisk::Be32 levels) {
  return BtreeRoot::InAg(kind, ag, ondisk::AgBlock(root.value()),
                         levels.value());
}

// What `slot` points to; made on first use. Of several threads that make it at
// once, one is the first and the others' are thrown away.
template <class T, class Make>
T& PublishOnce(std::atomic<T*>& slot, Make make) {
  T* object = slot.load(std::memory_order_acquire);
  if (object == nullptr) {
    std::unique_ptr<T> fresh = make();
    if (slot.compare_exchange_strong(object, fresh.get(),
                                     std::memory_order_acq_rel)) {
      object = fresh.release();
    }
  }
  return *object;
}

}  // namespace

absl::StatusOr<HeaderRef<ondisk::Agf>> AllocationGroup::ReadAgf() const {
  ONDISK_ASSIGN_OR_RETURN(BufferRef buffer,
                          cache_.Read(geometry_.AgfAddress(number_),
                                      geometry_.sector_size, kAgfType));
  return HeaderRef<ondisk::Agf>(std::move(buffer));
}

absl::StatusOr<HeaderRef<ondisk::Agi>> AllocationGroup::ReadAgi() const {
  ONDISK_ASSIGN_OR_RETURN(BufferRef buffer,
                          cache_.Read(geometry_.AgiAddress(number_),
                                      geometry_.sector_size, kAgiType));
  return HeaderRef<ondisk::Agi>(std::move(buffer));
}

absl::StatusOr<BufferRef> AllocationGroup::ReadAgfl() const {
  return cache_.Read(geometry_.AgflAddress(number_), geometry_.sector_size,
                     kAgflType);
}

absl::StatusOr<BtreeRoot> AllocationGroup::Root(BtreeKind kind) const {
  if (kind == BtreeKind::kInobt || kind == BtreeKind::kFinobt) {
    ONDISK_ASSIGN_OR_RETURN(const auto agi, ReadAgi());
    return kind == BtreeKind::kInobt
               ? Make(kind, number_, agi->root, agi->level)
               : Make(kind, number_, agi->free_root, agi->free_level);
  }
  ONDISK_ASSIGN_OR_RETURN(const auto agf, ReadAgf());
  switch (kind) {
    case BtreeKind::kBnobt:
      return Make(kind, number_, agf->bnoroot, agf->bnolevel);
    case BtreeKind::kCntbt:
      return Make(kind, number_, agf->cntroot, agf->cntlevel);
    case BtreeKind::kRmapbt:
      return Make(kind, number_, agf->rmaproot, agf->rmaplevel);
    case BtreeKind::kRefcountbt:
      return Make(kind, number_, agf->refcntroot, agf->refcntlevel);
    default:
      return absl::InternalError("an AG has no such btree");
  }
}

AllocationGroups::AllocationGroups(BufferCache& cache,
                                   const ondisk::Geometry& geometry)
    : cache_(cache),
      geometry_(geometry),
      shelves_(std::make_unique<std::atomic<Shelf*>[]>(shelf_count())) {}

AllocationGroups::~AllocationGroups() {
  for (uint32_t i = 0; i < shelf_count(); ++i) {
    const std::unique_ptr<Shelf> shelf(
        shelves_[i].load(std::memory_order_relaxed));
    if (shelf == nullptr) continue;
    for (const std::atomic<AllocationGroup*>& group : *shelf) {
      delete group.load(std::memory_order_relaxed);
    }
  }
}

const AllocationGroup& AllocationGroups::operator[](ondisk::AgNumber ag) const {
  Shelf& shelf = PublishOnce(shelves_[ag.value / kShelfSize],
                             [] { return std::make_unique<Shelf>(); });
  return PublishOnce(shelf[ag.value % kShelfSize], [&] {
    return std::make_unique<AllocationGroup>(cache_, geometry_, ag);
  });
}

}  // namespace fusexfs
