// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk explain dir, attr: every block of a fork that holds names; and the
// extent btree of a file.
#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/explain.h"
#include "fusexfs/tools/ondisk/fork_walk.h"
#include "libondisk/attribute_shortform.h"
#include "libondisk/da_explain.h"
#include "libondisk/directory.h"
#include "libondisk/directory_shortform.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

using ondisk::Bytes;
using ondisk::Explanation;
using ondisk::Fork;

// A failed check that stands in no block: an extent, a hole where a block
// should be.
Explanation Damage(std::string_view structure, const absl::Status& status) {
  Explanation explanation;
  explanation.structure = structure;
  explanation.problems.push_back({"structure",
                                  std::string(ondisk::MessageOf(status)),
                                  "what the format permits"});
  return explanation;
}

// Puts the blocks of a fork together: a directory block may be several
// filesystem blocks, scattered over the disk.
class BlockAssembler {
 public:
  BlockAssembler(const RawImage& image, Fork fork, ExplanationPrinter& printer)
      : image_(image),
        fork_(fork),
        unit_(fork == Fork::kData
                  ? image.geometry().blocks_per_directory_block()
                  : 1),
        printer_(printer) {}

  absl::Status Add(const ondisk::ExtentRecord& extent) {
    for (uint64_t i = 0; i < extent.count; ++i) {
      ONDISK_RETURN_IF_ERROR(AddBlock(extent.start + i, extent.block + i));
    }
    return absl::OkStatus();
  }

  // A block that is not whole at the end.
  void Finish() {
    if (pieces_ != 0) ReportHole();
  }

 private:
  absl::Status AddBlock(ondisk::FileBlock file, ondisk::FsBlock disk) {
    if (pieces_ != 0 && file.value != first_.value + pieces_) ReportHole();
    if (pieces_ == 0) {
      if (file.value % unit_ != 0) {
        first_ = file;
        ReportHole();
        return absl::OkStatus();
      }
      first_ = file;
      address_ = image_.geometry().ToDiskAddress(disk);
      bytes_.clear();
    }
    ONDISK_ASSIGN_OR_RETURN(const auto piece, image_.ReadBlock(disk));
    bytes_.insert(bytes_.end(), piece.begin(), piece.end());
    if (++pieces_ == unit_) {
      Explain();
      pieces_ = 0;
    }
    return absl::OkStatus();
  }

  void Explain() {
    const ondisk::Geometry& geometry = image_.geometry();
    auto explanation = ondisk::ExplainDaBlock(geometry, address_, bytes_);
    if (!explanation) {
      explanation.emplace();
      explanation->structure =
          fork_ == Fork::kData ? "directory block" : "attribute block";
      explanation->where = ondisk::Where::Disk(address_).ToString();
      // Values of V4 attributes stand in their blocks bare.
      if (fork_ == Fork::kAttribute && !geometry.features.crc) {
        explanation->about =
            "No magic number: on a V4 image, a block of a remote attribute "
            "value, which has no header.";
      } else {
        explanation->problems.push_back(
            {"magic", ondisk::RenderHex(Bytes(bytes_).first(12)),
             "the magic number of a block of this kind of fork"});
      }
    }
    explanation->where +=
        fmt::format(", {} fork block {}",
                    fork_ == Fork::kData ? "data" : "attribute", first_.value);
    printer_.Print(*explanation);
  }

  void ReportHole() {
    pieces_ = 0;
    printer_.Print(Damage(
        "directory block",
        ondisk::CorruptionError("directory block", ondisk::Where{},
                                "file block", fmt::to_string(first_.value),
                                fmt::format("{} blocks without a hole, at a "
                                            "multiple of {}",
                                            unit_, unit_))));
  }

  const RawImage& image_;
  const Fork fork_;
  const uint32_t unit_;  // filesystem blocks
  ExplanationPrinter& printer_;
  ondisk::FileBlock first_;
  ondisk::DiskAddress address_;
  std::vector<uint8_t> bytes_;
  uint32_t pieces_ = 0;
};

// What is inside the inode itself. False: the fork has blocks.
bool ExplainLocal(const RawImage& image, const RawInode& inode, Fork fork,
                  ExplanationPrinter& printer) {
  if (inode.format(fork) != ondisk::ForkFormat::kLocal) return false;
  const Bytes area = inode.fork(fork);
  if (fork == Fork::kAttribute) {
    printer.Print(ondisk::ExplainAttributeShortForm(image.geometry(),
                                                    inode.core.number, area));
  } else {
    printer.Print(ondisk::ExplainDirectoryShortForm(
        image.geometry(), inode.core.number,
        area.first(std::min<uint64_t>(inode.core.size, area.size()))));
  }
  return true;
}

}  // namespace

absl::Status ExplainNames(const RawImage& image, ondisk::InodeNumber number,
                          Fork fork, ExplanationPrinter& printer) {
  ONDISK_ASSIGN_OR_RETURN(const RawInode inode, LoadInode(image, number));
  if (fork == Fork::kData && !inode.core.is_directory()) {
    return ondisk::PosixError(
        ENOTDIR, fmt::format("inode {} is not a directory", number.value));
  }
  if (fork == Fork::kAttribute && !inode.core.has_attribute_fork()) {
    return ondisk::PosixError(
        ENODATA, fmt::format("inode {} has no attribute fork: no extended "
                             "attributes, no parent pointers",
                             number.value));
  }
  if (ExplainLocal(image, inode, fork, printer)) return absl::OkStatus();
  BlockAssembler assembler(image, fork, printer);
  ONDISK_RETURN_IF_ERROR(WalkFork(image, inode, fork,
                                  {.extent =
                                       [&](const ondisk::ExtentRecord& extent) {
                                         return assembler.Add(extent);
                                       },
                                   .btree_block =
                                       [&](const Explanation& block) {
                                         if (!block.AllChecksHold())
                                           printer.Print(block);
                                       },
                                   .damaged =
                                       [&](const absl::Status& status) {
                                         printer.Print(
                                             Damage("extents", status));
                                       }}));
  assembler.Finish();
  return absl::OkStatus();
}

absl::Status ExplainFileBtree(const RawImage& image, ondisk::InodeNumber number,
                              ExplanationPrinter& printer) {
  ONDISK_ASSIGN_OR_RETURN(const RawInode inode, LoadInode(image, number));
  if (inode.core.data_format != ondisk::ForkFormat::kBtree) {
    return ondisk::PosixError(
        ENODATA, fmt::format("inode {}: its extents are not in a btree (see "
                             "`explain IMAGE inode {}`)",
                             number.value, number.value));
  }
  printer.Print(ondisk::ExplainInode(image.geometry(), number, inode.bytes));
  return WalkFork(
      image, inode, Fork::kData,
      {.extent = [](const ondisk::ExtentRecord&) { return absl::OkStatus(); },
       .btree_block = [&](const Explanation& block) { printer.Print(block); },
       .damaged =
           [&](const absl::Status& status) {
             printer.Print(Damage("extents", status));
           }});
}

}  // namespace fusexfs::tool
