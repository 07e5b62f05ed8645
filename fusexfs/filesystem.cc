// SPDX-License-Identifier: GPL-2.0-or-later
// The methods of Filesystem: each gets its inodes from the cache and hands them
// to the room that knows.
#include "fusexfs/filesystem.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "fusexfs/file/seek.h"
#include "fusexfs/filesystem_impl.h"
#include "fusexfs/names/directory_lookup.h"
#include "fusexfs/names/paths.h"
#include "fusexfs/names/symlink_read.h"
#include "fusexfs/names/xattr.h"
#include "fusexfs/space/inode_allocation.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

Timestamp FromDisk(const ondisk::Timestamp& time) {
  return {time.seconds, time.nanoseconds};
}

// The size that reads and writes are best made of: no less than a page.
uint32_t PreferredBlockSize(const ondisk::Geometry& geometry) {
  static const uint32_t page = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
  return std::max(geometry.block_size, page);
}

Attributes AttributesOf(const Inode& inode, const ondisk::Geometry& geometry) {
  const ondisk::InodeCore& core = inode.core();
  Attributes a;
  a.inode = inode.number();
  a.generation = core.generation;
  a.mode = core.mode;
  a.links = core.nlink;
  a.user = core.uid;
  a.group = core.gid;
  a.project = core.projid;
  a.device_major = core.device_major;
  a.device_minor = core.device_minor;
  a.size = core.size;
  a.blocks = core.nblocks << geometry.sectors_per_block_log();
  a.block_size = PreferredBlockSize(geometry);
  a.access = FromDisk(core.atime);
  a.modify = FromDisk(core.mtime);
  a.change = FromDisk(core.ctime);
  if (core.has_birth_time()) a.birth = FromDisk(core.crtime);
  a.flags = core.flags;
  a.flags2 = core.flags2;
  a.extent_size_hint = core.extsize;
  a.cow_extent_size_hint = core.cowextsize;
  a.data_extents = core.data_extents;
  a.attribute_extents = core.attribute_extents;
  a.has_attribute_fork = inode.has_attribute_fork();
  return a;
}

// Inodes that are not for users: reading them as files would show metadata.
bool IsHidden(const Inode& inode) { return inode.core().is_metadata(); }

}  // namespace

absl::StatusOr<InodeRef> Filesystem::Impl::Get(InodeNumber number) {
  ONDISK_ASSIGN_OR_RETURN(InodeRef inode, inodes.Get(number));
  if (IsHidden(*inode)) {
    return ondisk::PosixError(
        ENOENT, fmt::format("inode {} is the filesystem's own", number.value));
  }
  return inode;
}

Filesystem::Filesystem(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Filesystem::~Filesystem() = default;

const ondisk::Geometry& Filesystem::geometry() const { return impl_->geometry; }
const Device& Filesystem::data_device() const { return *impl_->data_device; }
InodeNumber Filesystem::root() const { return impl_->geometry.root_inode; }

// ---- names ----

absl::StatusOr<std::optional<InodeNumber>> Filesystem::Lookup(
    InodeNumber directory, std::string_view name) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(directory));
  return LookupName(impl_->names, *inode, name);
}

absl::StatusOr<InodeNumber> Filesystem::LookupPath(std::string_view path) {
  return fusexfs::LookupPath(impl_->names, path);
}

absl::Status Filesystem::ReadDirectory(
    InodeNumber directory, uint64_t cookie,
    absl::FunctionRef<bool(const DirectoryEntry&)> visit) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(directory));
  return fusexfs::ReadDirectory(impl_->names, *inode, cookie, visit);
}

absl::StatusOr<std::string> Filesystem::ReadLink(InodeNumber number) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return ReadSymlink(impl_->names, *inode);
}

absl::StatusOr<std::vector<ParentName>> Filesystem::Parents(
    InodeNumber number) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::Parents(impl_->names, *inode);
}

absl::StatusOr<std::vector<std::string>> Filesystem::Paths(InodeNumber number) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::Paths(impl_->names, *inode);
}

// ---- attributes ----

