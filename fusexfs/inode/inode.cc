// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/inode.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "fusexfs/inode/extent_loader.h"
#include "libondisk/attribute_shortform.h"
#include "libondisk/checker.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::Bytes;
using ondisk::ForkFormat;

// The part of a fork's area that is in use.
Bytes InUse(ForkFormat format, uint64_t extents, uint64_t local_bytes,
            Bytes area) {
  switch (format) {
    case ForkFormat::kLocal:
      return area.first(std::min<uint64_t>(local_bytes, area.size()));
    case ForkFormat::kExtents:
      return area.first(extents * sizeof(ondisk::DiskExtent));
    case ForkFormat::kBtree:
      return area;  // where the root's pointers are depends on the whole size
    default:
      return {};
  }
}

}  // namespace

Inode::~Inode() {
  delete data_extents_.load(std::memory_order_relaxed);
  delete attribute_extents_.load(std::memory_order_relaxed);
}

absl::StatusOr<uint64_t> Inode::Fill(BufferCache& buffers,
                                     const ondisk::Geometry& geometry,
                                     Bytes disk_inode) {
  ondisk::Checker check("inode", ondisk::Where::Inode(number()));
  ondisk::VerifyInode(geometry, number(), disk_inode, check);
  if (check.failed()) return check.status();
  core_ = ondisk::DecodeInode(number(), disk_inode);
  if (core_.mode == 0) {
    return ondisk::PosixError(
        ENOENT, fmt::format("inode {} is not in use", number().value));
  }
  ondisk::VerifyInodeForks(geometry, core_, disk_inode, check);
  if (check.failed()) return check.status();

  const Bytes data = InUse(core_.data_format, core_.data_extents, core_.size,
                           ondisk::DataFork(core_, disk_inode));
  Bytes attributes;
  if (core_.has_attribute_fork()) {
    const Bytes area = ondisk::AttributeFork(core_, disk_inode);
    uint64_t local = 0;
    if (core_.attribute_format == ForkFormat::kLocal) {
      local =
          ondisk::View<ondisk::AttributeShortFormHeader>(area).totsize.value();
    }
    attributes =
        InUse(core_.attribute_format, core_.attribute_extents, local, area);
  }
  data_bytes_ = static_cast<uint16_t>(data.size());
  attribute_bytes_ = static_cast<uint16_t>(attributes.size());
  const size_t bytes = data.size() + attributes.size();
  forks_ = std::make_unique_for_overwrite<uint8_t[]>(bytes);
  std::copy(data.begin(), data.end(), forks_.get());
  std::copy(attributes.begin(), attributes.end(), forks_.get() + data.size());
  buffers_ = &buffers;
  geometry_ = &geometry;
  return sizeof(Inode) + bytes;
}

absl::StatusOr<const ExtentMap*> Inode::DataExtents() const {
  return Extents(ondisk::Fork::kData, data_extents_);
}

absl::StatusOr<const ExtentMap*> Inode::AttributeExtents() const {
  if (!has_attribute_fork()) {
    static const ExtentMap kNone;
    return &kNone;
  }
  return Extents(ondisk::Fork::kAttribute, attribute_extents_);
}

absl::StatusOr<const ExtentMap*> Inode::Extents(
    ondisk::Fork fork, std::atomic<const ExtentMap*>& published) const {
  if (const ExtentMap* map = published.load(std::memory_order_acquire)) {
    return map;
  }
  MutexLock lock(loading_);
  if (const ExtentMap* map = published.load(std::memory_order_relaxed)) {
    return map;
  }
  ONDISK_ASSIGN_OR_RETURN(
      ExtentMap loaded,
      LoadExtents(
          *buffers_, *geometry_, core_, fork,
          fork == ondisk::Fork::kData ? data_fork() : attribute_fork()));
  const auto* map = new ExtentMap(std::move(loaded));
  published.store(map, std::memory_order_release);
  Charge(sizeof(ExtentMap) + map->memory_bytes());
  return map;
}

}  // namespace fusexfs
