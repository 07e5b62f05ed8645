// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk tree: a directory and all below it.
#include <dirent.h>
#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/directories_seen.h"
#include "fusexfs/tools/ondisk/directory_reader.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr size_t kMostSorted = 10'000;  // names of one directory

// One directory on the way down, with the entry that will be printed next: a
// line must know whether it is its directory's last.
struct Level {
  size_t path_above;    // bytes of the path, and of the lines' prefix, that
  size_t prefix_above;  // belong to the directories above
  std::unique_ptr<DirectoryReader> reader;
  DirectoryReader::Entry next;
  bool ended = false;

  absl::Status Advance() {
    ended = true;  // after an error, too
    ONDISK_ASSIGN_OR_RETURN(const auto* entry, reader->Next());
    if (entry != nullptr) {
      next = *entry;
      ended = false;
    }
    return absl::OkStatus();
  }
};

class TreePrinter {
 public:
  TreePrinter(Filesystem& filesystem, Console& console)
      : filesystem_(filesystem), console_(console) {
    if (console.json()) array_.emplace(console);
  }

  absl::Status Print(std::string_view root_name, ondisk::InodeNumber root) {
    if (!array_) console_.Write(console_.Name(root_name) + "\n");
    Enter(root, root_name, "");
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.ended) {
        path_.resize(level.path_above);
        prefix_.resize(level.prefix_above);
        levels_.pop_back();
        continue;
      }
      const DirectoryReader::Entry entry = std::move(level.next);
      if (absl::Status status = level.Advance(); !status.ok()) Damaged(status);
      const bool last = level.ended;
      PrintLine(entry, last);
      if (IsDirectory(entry)) {
        Enter(entry.inode, entry.name, last ? "    " : "│   ");
      }
    }
    return Finish();
  }

 private:
  void PrintLine(const DirectoryReader::Entry& entry, bool last) {
    if (array_) {
      Json object;
      PutName(object, "path", JoinPath(path_, entry.name));
      object["inode"] = entry.inode.value;
      object["depth"] = levels_.size();
      array_->Add(object);
    } else {
      console_.Write(
          prefix_ + (last ? "└── " : "├── ") +
          console_.Paint(IsDirectory(entry) ? Style::kHeading : Style::kPlain,
                         console_.Name(entry.name)) +
          "\n");
    }
    ++(IsDirectory(entry) ? directories_ : files_);
  }

  bool IsDirectory(const DirectoryReader::Entry& entry) const {
    if (entry.type != DT_UNKNOWN) return entry.type == DT_DIR;
    const auto attributes = filesystem_.GetAttributes(entry.inode);
    return attributes.ok() && S_ISDIR(attributes->mode);
  }

  // Goes down into a directory, unless it is damaged or contains itself.
  void Enter(ondisk::InodeNumber inode, std::string_view name,
             std::string_view indent) {
    const size_t path_above = path_.size();
    const size_t prefix_above = prefix_.size();
    path_ = levels_.empty() ? std::string(name) : JoinPath(path_, name);
    Level level{path_above,
                prefix_above,
                std::make_unique<DirectoryReader>(
                    filesystem_, inode,
                    DirectoryReader::Options{.most_sorted = kMostSorted}),
                {}};
    if (absl::Status status = Open(inode, level); !status.ok()) {
      Damaged(status);
      path_.resize(path_above);
      return;
    }
    prefix_ += indent;
    levels_.push_back(std::move(level));
  }

  absl::Status Open(ondisk::InodeNumber inode, Level& level) {
    ONDISK_RETURN_IF_ERROR(seen_.Enter(inode, path_));
    return level.Advance();
  }

  void Damaged(const absl::Status& status) {
    damaged_ = ondisk::Annotate(status, EscapeName(path_));
    console_.Note(ondisk::MessageOf(damaged_));
  }

  absl::Status Finish() {
    if (!array_) {
      console_.Write(fmt::format("\n{} director{}, {} file{}\n", directories_,
                                 directories_ == 1 ? "y" : "ies", files_,
                                 files_ == 1 ? "" : "s"));
    }
    array_.reset();
    return damaged_;
  }

  Filesystem& filesystem_;
  Console& console_;
  std::optional<JsonArray> array_;
  std::vector<Level> levels_;
  DirectoriesSeen seen_;
  std::string path_;
  std::string prefix_;
  uint64_t directories_ = 0;  // below the top
  uint64_t files_ = 0;
  absl::Status damaged_;
};

}  // namespace

absl::Status RunTree(const ImageOptions& image, const std::string& path,
                     Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(image, console));
  ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                          ResolveTarget(*filesystem, path, LastLink::kFollow));
  return TreePrinter(*filesystem, console).Print(path, inode);
}

}  // namespace fusexfs::tool
