// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk explain btree: the trees of an AG, block by block.
#include <array>
#include <cerrno>
#include <optional>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/explain.h"
#include "libondisk/agf.h"
#include "libondisk/agi.h"
#include "libondisk/btree_block.h"
#include "libondisk/checker.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

using ondisk::BtreeKind;
using ondisk::Checker;

struct Root {
  uint32_t block = 0;   // AgBlock
  uint32_t levels = 0;  // 1: the root is a leaf
};

bool RootIsInAgi(BtreeKind kind) {
  return kind == BtreeKind::kInobt || kind == BtreeKind::kFinobt;
}

// REQUIRES: the sector is as long as the structure.
Root RootOf(BtreeKind kind, ondisk::Bytes sector) {
  const auto& agf = ondisk::View<ondisk::Agf>(sector);
  const auto& agi = ondisk::View<ondisk::Agi>(sector);
  switch (kind) {
    case BtreeKind::kBnobt:
      return {agf.bnoroot.value(), agf.bnolevel.value()};
    case BtreeKind::kCntbt:
      return {agf.cntroot.value(), agf.cntlevel.value()};
    case BtreeKind::kRmapbt:
      return {agf.rmaproot.value(), agf.rmaplevel.value()};
    case BtreeKind::kRefcountbt:
      return {agf.refcntroot.value(), agf.refcntlevel.value()};
    case BtreeKind::kInobt:
      return {agi.root.value(), agi.level.value()};
    case BtreeKind::kFinobt:
      return {agi.free_root.value(), agi.free_level.value()};
    case BtreeKind::kBmbt:
      break;
  }
  return {};
}

// Depth first, so that a block stands below its parent. The number of blocks is
// bounded by the size of the AG: a tree with a cycle ends there.
class TreeWalk {
 public:
  TreeWalk(const RawImage& image, BtreeKind kind, ondisk::AgNumber ag,
           ExplanationPrinter& printer)
      : image_(image),
        kind_(kind),
        ag_(ag),
        layout_(ondisk::BtreeLayout::Of(kind, image.geometry())),
        printer_(printer),
        blocks_left_(image.geometry().AgSize(ag)) {}

  absl::Status Walk(ondisk::AgBlock at, uint32_t level) {
    const ondisk::Geometry& geometry = image_.geometry();
    const ondisk::DiskAddress address = geometry.ToDiskAddress(ag_, at);
    const auto where = ondisk::Where::Disk(address);
    const std::string_view name = ondisk::TraitsOf(kind_).name;
    if (blocks_left_-- == 0) {
      return ondisk::CorruptionError(name, where, "pointers", "a cycle",
                                     "a tree");
    }
    ONDISK_ASSIGN_OR_RETURN(const auto bytes,
                            image_.ReadBlock(geometry.ToFsBlock(ag_, at)));
    Checker check(name, where, Checker::Mode::kAllFindings);
    ondisk::VerifyBtreeBlock(bytes, kind_, geometry, address, check);
    ondisk::Explanation explanation =
        ondisk::ExplainBtreeBlock(bytes, kind_, geometry, address);
    explanation.where +=
        fmt::format(", AG {} block {}, level {}", ag_.value, at.value, level);
    const ondisk::BtreeBlock block(bytes, layout_);
    if (!check.failed()) {
      Checker below(name, where, Checker::Mode::kAllFindings);
      ondisk::VerifyBtreeLevel(block, level, below);
      ondisk::AttachFindings(below, explanation);
    }
    printer_.Print(explanation);
    if (check.failed() || block.level() != level) return absl::OkStatus();
    for (uint32_t i = 0; level > 0 && i < block.count(); ++i) {
      const ondisk::AgBlock child(static_cast<uint32_t>(block.Pointer(i)));
      ONDISK_RETURN_IF_ERROR(Walk(child, level - 1));
    }
    return absl::OkStatus();
  }

  uint32_t max_levels() const { return layout_.max_levels; }

 private:
  const RawImage& image_;
  const BtreeKind kind_;
  const ondisk::AgNumber ag_;
  const ondisk::BtreeLayout layout_;
  ExplanationPrinter& printer_;
  uint64_t blocks_left_;
};

}  // namespace

absl::Status ExplainAgBtree(const RawImage& image, BtreeKind kind,
                            uint64_t number, ExplanationPrinter& printer) {
  const ondisk::Geometry& geometry = image.geometry();
  const std::string_view name = ondisk::TraitsOf(kind).name;
  if (number >= geometry.ag_count) {
    return ondisk::PosixError(
        EINVAL, fmt::format("AG {}: the image has AGs 0 to {}", number,
                            geometry.ag_count - 1));
  }
  if (!ondisk::HasBtree(kind, geometry.features)) {
    return ondisk::PosixError(
        EINVAL, fmt::format("this image has no {} (see `ondisk info`)", name));
  }
  const ondisk::AgNumber ag(static_cast<uint32_t>(number));
  const bool in_agi = RootIsInAgi(kind);
  const ondisk::DiskAddress header =
      in_agi ? geometry.AgiAddress(ag) : geometry.AgfAddress(ag);
  ONDISK_ASSIGN_OR_RETURN(const auto sector,
                          image.Read(header, geometry.sector_size));
  const Root root = RootOf(kind, sector);
  TreeWalk walk(image, kind, ag, printer);
  Checker check(in_agi ? "AGI" : "AGF", ondisk::Where::Disk(header));
  check.That(geometry.IsValidPayload(ag, ondisk::AgBlock(root.block)),
             fmt::format("root of the {}", name), root.block,
             "a block of the AG, behind its headers");
  check.InRange(fmt::format("levels of the {}", name), root.levels, 1,
                walk.max_levels());
  ONDISK_RETURN_IF_ERROR(check.status());
  return walk.Walk(ondisk::AgBlock(root.block), root.levels - 1);
}

}  // namespace fusexfs::tool
