// SPDX-License-Identifier: GPL-2.0-or-later
// Explains data blocks and block-form directories: header, entries and free
// runs in the order of the block, leaf array, tail.
#include <fmt/format.h>

#include "absl/strings/escaping.h"
#include "libondisk/directory_data.h"

namespace ondisk {
namespace {

class DataExplainer {
 public:
  DataExplainer(const Geometry& geometry, Bytes block, Explanation& into)
      : features_(geometry.features), block_(block), into_(into) {}

  void Header() {
    if (features_.crc) {
      ExplainFields(kDirectory3BlockHeaderFields, block_, 0, into_);
    } else {
      Row("magic", 0, 4,
          RenderField({"", 0, 4, FieldKind::kMagic, ""}, block_.first(4)),
          "tells the kind of block");
    }
    const auto best = DirectoryBestFree(features_, block_);
    const size_t start =
        features_.crc ? sizeof(Directory3BlockHeader) : sizeof(Be32);
    for (size_t i = 0; i < best.size(); ++i) {
      const size_t at = start + i * sizeof(DirectoryDataFree);
      Row(fmt::format("bestfree[{}].offset", i), at, 2,
          fmt::to_string(best[i].offset.value()),
          "where one of the three longest free runs starts");
      Row(fmt::format("bestfree[{}].length", i), at + 2, 2,
          fmt::to_string(best[i].length.value()), "its length in bytes");
    }
  }

  void Entries() {
    const uint32_t end = DirectoryDataEnd(block_);
    uint32_t offset = DirectoryDataStart(features_);
    while (offset < end && end - offset >= kDirectoryAlignment) {
      const auto& unused = View<DirectoryDataUnusedHead>(block_, offset);
      if (unused.freetag.value() == kDirectoryFreeTag) {
        const uint32_t length = unused.length.value();
        if (length < kDirectoryAlignment || length > end - offset) return;
        Unused(offset, length);
        offset += length;
        continue;
      }
      const auto entry = DirectoryEntryAt(features_, block_, offset);
      if (!entry) return;
      Used(*entry);
      offset += entry->size;
    }
  }

  void Leaves() {
    const auto leaves = DirectoryBlockLeaves(block_);
    const size_t start = DirectoryDataEnd(block_);
    for (size_t i = 0; i < leaves.size(); ++i) {
      const size_t at = start + i * sizeof(DirectoryLeafEntry);
      Row(fmt::format("bleaf[{}].hashval", i), at, 4,
          fmt::format("{:#010x}", leaves[i].hashval.value()), "hash of a name");
      const uint32_t address = leaves[i].address.value();
      Row(fmt::format("bleaf[{}].address", i), at + 4, 4,
          fmt::to_string(address),
          address == kNullDirectoryPointer
              ? "stale: the name is gone"
              : "where its entry is, in units of 8 bytes");
    }
    const size_t tail = block_.size() - sizeof(DirectoryBlockTail);
    const auto& values = View<DirectoryBlockTail>(block_, tail);
    Row("count", tail, 4, fmt::to_string(values.count.value()),
        "leaf entries, stale ones included");
    Row("stale", tail + 4, 4, fmt::to_string(values.stale.value()),
        "leaf entries whose names are gone");
  }

 private:
  void Row(std::string_view name, size_t offset, size_t size,
           std::string_view value, std::string_view meaning) {
    into_.Add(name, offset, block_.subspan(offset, size), value, meaning);
  }

  void Unused(uint32_t offset, uint32_t length) {
    const std::string prefix = fmt::format("unused entry at {}: ", offset);
    Row(prefix + "freetag", offset, 2, "0xffff", "a free run starts here");
    Row(prefix + "length", offset + 2, 2, fmt::to_string(length),
        "bytes of the free run");
    Row(prefix + "tag", offset + length - 2, 2,
        fmt::to_string(View<Be16>(block_, offset + length - 2).value()),
        "its own offset");
  }

  void Used(const DirectoryEntryView& entry) {
    const std::string prefix = fmt::format("entry at {}: ", entry.offset);
    const size_t name_at = entry.offset + sizeof(DirectoryDataEntryHead);
    Row(prefix + "inumber", entry.offset, 8, fmt::to_string(entry.inode.value),
        "inode that the name leads to");
    Row(prefix + "namelen", entry.offset + 8, 1,
        fmt::to_string(entry.name.size()), "bytes of the name");
    Row(prefix + "name", name_at, entry.name.size(),
        fmt::format("\"{}\"", absl::CHexEscape(std::string(entry.name))),
        "the name");
    if (features_.ftype) {
      Row(prefix + "filetype", name_at + entry.name.size(), 1,
          RenderField({"", 0, 1, FieldKind::kEnum, "", kDirectoryFileTypeNames},
                      Bytes(&entry.file_type, 1)),
          "type of the file");
    }
    const size_t tag = entry.offset + entry.size - 2;
    Row(prefix + "tag", tag, 2, fmt::to_string(View<Be16>(block_, tag).value()),
        "its own offset");
  }

  const Features& features_;
  Bytes block_;
  Explanation& into_;
};

}  // namespace

Explanation ExplainDirectoryData(const Geometry& geometry, DiskAddress address,
                                 Bytes block) {
  const bool block_form =
      block.size() >= sizeof(Be32) && IsDirectoryBlockForm(block);
  Explanation data;
  data.structure = block_form ? "directory block" : "directory data block";
  data.about =
      block_form
          ? "A whole directory in one block: its entries, and at the end an "
            "array that finds them by the hash of their names."
          : "Entries of a directory. Leaf blocks find them by the hash of "
            "their names.";
  data.where = Where::Disk(address).ToString();
  Checker check(data.structure, Where::Disk(address),
                Checker::Mode::kAllFindings);
  if (block_form) {
    VerifyDirectoryBlock(geometry, address, block, check);
  } else {
    VerifyDirectoryData(geometry, address, block, check);
  }
  if (block.size() == geometry.directory_block_size) {
    DataExplainer explainer(geometry, block, data);
    explainer.Header();
    explainer.Entries();
    if (block_form) explainer.Leaves();
  }
  AttachFindings(check, data);
  return data;
}

}  // namespace ondisk
