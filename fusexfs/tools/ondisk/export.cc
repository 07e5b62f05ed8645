// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk export: a file or directory and all below it as a tar.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/directories_seen.h"
#include "fusexfs/tools/ondisk/directory_reader.h"
#include "fusexfs/tools/ondisk/posix_acl.h"
#include "fusexfs/tools/ondisk/sparse_ranges.h"
#include "fusexfs/tools/ondisk/tar_writer.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr size_t kPiece = 1u << 20;  // bytes

// Memory: one directory batch per level, one piece of a file, a number for each
// directory, and a path for each file that has more links than the walk has
// met.
class Exporter {
 public:
  Exporter(Filesystem& filesystem, TarWriter& tar, Console& console)
      : filesystem_(filesystem), tar_(tar), console_(console) {}

  // Errors of reading concern one file: they are told, the walk goes on, and
  // the last one is returned. An error of writing ends the walk.
  absl::Status Export(const std::string& name, ondisk::InodeNumber inode) {
    path_ = name;
    ONDISK_RETURN_IF_ERROR(AddOne(inode));
    while (!levels_.empty()) {
      Level& level = levels_.back();
      auto entry = level.reader->Next();
      if (!entry.ok()) Damaged(entry.status());
      if (!entry.ok() || *entry == nullptr) {
        path_.resize(level.path_above);
        levels_.pop_back();
        continue;
      }
      const size_t above = path_.size();
      path_ = JoinPath(path_, (*entry)->name);
      const size_t depth = levels_.size();
      ONDISK_RETURN_IF_ERROR(AddOne((*entry)->inode));
      if (levels_.size() == depth) {
        path_.resize(above);
      } else {
        levels_.back().path_above = above;
      }
    }
    return damaged_;
  }

 private:
  struct Level {
    size_t path_above = 0;  // bytes of path_ without this directory
    std::unique_ptr<DirectoryReader> reader;
  };
  struct Link {
    std::string path;
    uint32_t names_left = 0;
  };

  // Writes what path_ leads to; a directory is then the last level.
  absl::Status AddOne(ondisk::InodeNumber inode) {
    auto entry = Gather(inode);
    if (!entry.ok()) {
      Damaged(entry.status());
      return absl::OkStatus();
    }
    const Attributes& a = entry->attributes;
    if (S_ISSOCK(a.mode)) {
      console_.Note(fmt::format("{}: a socket, which no tar can hold: left out",
                                EscapeName(path_)));
      return absl::OkStatus();
    }
    if (S_ISDIR(a.mode)) {
      const absl::Status first = seen_.Enter(inode, path_);
      if (!first.ok()) {
        Damaged(first);
        return absl::OkStatus();
      }
      GatherXattrs(inode, *entry);
      entry->path += '/';
      ONDISK_RETURN_IF_ERROR(tar_.WriteHeader(*entry));
      levels_.push_back(
          {0, std::make_unique<DirectoryReader>(filesystem_, inode,
                                                DirectoryReader::Options{})});
      return absl::OkStatus();
    }
    if (a.links > 1) entry->hard_link = EarlierPath(a);
    if (!entry->hard_link.empty()) return tar_.WriteHeader(*entry);
    GatherXattrs(inode, *entry);
    if (S_ISREG(a.mode)) return AddFile(inode, *entry);
    return tar_.WriteHeader(*entry);
  }

  absl::StatusOr<TarEntry> Gather(ondisk::InodeNumber inode) {
    TarEntry entry;
    entry.path = path_;
    ONDISK_ASSIGN_OR_RETURN(entry.attributes, filesystem_.GetAttributes(inode));
    if (S_ISLNK(entry.attributes.mode)) {
      ONDISK_ASSIGN_OR_RETURN(entry.link_target, filesystem_.ReadLink(inode));
    }
    return entry;
  }

