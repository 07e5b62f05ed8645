// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk info: the geometry of an image.
#include "fusexfs/tools/ondisk/info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/raw_image.h"
#include "libondisk/fields.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

// One line in xfs_info's two columns: section, what stands behind the equals
// sign, and the values.
std::string Line(std::string_view section, std::string_view subject,
                 std::string_view values) {
  return fmt::format("{:<9}={:<22} {}\n", section, subject, values);
}

int AttributeVersion(const ondisk::Features& features) {
  if (features.attr2) return 2;
  return features.has_attr ? 1 : 0;
}

uint64_t LogStripeBlocks(const ondisk::Geometry& g) {
  return g.log_stripe_unit / g.block_size;
}

bool HasZonedFields(const ondisk::Superblock& sb) {
  return sb.is_v5() &&
         (sb.features_incompat.value() & ondisk::kIncompatZoned) != 0;
}

std::string_view RealtimeName(const ondisk::Superblock& sb) {
  if (sb.rblocks.value() == 0) return "none";
  return HasZonedFields(sb) && sb.rtstart.value() != 0 ? "internal"
                                                       : "external";
}

}  // namespace

std::string InfoText(const ondisk::Superblock& sb, const ondisk::Geometry& g,
                     std::string_view image_name, std::string_view log_name) {
  const ondisk::Features& f = g.features;
  const bool zoned = HasZonedFields(sb);
  const std::string_view external = log_name.empty() ? "external" : log_name;
  std::string text;
  text += Line("meta-data", image_name,
               fmt::format("isize={:<6} agcount={}, agsize={} blks",
                           g.inode_size, g.ag_count, g.ag_blocks));
  text += Line("", "",
               fmt::format("sectsz={:<5} attr={}, projid32bit={:d}",
                           g.sector_size, AttributeVersion(f), f.project32));
  text += Line("", "",
               fmt::format("crc={:<8d} finobt={:d}, sparse={:d}, rmapbt={:d}",
                           f.crc, f.finobt, f.sparse_inodes, f.rmapbt));
  text += Line(
      "", "",
      fmt::format("reflink={:<4d} bigtime={:d} inobtcount={:d} nrext64={:d}",
                  f.reflink, f.bigtime, f.inobtcount, f.nrext64));
  text +=
      Line("", "",
           fmt::format("exchange={:<3d} metadir={:d}", f.exchange, f.metadir));
  text += Line("data", "",
               fmt::format("bsize={:<6} blocks={}, imaxpct={}", g.block_size,
                           g.data_blocks, g.inode_max_percent));
  text += Line("", "",
               fmt::format("sunit={:<6} swidth={} blks", sb.unit.value(),
                           sb.width.value()));
  text +=
      Line("naming", "version 2",
           fmt::format("bsize={:<6} ascii-ci={:d}, ftype={:d}, parent={:d}",
                       g.directory_block_size, f.ascii_ci, f.ftype, f.parent));
  text += Line("log", g.log_start != 0 ? "internal log" : external,
               fmt::format("bsize={:<6} blocks={}, version={}", g.block_size,
                           g.log_blocks, f.log_v2 ? 2 : 1));
  text +=
      Line("", "",
           fmt::format("sectsz={:<5} sunit={} blks, lazy-count={:d}",
                       g.log_sector_size, LogStripeBlocks(g), f.lazy_counters));
  text += Line("realtime", RealtimeName(sb),
               fmt::format("extsz={:<6} blocks={}, rtextents={}",
                           uint64_t{sb.rextsize.value()} * g.block_size,
                           sb.rblocks.value(), sb.rextents.value()));
  text += Line("", "",
               fmt::format("rgcount={:<4} rgsize={} extents",
                           f.metadir ? sb.rgcount.value() : 0,
                           f.metadir ? sb.rgextents.value() : 0));
  text += Line("", "",
               fmt::format("zoned={:<6d} start={} reserved={}", zoned,
                           zoned ? sb.rtstart.value() : 0,
                           zoned ? sb.rtreserved.value() : 0));
  return text;
}

Json InfoJson(const ondisk::Superblock& sb, const ondisk::Geometry& g) {
  const ondisk::Features& f = g.features;
  Json json;
  json["version"] = sb.version();
  json["uuid"] = ondisk::RenderUuid(g.uuid);
  json["meta_uuid"] = ondisk::RenderUuid(g.meta_uuid);
  PutName(json, "label", ondisk::VolumeLabel(sb));
  json["block_size"] = g.block_size;
  json["sector_size"] = g.sector_size;
  json["inode_size"] = g.inode_size;
  json["directory_block_size"] = g.directory_block_size;
  json["ag_count"] = g.ag_count;
  json["ag_blocks"] = g.ag_blocks;
  json["data_blocks"] = g.data_blocks;
  json["free_blocks"] = sb.fdblocks.value();
  json["inodes"] = sb.icount.value();
  json["free_inodes"] = sb.ifree.value();
  json["inode_max_percent"] = g.inode_max_percent;
  json["root_inode"] = g.root_inode.value;
  json["stripe_unit_blocks"] = sb.unit.value();
  json["stripe_width_blocks"] = sb.width.value();
  json["log"] = {{"internal", g.log_start != 0},
                 {"start_fsblock", g.log_start},
                 {"blocks", g.log_blocks},
                 {"version", f.log_v2 ? 2 : 1},
                 {"sector_size", g.log_sector_size},
                 {"stripe_unit_blocks", LogStripeBlocks(g)}};
  json["realtime"] = {{"blocks", sb.rblocks.value()},
                      {"extents", sb.rextents.value()},
                      {"extent_blocks", sb.rextsize.value()}};
  json["features"] = {{"crc", f.crc},
                      {"attr", AttributeVersion(f)},
                      {"projid32bit", f.project32},
                      {"finobt", f.finobt},
                      {"sparse", f.sparse_inodes},
                      {"rmapbt", f.rmapbt},
                      {"reflink", f.reflink},
                      {"bigtime", f.bigtime},
                      {"inobtcount", f.inobtcount},
                      {"nrext64", f.nrext64},
                      {"exchange", f.exchange},
                      {"metadir", f.metadir},
                      {"ascii-ci", f.ascii_ci},
                      {"ftype", f.ftype},
                      {"parent", f.parent},
                      {"lazy-count", f.lazy_counters},
                      {"needs_repair", f.needs_repair}};
  return json;
}

absl::Status RunInfo(const ImageOptions& options, Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const Image image, OpenImage(options, console));
  ONDISK_ASSIGN_OR_RETURN(const RawImage raw, RawImage::Open(*image.data));
  if (console.json()) {
    console.WriteJson(InfoJson(raw.superblock(), raw.geometry()));
  } else {
    console.Write(InfoText(raw.superblock(), raw.geometry(), options.path,
                           options.log_path));
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
