// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/paths.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "fusexfs/names/directory_lookup.h"
#include "fusexfs/names/parents.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

// More than any real file has; a hostile image must not fill the memory.
constexpr size_t kMostPaths = 1'000'000;
constexpr uint64_t kMostBytes = uint64_t{256} << 20;

std::string Escaped(std::string_view name) {
  std::string text;
  for (char c : name) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\\') {
      text += "\\\\";
    } else {
      text += c;
    }
  }
  return text;
}

absl::Status TooMany() {
  return ondisk::PosixError(E2BIG, "too many paths to list");
}

absl::Status Corruption(InodeNumber inode, std::string_view field,
                        uint64_t found, std::string_view expected) {
  return ondisk::CorruptionError("parent pointer", ondisk::Where::Inode(inode),
                                 field, fmt::to_string(found), expected);
}

// The directories above an inode, each looked up once.
class DirectoryTree {
 public:
  explicit DirectoryTree(const NamesContext& context) : context_(context) {
    known_.emplace(context.geometry.root_inode, ParentName{});
  }

  // The path of the directory that `name`, a parent pointer of `child`, tells
  // of; without a slash at its end.
  absl::StatusOr<std::string> PathOf(InodeNumber child, ParentName name) {
    const InodeNumber directory = name.parent;
    ONDISK_RETURN_IF_ERROR(Climb(child, std::move(name)));
    std::vector<const ParentName*> way;
    for (InodeNumber here = directory; here != root();) {
      way.push_back(&known_.at(here));
      here = way.back()->parent;
    }
    std::string path;
    for (; !way.empty(); way.pop_back()) {
      path.append("/").append(Escaped(way.back()->name));
    }
    return path;
  }

 private:
  InodeNumber root() const { return context_.geometry.root_inode; }

  // Learns the directories from `name.parent` up to one that is known. A
  // directory is known once its way to the root is.
  absl::Status Climb(InodeNumber child, ParentName name) {
    absl::flat_hash_map<InodeNumber, ParentName> learned;
    while (true) {
      ONDISK_ASSIGN_OR_RETURN(const InodeRef directory, Open(child, name));
      if (known_.contains(name.parent)) break;
      if (learned.contains(name.parent)) {
        return Corruption(name.parent, "inode", name.parent.value,
                          "a way up to the root, not a cycle");
      }
      ONDISK_ASSIGN_OR_RETURN(std::vector<ParentName> parents,
                              Parents(context_, *directory));
      if (parents.size() != 1) {
        return Corruption(name.parent, "count", parents.size(),
                          "1, as every directory has");
      }
      child = name.parent;
      learned.emplace(child, parents[0]);
      name = std::move(parents[0]);
    }
    known_.merge(learned);
    return absl::OkStatus();
  }

  // The directory that a parent pointer of `child` tells of, if it is the one.
  absl::StatusOr<InodeRef> Open(InodeNumber child, const ParentName& name) {
    absl::StatusOr<InodeRef> directory = context_.inodes.Get(name.parent);
    if (!directory.ok()) {
      const int error = ondisk::ErrnoOf(directory.status());
      if (error != ENOENT && error != EINVAL) return directory;
      return Corruption(child, "inode", name.parent.value,
                        "an inode that is in use");
    }
    if (!(*directory)->is_directory()) {
      return Corruption(child, "inode", name.parent.value, "a directory");
    }
    const uint32_t generation = (*directory)->core().generation;
    if (generation != name.parent_generation) {
      return Corruption(child, "generation", name.parent_generation,
                        "the generation of the directory");
    }
    return directory;
  }

  const NamesContext& context_;
  // Each with its one name; the root has none.
  absl::flat_hash_map<InodeNumber, ParentName> known_;
};

}  // namespace

absl::StatusOr<InodeNumber> LookupPath(const NamesContext& context,
                                       std::string_view path) {
  InodeNumber here = context.geometry.root_inode;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    path.remove_prefix(slash == path.npos ? path.size() : slash + 1);
    if (name.empty()) continue;
    ONDISK_ASSIGN_OR_RETURN(const InodeRef directory, context.inodes.Get(here));
    ONDISK_ASSIGN_OR_RETURN(const auto found,
                            LookupName(context, *directory, name));
    if (!found) {
      return ondisk::PosixError(
          ENOENT, fmt::format("no \"{}\" in inode {}", name, here.value));
    }
    here = *found;
  }
  return here;
}

absl::StatusOr<std::vector<std::string>> Paths(const NamesContext& context,
                                               const Inode& inode) {
  ONDISK_ASSIGN_OR_RETURN(const std::vector<ParentName> parents,
                          Parents(context, inode));
  if (inode.number() == context.geometry.root_inode) {
    return std::vector<std::string>{"/"};
  }
  if (parents.size() > kMostPaths) return TooMany();
  DirectoryTree tree(context);
  std::vector<std::string> paths;
  uint64_t bytes = 0;
  for (const ParentName& parent : parents) {
    ONDISK_ASSIGN_OR_RETURN(std::string path,
                            tree.PathOf(inode.number(), parent));
    path.append("/").append(Escaped(parent.name));
    bytes += path.size();
    if (bytes > kMostBytes) return TooMany();
    paths.push_back(std::move(path));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace fusexfs
