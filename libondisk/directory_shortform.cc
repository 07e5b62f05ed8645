// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_shortform.h"

#include <fmt/format.h>

#include "absl/strings/escaping.h"
#include "libondisk/directory_data.h"

namespace ondisk {
namespace {

constexpr uint64_t kMaxShortInode = 0xffffffffu;
constexpr uint32_t kParentAt = sizeof(DirectoryShortFormHeader);

constexpr Field kHeaderFields[] = {
    ONDISK_FIELD(DirectoryShortFormHeader, count, kUnsigned, "entries"),
    ONDISK_FIELD(DirectoryShortFormHeader, i8count, kUnsigned,
                 "inode numbers (parent included) that need 8 bytes; if there "
                 "is one, all take 8, else 4"),
};
constexpr FieldTable kHeaderTable = {
    "short-form directory",
    "A directory inside its inode. \".\" is not stored; \"..\" is `parent`.",
    sizeof(DirectoryShortFormHeader), kHeaderFields};

uint32_t InodeBytes(Bytes fork) {
  return View<DirectoryShortFormHeader>(fork).i8count == 0 ? 4 : 8;
}

// REQUIRES: the bytes lie within the fork.
uint64_t ReadInode(Bytes fork, uint32_t offset, uint32_t bytes) {
  return bytes == 4 ? View<Be32>(fork, offset).value()
                    : View<Be64>(fork, offset).value();
}

}  // namespace

DirectoryShortFormEntries::DirectoryShortFormEntries(const Features& features,
                                                     Bytes fork)
    : fork_(fork),
      position_(0),
      left_(0),
      inode_bytes_(4),
      ftype_(features.ftype) {
  if (fork.size() <= kParentAt) return;
  inode_bytes_ = static_cast<uint8_t>(InodeBytes(fork));
  position_ = kParentAt + inode_bytes_;
  left_ = View<DirectoryShortFormHeader>(fork).count;
}

bool DirectoryShortFormEntries::Next(DirectoryEntryView& entry) {
  constexpr uint32_t kFixed = 3;  // length and offset
  if (left_ == 0 || !Within(fork_, position_, kFixed)) return false;
  const uint32_t length = fork_[position_];
  const uint32_t size = kFixed + length + (ftype_ ? 1 : 0) + inode_bytes_;
  if (length == 0 || !Within(fork_, position_, size)) return false;
  entry.name = {
      reinterpret_cast<const char*>(fork_.data()) + position_ + kFixed, length};
  entry.offset = View<Be16>(fork_, position_ + 1).value();
  entry.file_type = ftype_ ? fork_[position_ + kFixed + length] : 0;
  entry.inode = InodeNumber(
      ReadInode(fork_, position_ + size - inode_bytes_, inode_bytes_));
  entry.size = size;
  position_ += size;
  --left_;
  return true;
}

InodeNumber DirectoryShortFormParent(Bytes fork) {
  return InodeNumber(ReadInode(fork, kParentAt, InodeBytes(fork)));
}

void VerifyDirectoryShortForm(const Geometry& geometry, Bytes fork,
                              Checker& check) {
  if (!check.That(fork.size() > kParentAt, "size", fork.size(),
                  "room for a header")) {
    return;
  }
  const auto& header = View<DirectoryShortFormHeader>(fork);
  const uint32_t inode_bytes = InodeBytes(fork);
  if (!check.AtLeast("size", fork.size(), kParentAt + inode_bytes)) return;

  const InodeNumber parent = DirectoryShortFormParent(fork);
  check.That(IsLegalDirectoryInode(geometry, parent), "parent", parent.value,
             "a possible inode number");
  uint32_t big_inodes = parent.value > kMaxShortInode ? 1 : 0;

  // Entries keep the places that they would have in a data block, behind "."
  // and "..".
  const Features& features = geometry.features;
  uint32_t lowest = DirectoryDataStart(features) +
                    DirectoryDataEntrySize(features, 1) +
                    DirectoryDataEntrySize(features, 2);
  uint64_t end = kParentAt + inode_bytes;
  DirectoryShortFormEntries entries(features, fork);
  DirectoryEntryView entry;
  for (uint32_t i = 0; i < header.count; ++i) {
    if (check.done()) return;
    if (!entries.Next(entry)) {
      check.Fail(fmt::format("list[{}].namelen", i),
                 Within(fork, end, 1) ? fmt::to_string(fork[end]) : "cut off",
                 "a name that fits the fork");
      return;
    }
    if (entry.offset < lowest) {
      check.AtLeast(fmt::format("list[{}].offset", i), entry.offset, lowest);
    }
    if (!IsLegalDirectoryInode(geometry, entry.inode)) {
      check.That(false, fmt::format("list[{}].inumber", i), entry.inode.value,
                 "a possible inode number");
    }
    if (entry.file_type >= kDirectoryFileTypeCount) {
      check.Less(fmt::format("list[{}].filetype", i), entry.file_type,
                 kDirectoryFileTypeCount);
    }
    if (entry.inode.value > kMaxShortInode) ++big_inodes;
    lowest =
        entry.offset + DirectoryDataEntrySize(
                           features, static_cast<uint32_t>(entry.name.size()));
    end += entry.size;
  }
  check.Equal("i8count", header.i8count, big_inodes);
  check.Equal("size", fork.size(), end);
  // It must fit a block-form directory, with the leaf entries of "." and "..".
  check.AtMost("list",
               lowest +
                   (uint64_t{header.count} + 2) * sizeof(DirectoryLeafEntry) +
                   sizeof(DirectoryBlockTail),
               geometry.directory_block_size);
}

Explanation ExplainDirectoryShortForm(const Geometry& geometry,
                                      InodeNumber inode, Bytes fork) {
  const Where where = Where::DataFork(inode, 0);
  Explanation directory = ExplainTable(kHeaderTable, fork, 0, where);
  Checker check(directory.structure, where, Checker::Mode::kAllFindings);
  VerifyDirectoryShortForm(geometry, fork, check);
  if (fork.size() > kParentAt) {
    const uint32_t inode_bytes = InodeBytes(fork);
    if (Within(fork, kParentAt, inode_bytes)) {
      directory.Add("parent", kParentAt, fork.subspan(kParentAt, inode_bytes),
                    fmt::to_string(DirectoryShortFormParent(fork).value),
                    "inode number of the directory above");
    }
    DirectoryShortFormEntries entries(geometry.features, fork);
    DirectoryEntryView entry;
    size_t at = kParentAt + inode_bytes;
    for (size_t i = 0; entries.Next(entry); at += entry.size, ++i) {
      const auto row = [&](std::string_view field, size_t offset, size_t size,
                           std::string_view value, std::string_view meaning) {
        directory.Add(fmt::format("list[{}].{}", i, field), at + offset,
                      fork.subspan(at + offset, size), value, meaning);
      };
      row("namelen", 0, 1, fmt::to_string(entry.name.size()),
          "bytes of the name");
      row("offset", 1, 2, fmt::to_string(entry.offset),
          "place in a block-form directory; readdir positions come from it");
      row("name", 3, entry.name.size(),
          fmt::format("\"{}\"", absl::CHexEscape(std::string(entry.name))),
          "the name");
      if (geometry.features.ftype) {
        row("filetype", 3 + entry.name.size(), 1,
            RenderField(
                {"", 0, 1, FieldKind::kEnum, "", kDirectoryFileTypeNames},
                Bytes(&entry.file_type, 1)),
            "type of the file");
      }
      row("inumber", entry.size - inode_bytes, inode_bytes,
          fmt::to_string(entry.inode.value), "inode that the name leads to");
    }
  }
  AttachFindings(check, directory);
  return directory;
}

}  // namespace ondisk
