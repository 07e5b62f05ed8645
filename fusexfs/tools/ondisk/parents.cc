// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk parents: every path of an inode, found by its parent pointers.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

absl::Status PrintJson(Filesystem& filesystem, ondisk::InodeNumber inode,
                       const std::vector<std::string>& paths,
                       Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const std::vector<ParentName> parents,
                          filesystem.Parents(inode));
  Json json;
  json["inode"] = inode.value;
  json["parents"] = Json::array();
  for (const ParentName& parent : parents) {
    Json object;
    object["inode"] = parent.parent.value;
    object["generation"] = parent.parent_generation;
    PutName(object, "name", parent.name);
    json["parents"].push_back(object);
  }
  json["paths"] = Json::array();
  for (const std::string& path : paths) {
    Json object;
    PutName(object, "path", path);
    json["paths"].push_back(object);
  }
  console.WriteJson(json);
  return absl::OkStatus();
}

}  // namespace

absl::Status RunParents(const ImageOptions& image, const std::string& target,
                        Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(image, console));
  // The feature first: an image without it is asked in vain for any path.
  if (!filesystem->geometry().features.parent) {
    return ondisk::UnsupportedError(
        "this image has no parent pointers (feature parent=0, see `ondisk "
        "info`); paths cannot be found from an inode");
  }
  ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                          ResolveTarget(*filesystem, target, LastLink::kKeep));
  ONDISK_ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                          filesystem->Paths(inode));
  if (console.json()) return PrintJson(*filesystem, inode, paths, console);
  // Paths() has escaped newlines and backslashes.
  for (const std::string& path : paths) {
    console.Write((console.escapes_names() ? EscapeRest(path) : path) + "\n");
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
