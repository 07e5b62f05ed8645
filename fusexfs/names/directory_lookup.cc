// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/directory_lookup.h"

#include <cerrno>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "fusexfs/names/block_types.h"
#include "fusexfs/names/da_fork.h"
#include "fusexfs/names/da_tree.h"
#include "fusexfs/names/directory_form.h"
#include "libondisk/directory_data.h"
#include "libondisk/directory_leaf.h"
#include "libondisk/directory_shortform.h"
#include "libondisk/name_hash.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::DaBlock;
using ondisk::DirectoryBlock;
using ondisk::DirectoryEntryView;
using ondisk::DirectoryLeafEntry;
using ondisk::DirectoryPointer;
using ondisk::Features;
using ondisk::InodeNumber;

using Found = std::optional<InodeNumber>;

// Keeps the best match so far: the exact one, else (in case-insensitive
// directories) the first that differs in case only.
class Match {
 public:
  Match(const Features& features, std::string_view name)
      : features_(features), name_(name) {}

  // True once the search is over.
  bool Offer(const DirectoryEntryView& entry) {
    if (entry.name == name_) {
      found_ = entry.inode;
      return true;
    }
    if (features_.ascii_ci && !found_ &&
        ondisk::DirectoryNamesEqual(features_, entry.name, name_)) {
      found_ = entry.inode;
    }
    return false;
  }
  const Found& found() const { return found_; }

 private:
  const Features& features_;
  std::string_view name_;
  Found found_;
};

Found LookupShortForm(const Features& features, const Inode& directory,
                      std::string_view name) {
  // Verified when the inode was read.
  const ondisk::Bytes fork = directory.local_data();
  if (name == "..") return ondisk::DirectoryShortFormParent(fork);

  Match match(features, name);
  ondisk::DirectoryShortFormEntries entries(features, fork);
  DirectoryEntryView entry;
  while (entries.Next(entry)) {
    if (match.Offer(entry)) break;
  }
  return match.found();
}

// Looks a name up by its hash in leaf entries, wherever they stand. Keeps the
// data block it read last, since equal hashes often share one.
class LeafSearch {
 public:
  LeafSearch(const DaFork& fork, std::string_view name)
      : fork_(fork),
        hash_(ondisk::DirectoryNameHash(fork.geometry().features, name)),
        match_(fork.geometry().features, name) {}

  uint32_t hash() const { return hash_; }
  const Found& found() const { return match_.found(); }

  // True once the search is over: found, or the hashes went past ours.
  absl::StatusOr<bool> Search(std::span<const DirectoryLeafEntry> entries) {
    size_t i = ondisk::FindLeafEntry(entries, hash_);
    for (; i < entries.size() && entries[i].hashval.value() == hash_; ++i) {
      const DirectoryPointer pointer(entries[i].address.value());
      if (pointer.value == ondisk::kNullDirectoryPointer) continue;
      ONDISK_ASSIGN_OR_RETURN(const bool over, Try(pointer));
      if (over) return true;
    }
    return i < entries.size();
  }

  // The only data block of the block form, which the caller has read.
  void SetBlock(BufferRef block) {
    block_ = std::move(block);
    block_number_ = DirectoryBlock(0);
  }
  ondisk::Bytes block() const { return block_.bytes(); }

 private:
  absl::StatusOr<bool> Try(DirectoryPointer pointer) {
    const ondisk::Geometry& g = fork_.geometry();
    const DirectoryBlock number = ondisk::DirectoryBlockOf(g, pointer);
    if (!block_ || number != block_number_) {
      ONDISK_ASSIGN_OR_RETURN(block_, ReadDirectoryData(fork_, number));
      block_number_ = number;
    }
    const uint32_t offset = ondisk::OffsetInDirectoryBlock(g, pointer);
    const auto entry =
        ondisk::DirectoryEntryAt(g.features, block_.bytes(), offset);
    if (!entry) {
      return fork_.Corruption("directory leaf", ondisk::ToDaBlock(g, number),
                              "address", pointer.value,
                              "the place of an entry");
    }
    return match_.Offer(*entry);
  }

  const DaFork& fork_;
  const uint32_t hash_;
  Match match_;
  BufferRef block_;
  DirectoryBlock block_number_;
};

absl::Status SearchBlockForm(const DaFork& fork, LeafSearch& search) {
  ONDISK_ASSIGN_OR_RETURN(BufferRef block, ReadDirectoryBlockForm(fork));
  search.SetBlock(std::move(block));
  return search.Search(ondisk::DirectoryBlockLeaves(search.block())).status();
}

absl::Status SearchTree(const DaFork& fork, LeafSearch& search) {
  const ondisk::Geometry& g = fork.geometry();
  DaTreeWalk walk(fork, kDirectoryTreeBlock, ondisk::DirectoryLeafStart(g));
  ONDISK_RETURN_IF_ERROR(walk.Find(search.hash()));
  while (true) {
    const auto leaf = ondisk::ViewDirectoryLeaf(g.features, walk.leaf());
    ONDISK_ASSIGN_OR_RETURN(const bool over, search.Search(leaf.entries));
    // Only a leaf that ends with our hash can be continued by the next one.
    if (over || leaf.entries.empty() ||
        leaf.entries.back().hashval.value() != search.hash()) {
      return absl::OkStatus();
    }
    ONDISK_ASSIGN_OR_RETURN(const bool more, walk.Next());
    if (!more) return absl::OkStatus();
  }
}

}  // namespace

absl::StatusOr<Found> LookupName(const NamesContext& context,
                                 const Inode& directory,
                                 std::string_view name) {
  if (!directory.is_directory()) {
    return ondisk::PosixError(ENOTDIR, fmt::format("inode {} is no directory",
                                                   directory.number().value));
  }
  if (name.size() > ondisk::kMaxNameLength) {
    return ondisk::PosixError(ENAMETOOLONG, "a name has at most 255 bytes");
  }
  if (name == ".") return directory.number();
  if (!ondisk::IsLegalDirectoryName(name)) return Found();
  if (directory.core().data_format == ondisk::ForkFormat::kLocal) {
    return LookupShortForm(context.geometry.features, directory, name);
  }
  ONDISK_ASSIGN_OR_RETURN(
      const DaFork fork,
      DaFork::Open(context, directory, DaFork::Kind::kDirectory));
  LeafSearch search(fork, name);
  ONDISK_RETURN_IF_ERROR(HasDirectoryBlockForm(fork)
                             ? SearchBlockForm(fork, search)
                             : SearchTree(fork, search));
  return search.found();
}

}  // namespace fusexfs