  // What cannot be read, or cannot stand in a tar, is told and left out.
  void GatherXattrs(ondisk::InodeNumber inode, TarEntry& entry) {
    const auto names = filesystem_.ListXattrs(inode, /*trusted=*/true);
    if (!names.ok()) return Damaged(names.status());
    for (size_t start = 0; start < names->size();) {
      const size_t end = std::min(names->find('\0', start), names->size());
      std::string name = names->substr(start, end - start);
      start = end + 1;
      // The same access control lists as system.posix_acl_*, as XFS keeps them.
      if (name.starts_with("trusted.SGI_ACL_")) continue;
      auto value = filesystem_.GetXattr(inode, name);
      absl::Status status = value.status();
      if (status.ok() && IsPosixAclName(name)) {
        status = CheckPosixAcl(*value);
      }
      if (!status.ok()) {
        Damaged(ondisk::Annotate(status, EscapeName(name)));
        continue;
      }
      entry.xattrs.push_back({std::move(name), *std::move(value)});
    }
  }

  // The path under which the file is in the tar already; empty the first time.
  std::string EarlierPath(const Attributes& a) {
    auto [at, first] = links_.try_emplace(a.inode.value, Link{path_, a.links});
    std::string earlier = first ? "" : at->second.path;
    if (--at->second.names_left == 0) links_.erase(at);
    return earlier;
  }
  // It is not there after all.
  void ForgetPath(const Attributes& a) { links_.erase(a.inode.value); }

  absl::Status AddFile(ondisk::InodeNumber inode, TarEntry& entry) {
    const uint64_t size = entry.attributes.size;
    auto ranges = FindDataRanges(filesystem_, inode, size);
    if (!ranges.ok()) {
      Damaged(ranges.status());
      ForgetPath(entry.attributes);
      return absl::OkStatus();
    }
    const bool whole = ranges->size() == 1 && ranges->front().offset == 0 &&
                       ranges->front().length == size;
    if (!whole) entry.ranges = *ranges;
    ONDISK_RETURN_IF_ERROR(tar_.WriteHeader(entry));
    for (const DataRange& range : *ranges) {
      ONDISK_RETURN_IF_ERROR(CopyRange(inode, range));
    }
    return absl::OkStatus();
  }

  // The header has promised these bytes: where they cannot be read, zeros stand
  // for them, and the error is told.
  absl::Status CopyRange(ondisk::InodeNumber inode, const DataRange& range) {
    for (uint64_t done = 0; done < range.length;) {
      const ondisk::MutableBytes piece = ondisk::MutableBytes(buffer_).first(
          std::min<uint64_t>(kPiece, range.length - done));
      auto bytes = filesystem_.Read(inode, range.offset + done, piece);
      if (!bytes.ok() || *bytes != piece.size()) {
        const uint64_t good = bytes.ok() ? *bytes : 0;
        std::fill(piece.begin() + static_cast<ptrdiff_t>(good), piece.end(),
                  uint8_t{0});
        Damaged(bytes.ok() ? ondisk::PosixError(
                                 EIO, "the file is shorter than its size")
                           : bytes.status());
      }
      ONDISK_RETURN_IF_ERROR(tar_.WriteData(piece));
      done += piece.size();
    }
    return absl::OkStatus();
  }

  void Damaged(const absl::Status& status) {
    damaged_ = ondisk::Annotate(status, EscapeName(path_));
    console_.Note(ondisk::MessageOf(damaged_));
  }

  Filesystem& filesystem_;
  TarWriter& tar_;
  Console& console_;
  std::string path_;
  std::vector<Level> levels_;
  DirectoriesSeen seen_;
  absl::flat_hash_map<uint64_t, Link> links_;
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(kPiece);
  absl::Status damaged_;
};

// What the entries' paths start with: the last component, "." for the root.
std::string TopName(std::string_view path) {
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return path.empty() ? "." : std::string(path);
}

}  // namespace

absl::Status RunExport(const ImageOptions& image, const std::string& path,
                       Console& console) {
  if (console.out_is_terminal()) {
    return UsageError(
        "export writes a tar to standard output, which is a terminal: send it "
        "to a file or a pipe (ondisk export IMAGE PATH > x.tar)");
  }
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(image, console));
  ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                          ResolveTarget(*filesystem, path, LastLink::kKeep));
  ONDISK_ASSIGN_OR_RETURN(TarWriter tar, TarWriter::Open(STDOUT_FILENO));
  Exporter exporter(*filesystem, tar, console);
  const absl::Status status = exporter.Export(TopName(path), inode);
  const absl::Status closed = tar.Close();
  return status.ok() ? closed : status;
}

}  // namespace fusexfs::tool
