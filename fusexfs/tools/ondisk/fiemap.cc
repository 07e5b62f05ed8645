// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk fiemap: where a file's bytes lie.
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusexfs/file/fiemap_flags.h"
#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/fiemap_table.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

Json ExtentJson(const FiemapExtent& extent) {
  Json json;
  json["logical"] = extent.logical;
  json["physical"] = extent.physical;
  json["length"] = extent.length;
  json["flags"] = FiemapFlagNames(extent.flags);
  return json;
}

}  // namespace

absl::Status RunFiemap(const ImageOptions& image, const std::string& path,
                       FiemapFork fork, Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(image, console));
  ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                          ResolveTarget(*filesystem, path, LastLink::kFollow));
  const auto for_each = [&](auto visit) {
    return filesystem->Fiemap(inode, 0, UINT64_MAX, fork,
                              [&visit](const FiemapExtent& extent) {
                                visit(extent);
                                return true;
                              });
  };
  if (console.json()) {
    JsonArray array(console);
    return for_each([&](const FiemapExtent& e) { array.Add(ExtentJson(e)); });
  }
  ONDISK_ASSIGN_OR_RETURN(const Attributes attributes,
                          filesystem->GetAttributes(inode));
  ONDISK_ASSIGN_OR_RETURN(const FilesystemStatistics statistics,
                          filesystem->Statistics());
  FiemapTable table(console, {.name = console.Name(path),
                              .size = attributes.size,
                              .block_size = filesystem->geometry().block_size,
                              .filesystem_blocks = statistics.blocks});
  ONDISK_RETURN_IF_ERROR(
      for_each([&](const FiemapExtent& e) { table.Add(e); }));
  table.Finish();
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
