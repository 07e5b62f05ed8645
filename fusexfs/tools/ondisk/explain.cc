// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk explain: reads WHAT, and shows it.
#include "fusexfs/tools/ondisk/explain.h"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "fusexfs/journal/log_area.h"
#include "fusexfs/journal/log_explain.h"
#include "fusexfs/journal/log_state.h"
#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

struct Request {
  ImageOptions image;
  std::vector<std::string> words;  // WHAT and its arguments

  const std::string& what() const { return words.front(); }
};

std::optional<uint64_t> ParseNumber(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] =
      std::from_chars(text.data(), end, number, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || stopped != end) {
    return std::nullopt;
  }
  return number;
}

absl::StatusOr<uint64_t> NumberArgument(const Request& request, size_t index) {
  const auto number = ParseNumber(request.words[index]);
  if (!number) {
    return UsageError(fmt::format("explain {}: \"{}\" is not a number",
                                  request.what(), request.words[index]));
  }
  return *number;
}

// An inode, by number straight from the image, or by path through a mount.
absl::StatusOr<ondisk::InodeNumber> InodeArgument(const Request& request,
                                                  size_t index,
                                                  Console& console) {
  const std::string& text = request.words[index];
  if (const auto number = ParseNumber(text)) {
    return ondisk::InodeNumber(*number);
  }
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(request.image, console));
  return ResolvePath(*filesystem, text, LastLink::kKeep);
}

absl::Status ExplainLogOf(const RawImage& raw, const Image& image,
                          ExplanationPrinter& printer) {
  ONDISK_ASSIGN_OR_RETURN(
      const LogArea area,
      LogArea::Of(raw.geometry(), *image.data, image.log.get()));
  return ExplainLog(area, raw.geometry(), [&](const ondisk::Explanation& e) {
    printer.Print(e);
    return true;
  });
}

absl::Status ExplainTree(const RawImage& raw, const Request& request,
                         Console& console, ExplanationPrinter& printer) {
  const auto kind = ondisk::BtreeKindByName(request.words[1]);
  if (!kind) {
    return UsageError(fmt::format(
        "explain btree: no tree is called \"{}\" (bnobt, cntbt, inobt, finobt, "
        "rmapbt, refcountbt, bmbt)",
        request.words[1]));
  }
  if (*kind == ondisk::BtreeKind::kBmbt) {
    ONDISK_ASSIGN_OR_RETURN(const auto inode,
                            InodeArgument(request, 2, console));
    return ExplainFileBtree(raw, inode, printer);
  }
  ONDISK_ASSIGN_OR_RETURN(const uint64_t ag, NumberArgument(request, 2));
  return ExplainAgBtree(raw, *kind, ag, printer);
}

// Unknown for a log that cannot be read or that somebody is writing to.
ondisk::Lsn LogHeadOf(const Image& image) {
  if (!image.lock) return ondisk::kNullLsn;
  const absl::StatusOr<RawImage> raw = RawImage::Open(*image.data);
  if (!raw.ok() || !raw->geometry().features.crc) return ondisk::kNullLsn;
  const absl::StatusOr<LogArea> area =
      LogArea::Of(raw->geometry(), *image.data, image.log.get());
  if (!area.ok()) return ondisk::kNullLsn;
  const absl::StatusOr<LogState> state = FindLogState(*area);
  return state.ok() ? state->head : ondisk::kNullLsn;
}

struct What {
  std::string_view name;
  size_t least_arguments;
  size_t most_arguments;
};
constexpr What kWhats[] = {
    {"sb", 0, 1},    {"agf", 1, 1},   {"agi", 1, 1},   {"agfl", 1, 1},
    {"inode", 1, 1}, {"block", 1, 1}, {"daddr", 1, 1}, {"dir", 1, 1},
    {"attr", 1, 1},  {"log", 0, 0},   {"btree", 2, 2},
};

absl::Status CheckUsage(const Request& request) {
  for (const What& what : kWhats) {
    if (what.name != request.what()) continue;
    const size_t arguments = request.words.size() - 1;
    if (arguments >= what.least_arguments && arguments <= what.most_arguments) {
      return absl::OkStatus();
    }
    return UsageError(
        fmt::format("explain {}: {} arguments given. WHAT is:\n{}", what.name,
                    arguments, kExplainWhat));
  }
  return UsageError(fmt::format("cannot explain \"{}\". WHAT is:\n{}",
                                request.what(), kExplainWhat));
}

absl::Status ExplainStructure(const Request& request, const Image& image,
                              Console& console, ExplanationPrinter& printer) {
  const std::string& what = request.what();
  // Needs no geometry.
  if (what == "sb" && request.words.size() == 1) {
    return ExplainPrimarySuperblock(*image.data, printer);
  }
  ONDISK_ASSIGN_OR_RETURN(
      const RawImage raw,
      RawImage::OpenDamaged(*image.data, [&console](const std::string& text) {
        console.NoteOnce(text);
      }));
  if (what == "log") return ExplainLogOf(raw, image, printer);
  if (what == "btree") return ExplainTree(raw, request, console, printer);
  if (what == "inode" || what == "dir" || what == "attr") {
    ONDISK_ASSIGN_OR_RETURN(const auto inode,
                            InodeArgument(request, 1, console));
    if (what == "inode") return ExplainInodeNumber(raw, inode, printer);
    return ExplainNames(
        raw, inode,
        what == "dir" ? ondisk::Fork::kData : ondisk::Fork::kAttribute,
        printer);
  }
  ONDISK_ASSIGN_OR_RETURN(const uint64_t number, NumberArgument(request, 1));
  if (what == "block") {
    return ExplainFsBlock(raw, ondisk::FsBlock(number), printer);
  }
  if (what == "daddr") {
    return ExplainDiskAddress(raw, ondisk::DiskAddress(number), printer);
  }
  const AgHeader header = what == "sb"    ? AgHeader::kSuperblock
                          : what == "agf" ? AgHeader::kAgf
                          : what == "agi" ? AgHeader::kAgi
                                          : AgHeader::kAgfl;
  return ExplainAgHeader(raw, header, number, printer);
}

}  // namespace

const char kExplainWhat[] =
    "sb [AG]            the superblock, or its copy in an AG\n"
    "agf AG             free space and tree roots of an allocation group\n"
    "agi AG             inodes and tree roots of an allocation group\n"
    "agfl AG            blocks set aside for the AG's trees\n"
    "inode N|PATH       an inode and its forks\n"
    "block FSB          whatever stands in a filesystem block\n"
    "daddr D            whatever stands at a 512-byte sector\n"
    "dir N|PATH         every block of a directory\n"
    "attr N|PATH        every block of the extended attributes\n"
    "log                the log: its state, records and items\n"
    "btree NAME AG      every block of an AG's tree: bnobt, cntbt, inobt,\n"
    "                   finobt, rmapbt or refcountbt\n"
    "btree bmbt N|PATH  every block of a file's extent tree";

absl::Status RunExplain(const ImageOptions& options,
                        const std::vector<std::string>& what,
                        Console& console) {
  const Request request{options, what};
  ONDISK_RETURN_IF_ERROR(CheckUsage(request));
  ONDISK_ASSIGN_OR_RETURN(const Image image, OpenImage(options, console));
  ExplanationPrinter printer(console);
  printer.set_log_head(LogHeadOf(image));
  return printer.Finish(ExplainStructure(request, image, console, printer));
}

}  // namespace fusexfs::tool
