// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/directory_reader.h"

#include <algorithm>

namespace fusexfs::tool {
namespace {

constexpr size_t kBatch = 512;  // entries

}  // namespace

absl::Status DirectoryReader::Fill(size_t most) {
  batch_.clear();
  position_ = 0;
  bool full = false;
  absl::Status status = filesystem_.ReadDirectory(
      directory_, cookie_, [&](const DirectoryEntry& entry) {
        if (batch_.size() >= most) {
          full = true;
          return false;
        }
        cookie_ = entry.next_cookie;
        const bool dot = entry.name == "." || entry.name == "..";
        if (!dot || options_.dots) {
          batch_.push_back({std::string(entry.name), entry.inode, entry.type});
        }
        return true;
      });
  ended_ = !full;
  return status;
}

absl::StatusOr<const DirectoryReader::Entry*> DirectoryReader::Next() {
  if (!started_) {
    started_ = true;
    if (absl::Status s = Fill(std::max(kBatch, options_.most_sorted));
        !s.ok()) {
      return s;
    }
    if (ended_ && options_.most_sorted > 0) {
      sorted_ = true;
      std::sort(batch_.begin(), batch_.end(),
                [](const Entry& a, const Entry& b) { return a.name < b.name; });
    }
  }
  if (position_ == batch_.size() && !ended_) {
    if (absl::Status s = Fill(kBatch); !s.ok()) return s;
  }
  if (position_ == batch_.size()) return nullptr;
  return &batch_[position_++];
}

}  // namespace fusexfs::tool
