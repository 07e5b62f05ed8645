// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk ls: a directory's names, or one file.
#include <sys/stat.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/directory_reader.h"
#include "fusexfs/tools/ondisk/format.h"
#include "fusexfs/tools/ondisk/table.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr size_t kMostSorted = 100'000;  // names

class Lister {
 public:
  Lister(Filesystem& filesystem, const ListOptions& options, Console& console)
      : filesystem_(filesystem),
        options_(options),
        console_(console),
        table_(console, Columns(options)) {
    if (console.json()) array_.emplace(console);
  }

  absl::Status Add(std::string_view name, ondisk::InodeNumber inode) {
    if (!options_.long_format && !console_.json()) {
      AddShort(name, inode);
      return absl::OkStatus();
    }
    auto attributes = filesystem_.GetAttributes(inode);
    if (!attributes.ok()) return Damaged(name, inode, attributes.status());
    std::string target;
    if (S_ISLNK(attributes->mode)) {
      auto link = filesystem_.ReadLink(inode);
      if (!link.ok()) return Damaged(name, inode, link.status());
      target = *std::move(link);
    }
    if (console_.json()) {
      AddJson(name, *attributes, target);
    } else {
      AddLong(name, *attributes, target);
    }
    return absl::OkStatus();
  }

  absl::Status Finish() {
    table_.Flush();
    array_.reset();
    return damaged_;
  }

 private:
  static std::vector<Table::Column> Columns(const ListOptions& options) {
    std::vector<Table::Column> columns;
    if (options.inode) columns.push_back({"", Table::Align::kRight});
    if (options.long_format) {
      columns.push_back({""});                        // mode
      columns.push_back({"", Table::Align::kRight});  // links
      columns.push_back({"", Table::Align::kRight});  // user
      columns.push_back({"", Table::Align::kRight});  // group
      columns.push_back({"", Table::Align::kRight});  // size
      columns.push_back({""});                        // time
    }
    columns.push_back({""});
    return columns;
  }

  void AddShort(std::string_view name, ondisk::InodeNumber inode) {
    if (options_.inode) {
      table_.Add({fmt::to_string(inode.value), console_.Name(name)});
    } else {
      console_.Write(console_.Name(name) + "\n");
    }
  }

  void AddLong(std::string_view name, const Attributes& a,
               const std::string& target) {
    std::vector<std::string> cells;
    if (options_.inode) cells.push_back(fmt::to_string(a.inode.value));
    cells.push_back(ModeText(a.mode));
    cells.push_back(fmt::to_string(a.links));
    cells.push_back(fmt::to_string(a.user));
    cells.push_back(fmt::to_string(a.group));
    const bool device = S_ISCHR(a.mode) || S_ISBLK(a.mode);
    cells.push_back(device
                        ? fmt::format("{}, {}", a.device_major, a.device_minor)
                        : fmt::to_string(a.size));
    cells.push_back(TimeText(a.modify));
    std::string last = console_.Name(name);
    if (S_ISLNK(a.mode)) last.append(" -> ").append(console_.Name(target));
    cells.push_back(std::move(last));
    table_.Add(std::move(cells));
  }

  void AddJson(std::string_view name, const Attributes& a,
               const std::string& target) {
    Json object;
    PutName(object, "name", name);
    object.update(AttributesJson(a));
    if (S_ISLNK(a.mode)) PutName(object, "target", target);
    array_->Add(object);
  }

  // One damaged inode hides no other name; the command fails in the end.
  absl::Status Damaged(std::string_view name, ondisk::InodeNumber inode,
                       const absl::Status& status) {
    damaged_ = ondisk::Annotate(
        status, fmt::format("{} (inode {})", EscapeName(name), inode.value));
    console_.Note(ondisk::MessageOf(damaged_));
    return absl::OkStatus();
  }

  Filesystem& filesystem_;
  const ListOptions& options_;
  Console& console_;
  Table table_;
  std::optional<JsonArray> array_;
  absl::Status damaged_;
};

absl::Status ListDirectory(Filesystem& filesystem, ondisk::InodeNumber inode,
                           const ListOptions& options, Console& console,
                           Lister& lister) {
  DirectoryReader reader(
      filesystem, inode,
      {.dots = options.all,
       .most_sorted = options.directory_order ? 0 : kMostSorted});
  bool told = false;
  while (true) {
    ONDISK_ASSIGN_OR_RETURN(const auto* entry, reader.Next());
    if (entry == nullptr) return absl::OkStatus();
    if (reader.unsorted() && !told) {
      told = true;
      console.Note(
          fmt::format("more than {} names: shown in the order of the directory",
                      kMostSorted));
    }
    if (!options.all && entry->name.starts_with('.')) continue;
    ONDISK_RETURN_IF_ERROR(lister.Add(entry->name, entry->inode));
  }
}

}  // namespace

absl::Status RunList(const ImageOptions& image, const ListOptions& options,
                     Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(image, console));
  // As ls: with -l a symlink is shown itself.
  const LastLink last =
      options.long_format ? LastLink::kKeep : LastLink::kFollow;
  ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                          ResolveTarget(*filesystem, options.path, last));
  ONDISK_ASSIGN_OR_RETURN(const Attributes attributes,
                          filesystem->GetAttributes(inode));
  Lister lister(*filesystem, options, console);
  const absl::Status status =
      S_ISDIR(attributes.mode)
          ? ListDirectory(*filesystem, inode, options, console, lister)
          : lister.Add(options.path, inode);
  const absl::Status finished = lister.Finish();
  return status.ok() ? finished : status;
}

}  // namespace fusexfs::tool
