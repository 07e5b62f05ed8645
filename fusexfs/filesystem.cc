#include "fusexfs/filesystem.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "fusexfs/cache/buffer_cache.h"
#include "fusexfs/file/seek.h"
#include "fusexfs/inode/inode_cache.h"
#include "fusexfs/journal/log_area.h"
#include "fusexfs/journal/log_state.h"
#include "fusexfs/names/context.h"
#include "fusexfs/names/directory_lookup.h"
#include "fusexfs/names/paths.h"
#include "fusexfs/names/symlink_read.h"
#include "fusexfs/names/xattr.h"
#include "fusexfs/space/allocation_group.h"
#include "fusexfs/space/inode_allocation.h"
#include "fusexfs/space/refcount_lookup.h"
#include "fusexfs/space/summary_counts.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;
using ondisk::Superblock;

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

// Two inodes that are not for users: reading them as files would show metadata.
bool IsHidden(const Inode& inode) { return inode.core().is_metadata(); }

}  // namespace

struct Filesystem::Impl {
  Impl(std::unique_ptr<Device> data, std::unique_ptr<Device> log,
       const ondisk::Geometry& shape, const Superblock& primary,
       const MountOptions& options)
      : data_device(std::move(data)),
        log_device(std::move(log)),
        geometry(shape),
        superblock(primary),
        // Inodes are small, and buffers of inode clusters are soon done with.
        buffers(*data_device, geometry, options.cache_bytes / 2),
        inodes(buffers, geometry, options.cache_bytes / 2),
        groups(buffers, geometry),
        names{geometry, buffers, inodes} {}

  absl::Status CheckLog(const MountOptions& options) const;
  absl::Status CheckGroups() const;
  absl::Status CheckRoot();
  absl::Status FindCounts(const MountOptions& options);
  // An inode that users may see.
  absl::StatusOr<InodeRef> Get(InodeNumber number);

  const std::unique_ptr<Device> data_device;
  const std::unique_ptr<Device> log_device;
  const ondisk::Geometry geometry;
  const Superblock superblock;
  BufferCache buffers;
  InodeCache inodes;
  AllocationGroups groups;
  const NamesContext names;
  std::unique_ptr<RefcountLookup> refcount;
  SummaryCounts counts;
};

absl::Status Filesystem::Impl::CheckLog(const MountOptions& options) const {
  ONDISK_ASSIGN_OR_RETURN(
      const LogArea area,
      LogArea::Of(geometry, *data_device, log_device.get()));
  if (options.no_recovery) return absl::OkStatus();
  ONDISK_ASSIGN_OR_RETURN(const LogState state, FindLogState(area));
  if (state.clean) return absl::OkStatus();
  ONDISK_RETURN_IF_ERROR(ondisk::CheckLogRecoverable(superblock));
  return ondisk::PosixError(
      EUCLEAN,
      fmt::format("{}: the log is {}; it was not unmounted cleanly and this "
                  "release cannot replay a log. Mount it once with the kernel, "
                  "or look at it as it is with -o ro,norecovery",
                  data_device->name(), state.ToString()));
}

// The kernel refuses an image with a damaged AG header, so that nothing is
// built on it. With norecovery the user wants what can be had: then damage is
// reported where it is met.
absl::Status Filesystem::Impl::CheckGroups() const {
  constexpr uint32_t kReadahead = 32;
  for (uint32_t ag = 0; ag < geometry.ag_count; ++ag) {
    if (ag % kReadahead == 0) {
      const uint32_t end = std::min(geometry.ag_count, ag + kReadahead);
      for (uint32_t next = ag; next < end; ++next) {
        const ondisk::AgNumber number(next);
        data_device->Prefetch(geometry.SuperblockAddress(number).value
                                  << ondisk::kDiskAddressShift,
                              uint64_t{4} << geometry.sector_log);
      }
    }
    const AllocationGroup& group = groups[ondisk::AgNumber(ag)];
    ONDISK_RETURN_IF_ERROR(group.ReadAgf().status());
    ONDISK_RETURN_IF_ERROR(group.ReadAgi().status());
  }
  return absl::OkStatus();
}

absl::Status Filesystem::Impl::CheckRoot() {
  absl::StatusOr<InodeRef> root = inodes.Get(geometry.root_inode);
  if (!root.ok()) return ondisk::Annotate(root.status(), "root directory");
  if ((*root)->is_directory()) return absl::OkStatus();
  return ondisk::CorruptionError(
      "root inode", ondisk::Where::Inode(geometry.root_inode), "mode",
      fmt::format("0{:o}", (*root)->core().mode), "a directory's");
}

absl::Status Filesystem::Impl::FindCounts(const MountOptions& options) {
  // A log that was not read may hold newer counters than the superblock.
  if (options.no_recovery && geometry.features.lazy_counters) {
    absl::StatusOr<SummaryCounts> sum = SumOverGroups(groups);
    if (sum.ok()) {
      counts = *sum;
      return absl::OkStatus();
    }
    if (!ondisk::IsCorruption(sum.status())) return sum.status();
  }
  counts.inodes = superblock.icount.value();
  counts.free_inodes = superblock.ifree.value();
  counts.free_blocks = superblock.fdblocks.value();
  return absl::OkStatus();
}

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

absl::StatusOr<std::unique_ptr<Filesystem>> Filesystem::Mount(
    std::unique_ptr<Device> data_device, std::unique_ptr<Device> log_device,
    const MountOptions& options) {
  if (options.no_recovery && !options.read_only) {
    return ondisk::PosixError(EINVAL,
                              "norecovery mounts must be read-only (-o ro)");
  }
  std::vector<uint8_t> bytes(
      std::min<uint64_t>(data_device->size(), ondisk::kSuperblockReadBytes));
  ONDISK_RETURN_IF_ERROR(data_device->ReadAt(0, bytes));
  absl::StatusOr<ondisk::Geometry> geometry =
      ondisk::GeometryFromSuperblock(bytes, data_device->size());
  if (!geometry.ok()) {
    return ondisk::Annotate(geometry.status(), data_device->name());
  }
  const Superblock& superblock = ondisk::View<Superblock>(bytes);
  const absl::Status mountable = ondisk::CheckMountable(
      superblock, {.read_only = options.read_only,
                   .has_log_device = log_device != nullptr});
  if (!mountable.ok()) return ondisk::Annotate(mountable, data_device->name());

  auto impl =
      std::make_unique<Impl>(std::move(data_device), std::move(log_device),
                             *geometry, superblock, options);
  ONDISK_ASSIGN_OR_RETURN(
      impl->refcount,
      NewRefcountLookup(options.refcount_strategy, impl->groups));
  ONDISK_RETURN_IF_ERROR(impl->CheckLog(options));
  if (!options.no_recovery) ONDISK_RETURN_IF_ERROR(impl->CheckGroups());
  ONDISK_RETURN_IF_ERROR(impl->CheckRoot());
  ONDISK_RETURN_IF_ERROR(impl->FindCounts(options));
  return std::unique_ptr<Filesystem>(new Filesystem(std::move(impl)));
}

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
