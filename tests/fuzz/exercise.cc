// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/exercise.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libondisk/agf.h"
#include "libondisk/agfl.h"
#include "libondisk/agi.h"
#include "libondisk/attribute_leaf.h"
#include "libondisk/attribute_remote.h"
#include "libondisk/btree_block.h"
#include "libondisk/da_btree.h"
#include "libondisk/directory_data.h"
#include "libondisk/directory_free.h"
#include "libondisk/directory_leaf.h"
#include "libondisk/inode_core.h"
#include "libondisk/log_record.h"
#include "libondisk/superblock.h"
#include "libondisk/symlink.h"

namespace fusexfs::fuzz {
namespace {

constexpr size_t kMostEntries = 5000;
constexpr size_t kMostNames = 16;
constexpr size_t kMostSteps = 40;
constexpr uint64_t kCacheBytes = 4u << 20;

std::vector<ondisk::InodeNumber> ExerciseDirectory(Filesystem& filesystem,
                                                   ondisk::InodeNumber inode) {
  std::vector<ondisk::InodeNumber> children;
  std::vector<std::string> names;
  size_t entries = 0;
  uint64_t middle = 0;
  (void)filesystem.ReadDirectory(inode, 0, [&](const DirectoryEntry& entry) {
    if (++entries > kMostEntries) return false;
    if (entries == 100) middle = entry.next_cookie;
    if (names.size() < kMostNames) names.emplace_back(entry.name);
    if (entry.name != "." && entry.name != "..") {
      children.push_back(entry.inode);
    }
    return true;
  });
  size_t more = 0;
  (void)filesystem.ReadDirectory(
      inode, middle, [&more](const DirectoryEntry&) { return ++more < 10; });
  for (const std::string& name : names) (void)filesystem.Lookup(inode, name);
  (void)filesystem.Lookup(inode, "no such name");
  return children;
}

void ExerciseXattrs(Filesystem& filesystem, ondisk::InodeNumber inode) {
  const absl::StatusOr<std::string> list = filesystem.ListXattrs(inode, true);
  (void)filesystem.GetXattr(inode, "user.none");
  (void)filesystem.GetXattr(inode, "system.posix_acl_access");
  if (!list.ok()) return;
  size_t names = 0;
  for (size_t at = 0; at < list->size() && ++names <= kMostNames;) {
    const std::string name(list->c_str() + at);
    (void)filesystem.GetXattr(inode, name);
    at += name.size() + 1;
  }
}

void ExerciseData(Filesystem& filesystem, ondisk::InodeNumber inode,
                  uint64_t size) {
  std::vector<uint8_t> buffer(size_t{8} << 10);
  for (const uint64_t offset : {uint64_t{0}, size / 2, size - size % 512}) {
    (void)filesystem.Read(inode, offset, buffer);
  }
  std::vector<FileSegment> segments;
  (void)filesystem.MapForRead(inode, 0, size, 64, segments);
  uint64_t at = 0;
  for (size_t step = 0; step < kMostSteps; ++step) {
    const absl::StatusOr<uint64_t> next = step % 2 == 0
                                              ? filesystem.SeekHole(inode, at)
                                              : filesystem.SeekData(inode, at);
    if (!next.ok()) break;
    at = *next;
  }
  for (const FiemapFork fork : {FiemapFork::kData, FiemapFork::kAttribute}) {
    size_t extents = 0;
    (void)filesystem.Fiemap(
        inode, 0, ~uint64_t{0}, fork,
        [&extents](const FiemapExtent&) { return ++extents < kMostSteps; });
  }
}

std::vector<ondisk::InodeNumber> Exercise(Filesystem& filesystem,
                                          ondisk::InodeNumber inode) {
  const absl::StatusOr<Attributes> attributes = filesystem.GetAttributes(inode);
  std::vector<ondisk::InodeNumber> children =
      ExerciseDirectory(filesystem, inode);
  (void)filesystem.ReadLink(inode);
  ExerciseXattrs(filesystem, inode);
  ExerciseData(filesystem, inode, attributes.ok() ? attributes->size : 4096);
  (void)filesystem.Parents(inode);
  (void)filesystem.Paths(inode);
  return children;
}

}  // namespace

std::unique_ptr<Filesystem> MountPatched(const PatchedImage& image) {
  MountOptions options;
  options.read_only = true;
  options.no_recovery = true;
  options.cache_bytes = kCacheBytes;
  auto mounted = Filesystem::Mount(image.Clone(), nullptr, options);
  return mounted.ok() ? *std::move(mounted) : nullptr;
}

void ExerciseInode(Filesystem& filesystem, ondisk::InodeNumber inode) {
  Exercise(filesystem, inode);
}

void ExerciseTree(Filesystem& filesystem, size_t most) {
  std::set<ondisk::InodeNumber> seen = {filesystem.root()};
  std::deque<ondisk::InodeNumber> queue = {filesystem.root()};
  for (size_t done = 0; done < most && !queue.empty(); ++done) {
    const ondisk::InodeNumber inode = queue.front();
    queue.pop_front();
    for (const ondisk::InodeNumber child : Exercise(filesystem, inode)) {
      if (seen.size() < 2 * most && seen.insert(child).second) {
        queue.push_back(child);
      }
    }
  }
}

void ExerciseOwners(Filesystem& filesystem, const PatchedImage& image) {
  std::set<ondisk::InodeNumber> owners;
  for (const auto& [offset, changed] : image.changed()) {
    if (changed.structure.owner.has_value()) {
      owners.insert(*changed.structure.owner);
    }
  }
  for (const ondisk::InodeNumber owner : owners) {
    // What a tool is told by its user, too, is asked as it is.
    ExerciseInode(filesystem, owner);
  }
}

void ExplainChanged(const PatchedImage& image) {
  const ondisk::Geometry& geometry = image.base().geometry;
  for (const auto& [offset, changed] : image.changed()) {
    const ondisk::Bytes bytes = changed.bytes;
    const ondisk::DiskAddress address(offset >> ondisk::kDiskAddressShift);
    switch (changed.structure.kind) {
      case StructureKind::kSuperblock:
        ondisk::ExplainSuperblock(bytes, image.size());
        break;
      case StructureKind::kAgf:
        ondisk::ExplainAgf(bytes, geometry, address);
        break;
      case StructureKind::kAgi:
        ondisk::ExplainAgi(bytes, geometry, address);
        break;
      case StructureKind::kAgfl:
        ondisk::ExplainAgfl(bytes, geometry, address);
        break;
      case StructureKind::kShortBtree:
      case StructureKind::kBmbt:
        ondisk::ExplainBtreeBlock(bytes, *changed.structure.tree, geometry,
                                  address);
        break;
      case StructureKind::kInode:
        ondisk::ExplainInode(
            geometry, changed.structure.owner.value_or(geometry.root_inode),
            bytes);
        break;
      case StructureKind::kDirectoryData:
        ondisk::ExplainDirectoryData(geometry, address, bytes);
        break;
      case StructureKind::kDirectoryFree:
        ondisk::ExplainDirectoryFree(geometry, address, bytes);
        break;
      case StructureKind::kDirectoryLeaf:
        ondisk::ExplainDirectoryLeaf(geometry, address, bytes);
        break;
      case StructureKind::kDaNode:
        ondisk::ExplainDaNode(geometry, address, bytes);
        break;
      case StructureKind::kAttributeLeaf:
        ondisk::ExplainAttributeLeaf(geometry, address, bytes);
        break;
      case StructureKind::kAttributeRemote:
        ondisk::ExplainAttributeRemote(geometry, address, bytes);
        break;
      case StructureKind::kSymlink:
        ondisk::ExplainSymlinkBlock(geometry, address, bytes);
        break;
      case StructureKind::kLogBlock:
        ondisk::ExplainLogRecordHeader(geometry.features.log_v2, bytes, 0,
                                       geometry.uuid);
        break;
    }
  }
}

void ExercisePatched(const PatchedImage& image) {
  ExplainChanged(image);
  const std::unique_ptr<Filesystem> filesystem = MountPatched(image);
  if (filesystem == nullptr) return;
  ExerciseOwners(*filesystem, image);
  ExerciseTree(*filesystem, 2);
}

}  // namespace fusexfs::fuzz
