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
    "AGF", [](const ondisk::Geometry& geometry, ondisk::DiskAddress address,
              ondisk::Bytes bytes) {
      return Verify<&ondisk::VerifyAgf>("AGF", geometry, address, bytes);
    }};
constexpr BlockType kAgiType = {
    "AGI", [](const ondisk::Geometry& geometry, ondisk::DiskAddress address,
              ondisk::Bytes bytes) {
      return Verify<&ondisk::VerifyAgi>("AGI", geometry, address, bytes);
    }};
constexpr BlockType kAgflType = {
    "AGFL", [](const ondisk::Geometry& geometry, ondisk::DiskAddress address,
               ondisk::Bytes bytes) {
      return Verify<&ondisk::VerifyAgfl>("AGFL", geometry, address, bytes);
    }};

BtreeRoot Make(BtreeKind kind, ondisk::AgNumber ag, ondisk::Be32 root,
               ondisk::Be32 levels) {
  return BtreeRoot::InAg(kind, ag, ondisk::AgBlock(root.value()),
                         levels.value());
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
      groups_(std::make_unique<std::atomic<AllocationGroup*>[]>(
          geometry.ag_count)) {}

AllocationGroups::~AllocationGroups() {
  for (uint32_t i = 0; i < count(); ++i) {
    delete groups_[i].load(std::memory_order_relaxed);
  }
}

const AllocationGroup& AllocationGroups::operator[](ondisk::AgNumber ag) const {
  std::atomic<AllocationGroup*>& slot = groups_[ag.value];
  AllocationGroup* group = slot.load(std::memory_order_acquire);
  if (group == nullptr) {
    auto fresh = std::make_unique<AllocationGroup>(cache_, geometry_, ag);
    if (slot.compare_exchange_strong(group, fresh.get(),
                                     std::memory_order_acq_rel)) {
      group = fresh.release();
    }
  }
  return *group;
}

}  // namespace fusexfs
