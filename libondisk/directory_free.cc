// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_free.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/directory_leaf.h"

namespace ondisk {
namespace {

constexpr Field kFields[] = {
    ONDISK_FIELD(DirectoryFreeHeader, magic, kMagic, "tells the kind of block"),
    ONDISK_FIELD(DirectoryFreeHeader, firstdb, kUnsigned,
                 "directory block that bests[0] tells of"),
    ONDISK_FIELD(DirectoryFreeHeader, nvalid, kUnsigned, "values that count"),
    ONDISK_FIELD(DirectoryFreeHeader, nused, kUnsigned,
                 "of these, values of data blocks that exist"),
};
constexpr FieldTable kTable = {"directory free block", "",
                               sizeof(DirectoryFreeHeader), kFields};
constexpr Field k3Fields[] = {
    ONDISK_FIELD(Directory3FreeHeader, firstdb, kUnsigned,
                 "directory block that bests[0] tells of"),
    ONDISK_FIELD(Directory3FreeHeader, nvalid, kUnsigned, "values that count"),
    ONDISK_FIELD(Directory3FreeHeader, nused, kUnsigned,
                 "of these, values of data blocks that exist"),
    ONDISK_FIELD(Directory3FreeHeader, pad, kPadding, "unused"),
};
constexpr FieldTable k3Table = {"directory free block", "",
                                sizeof(Directory3FreeHeader), k3Fields};

// The counts stand behind the magic or the V5 header.
struct Counts {
  Be32 firstdb;
  Be32 nvalid;
  Be32 nused;
};
const Counts& CountsOf(const Geometry& geometry, Bytes block) {
  return View<Counts>(block, geometry.features.crc
                                 ? sizeof(Directory3BlockHeader)
                                 : sizeof(Be32));
}

size_t HeaderSize(const Geometry& geometry) {
  return geometry.features.crc ? sizeof(Directory3FreeHeader)
                               : sizeof(DirectoryFreeHeader);
}

}  // namespace

uint32_t DirectoryFreeMaxBests(const Geometry& geometry) {
  return static_cast<uint32_t>(
      (geometry.directory_block_size - HeaderSize(geometry)) / sizeof(Be16));
}

void VerifyDirectoryFree(const Geometry& geometry, DiskAddress address,
                         Bytes block, Checker& check) {
  if (!VerifyDirectoryBlockHeader(geometry, address, block,
                                  kDirectoryFreeMagicV4, kDirectoryFreeMagicV5,
                                  check)) {
    return;
  }
  const Counts& counts = CountsOf(geometry, block);
  const uint32_t most = DirectoryFreeMaxBests(geometry);
  check.That(counts.firstdb.value() % most == 0, "firstdb",
             counts.firstdb.value(), "a multiple of what a block holds");
  if (!check.AtMost("nvalid", counts.nvalid.value(), most)) return;
  if (!check.AtMost("nused", counts.nused.value(), counts.nvalid.value())) {
    return;
  }
  const auto bests = ViewDirectoryFree(geometry, block).bests;
  const auto used = std::count_if(bests.begin(), bests.end(), [](Be16 best) {
    return best.value() != kNullDirectoryOffset;
  });
  check.Equal("nused", counts.nused.value(), static_cast<uint64_t>(used));
}

void VerifyDirectoryFreePlace(const Geometry& geometry, DaBlock at, Bytes block,
                              Checker& check) {
  const uint64_t index =
      ToDirectoryBlock(geometry, at) -
      ToDirectoryBlock(geometry, DirectoryFreeStart(geometry));
  check.Equal("firstdb", CountsOf(geometry, block).firstdb.value(),
              index * DirectoryFreeMaxBests(geometry));
}

DirectoryFreeView ViewDirectoryFree(const Geometry& geometry, Bytes block) {
  const Counts& counts = CountsOf(geometry, block);
  const size_t count =
      std::min(counts.nvalid.value(), DirectoryFreeMaxBests(geometry));
  return {DirectoryBlock(counts.firstdb.value()),
          counts.nused.value(),
          {&View<Be16>(block, HeaderSize(geometry)), count}};
}

Explanation ExplainDirectoryFree(const Geometry& geometry, DiskAddress address,
                                 Bytes block) {
  Explanation free;
  free.structure = "directory free block";
  free.about =
      "Tells for each data block of a directory how long its longest free run "
      "is, so that a new entry finds room without reading them.";
  free.where = Where::Disk(address).ToString();
  Checker check(free.structure, Where::Disk(address),
                Checker::Mode::kAllFindings);
  VerifyDirectoryFree(geometry, address, block, check);
  if (block.size() == geometry.directory_block_size) {
    if (geometry.features.crc) {
      ExplainFields(kDirectory3BlockHeaderFields, block, 0, free);
      ExplainFields(k3Table, block, 0, free);
    } else {
      ExplainFields(kTable, block, 0, free);
    }
    const DirectoryFreeView view = ViewDirectoryFree(geometry, block);
    for (size_t i = 0; i < view.bests.size(); ++i) {
      const size_t at = HeaderSize(geometry) + i * sizeof(Be16);
      const uint16_t best = view.bests[i].value();
      free.Add(fmt::format("bests[{}]", i), at, block.subspan(at, 2),
               fmt::to_string(best),
               best == kNullDirectoryOffset ? "no such data block"
                                            : "longest free run of this block");
    }
  }
  AttachFindings(check, free);
  return free;
}

}  // namespace ondisk