absl::StatusOr<bool> Filesystem::IsAllocated(InodeNumber number) {
  return IsInodeAllocated(impl_->groups, number);
}

absl::StatusOr<Attributes> Filesystem::GetAttributes(InodeNumber number) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return AttributesOf(*inode, impl_->geometry);
}

absl::StatusOr<std::string> Filesystem::GetXattr(InodeNumber number,
                                                 std::string_view name) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::GetXattr(impl_->names, *inode, name);
}

absl::StatusOr<std::string> Filesystem::ListXattrs(InodeNumber number,
                                                   bool trusted) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::ListXattrs(impl_->names, *inode, trusted);
}

absl::StatusOr<FilesystemStatistics> Filesystem::Statistics() {
  const FreeNumbers numbers = NumbersForStatfs(impl_->geometry, impl_->counts);
  FilesystemStatistics statistics;
  statistics.block_size = impl_->geometry.block_size;
  statistics.blocks = numbers.blocks;
  statistics.blocks_free = numbers.blocks_free;
  statistics.blocks_available = numbers.blocks_free;
  statistics.files = numbers.files;
  statistics.files_free = numbers.files_free;
  std::memcpy(&statistics.filesystem_id, impl_->geometry.uuid.data(),
              sizeof(statistics.filesystem_id));
  return statistics;
}

std::string Filesystem::UnknownRoCompatFeatures() const {
  return ondisk::NameBits(ondisk::UnknownRoCompat(impl_->superblock),
                          ondisk::kRoCompatNames);
}

std::string Filesystem::VolumeLabel() const {
  return ondisk::VolumeLabel(impl_->superblock);
}

// ---- data ----

absl::StatusOr<uint64_t> Filesystem::Read(InodeNumber number, uint64_t offset,
                                          ondisk::MutableBytes into) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return ReadFile(*inode, impl_->geometry, *impl_->data_device, offset, into);
}

absl::Status Filesystem::MapForRead(InodeNumber number, uint64_t offset,
                                    uint64_t length, size_t most_segments,
                                    std::vector<FileSegment>& segments) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::MapForRead(*inode, impl_->geometry, offset, length,
                             most_segments, segments);
}

absl::StatusOr<uint64_t> Filesystem::SeekData(InodeNumber number,
                                              uint64_t offset) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::SeekData(*inode, impl_->geometry, offset);
}

absl::StatusOr<uint64_t> Filesystem::SeekHole(InodeNumber number,
                                              uint64_t offset) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::SeekHole(*inode, impl_->geometry, offset);
}

absl::Status Filesystem::Fiemap(
    InodeNumber number, uint64_t start, uint64_t length, FiemapFork fork,
    absl::FunctionRef<bool(const FiemapExtent&)> visit) {
  ONDISK_ASSIGN_OR_RETURN(const InodeRef inode, impl_->Get(number));
  return fusexfs::Fiemap(*inode, impl_->geometry, *impl_->refcount, start,
                         length, fork, visit);
}

// ---- strategies and caches ----

std::string_view Filesystem::refcount_strategy() const {
  return impl_->refcount->name();
}

void Filesystem::DropCaches() {
  impl_->inodes.DropUnused();
  impl_->buffers.DropUnused();
}

std::string Filesystem::StatisticsText() const {
  const InodeCache::Counters inodes = impl_->inodes.counters();
  const BufferCache::Counters buffers = impl_->buffers.counters();
  std::string text =
      fmt::format("{:<8} {:>10} {:>12} {:>12} {:>12} {:>12}\n", "cache",
                  "entries", "bytes", "hits", "misses", "reclaimed");
  text += fmt::format("{:<8} {:>10} {:>12} {:>12} {:>12} {:>12}\n", "buffers",
                      buffers.entries, buffers.bytes, buffers.hits,
                      buffers.misses, buffers.reclaimed);
  text += fmt::format("{:<8} {:>10} {:>12} {:>12} {:>12} {:>12}\n", "inodes",
                      inodes.entries, inodes.bytes, inodes.hits, inodes.misses,
                      inodes.reclaimed);
  return text;
}

}  // namespace fusexfs
