// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk stat: everything about one inode that a program can ask for.
#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/format.h"
#include "fusexfs/tools/ondisk/table.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/fields.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

struct StatResult {
  Attributes attributes;
  std::string link_target;
  std::vector<std::string> xattrs;  // names
};

absl::StatusOr<StatResult> Gather(Filesystem& filesystem,
                                  ondisk::InodeNumber inode) {
  StatResult result;
  ONDISK_ASSIGN_OR_RETURN(result.attributes, filesystem.GetAttributes(inode));
  if (S_ISLNK(result.attributes.mode)) {
    ONDISK_ASSIGN_OR_RETURN(result.link_target, filesystem.ReadLink(inode));
  }
  ONDISK_ASSIGN_OR_RETURN(const std::string list,
                          filesystem.ListXattrs(inode, /*trusted=*/true));
  for (size_t start = 0; start < list.size();) {
    const size_t end = std::min(list.find('\0', start), list.size());
    result.xattrs.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

void PrintJson(const StatResult& result, Console& console) {
  Json json = AttributesJson(result.attributes);
  if (S_ISLNK(result.attributes.mode)) {
    PutName(json, "target", result.link_target);
  }
  json["xattrs"] = Json::array();
  for (const std::string& name : result.xattrs) {
    Json object;
    PutName(object, "name", name);
    json["xattrs"].push_back(object);
  }
  console.WriteJson(json);
}

void PrintText(std::string_view target, const StatResult& result,
               const ondisk::Geometry& geometry, Console& console) {
  const Attributes& a = result.attributes;
  Table table(console, {{.title = "", .style = Style::kDim}, {.title = ""}});
  table.Add({"File", console.Name(target)});
  if (S_ISLNK(a.mode)) table.Add({"Target", console.Name(result.link_target)});
  table.Add({"Inode", fmt::format("{} (AG {}), generation {}", a.inode.value,
                                  geometry.AgOf(a.inode).value, a.generation)});
  table.Add({"Type", std::string(TypeText(a.mode))});
  table.Add(
      {"Mode", fmt::format("{:04o} {}", a.mode & 07777, ModeText(a.mode))});
  table.Add({"Owner", fmt::format("user {}, group {}, project {}", a.user,
                                  a.group, a.project)});
  table.Add({"Links", fmt::to_string(a.links)});
  if (S_ISCHR(a.mode) || S_ISBLK(a.mode)) {
    table.Add(
        {"Device", fmt::format("{}, {}", a.device_major, a.device_minor)});
  }
  table.Add({"Size", a.size < 1024 ? SizeText(a.size)
                                   : fmt::format("{} bytes ({})", a.size,
                                                 SizeText(a.size))});
  table.Add({"Blocks", fmt::format("{} of 512 bytes", a.blocks)});
  table.Add({"Extents", fmt::format("{} of data, {} of attributes",
                                    a.data_extents, a.attribute_extents)});
  table.Add({"Accessed", ExactTimeText(a.access)});
  table.Add({"Modified", ExactTimeText(a.modify)});
  table.Add({"Changed", ExactTimeText(a.change)});
  if (a.birth) table.Add({"Born", ExactTimeText(*a.birth)});
  table.Add({"Flags", ondisk::RenderFlags(a.flags, ondisk::kInodeFlagNames)});
  table.Add(
      {"Flags2", ondisk::RenderFlags(a.flags2, ondisk::kInodeFlag2Names)});
  if (a.extent_size_hint != 0) {
    table.Add(
        {"Extent size hint", fmt::format("{} blocks", a.extent_size_hint)});
  }
  if (a.cow_extent_size_hint != 0) {
    table.Add({"CoW extent size hint",
               fmt::format("{} blocks", a.cow_extent_size_hint)});
  }
  for (const std::string& name : result.xattrs) {
    table.Add({"Attribute", console.Name(name)});
  }
}

}  // namespace

absl::Status RunStat(const ImageOptions& image, const std::string& target,
                     Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(image, console));
  ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                          ResolveTarget(*filesystem, target, LastLink::kKeep));
  ONDISK_ASSIGN_OR_RETURN(const StatResult result, Gather(*filesystem, inode));
  if (console.json()) {
    PrintJson(result, console);
  } else {
    PrintText(target, result, filesystem->geometry(), console);
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
