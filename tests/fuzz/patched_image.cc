// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/patched_image.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "libondisk/crc32c.h"
#include "libondisk/endian.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"
#include "tests/support/golden_image.h"

namespace fusexfs::fuzz {
namespace {

void Reseal(PatchedImage::Changed& changed) {
  if (!changed.structure.crc_offset.has_value()) return;
  const uint32_t at = *changed.structure.crc_offset;
  const ondisk::Le32 crc(ondisk::MetadataCrc(changed.bytes, at));
  std::memcpy(changed.bytes.data() + at, &crc, sizeof(crc));
}

// Takes integers and bytes off the front of the input.
class Reader {
 public:
  explicit Reader(ondisk::Bytes input) : input_(input) {}

  bool Has(size_t bytes) const { return input_.size() >= bytes; }
  uint32_t Take(size_t bytes) {
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= uint32_t{input_[i]} << (8 * i);
    input_ = input_.subspan(bytes);
    return value;
  }
  ondisk::Bytes TakeBytes(size_t bytes) {
    const ondisk::Bytes taken = input_.first(std::min(bytes, input_.size()));
    input_ = input_.subspan(taken.size());
    return taken;
  }

 private:
  ondisk::Bytes input_;
};

}  // namespace

Bases LoadBases(std::initializer_list<std::string_view> names,
                std::initializer_list<StructureKind> kinds) {
  Bases bases;
  for (const std::string_view name : names) {
    Base base;
    base.name = name;
    base.bytes = GoldenBytes(name);
    const auto geometry = ondisk::GeometryFromSuperblock(
        ondisk::Bytes(base.bytes).first(ondisk::kSuperblockReadBytes),
        base.bytes.size());
    if (!geometry.ok()) std::abort();
    base.geometry = *geometry;
    for (const Structure& structure :
         FindStructures(base.geometry, base.bytes)) {
      if (std::find(kinds.begin(), kinds.end(), structure.kind) !=
          kinds.end()) {
        base.structures.push_back(structure);
      }
    }
    if (base.structures.empty()) {
      std::fprintf(stderr, "%s has none of the wanted structures\n",
                   base.name.c_str());
      std::abort();
    }
    bases.push_back(std::move(base));
  }
  return bases;
}

absl::Status PatchedImage::ReadAt(uint64_t offset,
                                  ondisk::MutableBytes into) const {
  if (!ondisk::Within(base_.bytes, offset, into.size())) {
    return ondisk::PosixError(EIO, "read past the end of the image");
  }
  if (into.empty()) return absl::OkStatus();
  std::memcpy(into.data(), base_.bytes.data() + offset, into.size());
  const uint64_t end = offset + into.size();
  auto piece = changed_.upper_bound(offset);
  if (piece != changed_.begin()) --piece;
  for (; piece != changed_.end() && piece->first < end; ++piece) {
    const uint64_t start = piece->first;
    const std::vector<uint8_t>& bytes = piece->second.bytes;
    const uint64_t from = std::max(offset, start);
    const uint64_t to = std::min(end, start + bytes.size());
    if (from >= to) continue;
    std::memcpy(into.data() + (from - offset), bytes.data() + (from - start),
                to - from);
  }
  return absl::OkStatus();
}

std::unique_ptr<PatchedImage> PatchedImage::Clone() const {
  auto copy = std::make_unique<PatchedImage>(base_);
  copy->changed_ = changed_;
  return copy;
}

std::unique_ptr<PatchedImage> ReadInput(const Bases& bases,
                                        ondisk::Bytes input) {
  Reader reader(input);
  const Base& base = bases[reader.Has(1) ? reader.Take(1) % bases.size() : 0];
  auto image = std::make_unique<PatchedImage>(base);
  std::vector<uint64_t> unsealed;
  for (size_t i = 0; i < kMostChanges && reader.Has(6); ++i) {
    const Structure& structure =
        base.structures[reader.Take(2) % base.structures.size()];
    const uint32_t where = reader.Take(2) % structure.size;
    const uint32_t control = reader.Take(1);
    const ondisk::Bytes bytes = reader.TakeBytes((control & 15) + 1);
    auto [entry, added] =
        image->changed_.try_emplace(structure.offset, PatchedImage::Changed{});
    PatchedImage::Changed& changed = entry->second;
    if (added) {
      changed.structure = structure;
      const auto first =
          base.bytes.begin() + static_cast<ptrdiff_t>(structure.offset);
      changed.bytes.assign(first, first + structure.size);
    }
    const size_t length =
        std::min<size_t>(bytes.size(), structure.size - where);
    std::copy_n(bytes.begin(), length, changed.bytes.begin() + where);
    if ((control & 0x80) != 0) unsealed.push_back(structure.offset);
  }
  for (auto& [offset, changed] : image->changed_) {
    if (std::find(unsealed.begin(), unsealed.end(), offset) == unsealed.end()) {
      Reseal(changed);
    }
  }
  return image;
}

}  // namespace fusexfs::fuzz
