// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute_leaf.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/attribute_explain.h"

namespace ondisk {
namespace {

constexpr std::string_view kCountMeaning = "attributes in this leaf";
constexpr std::string_view kUsedMeaning = "bytes of names and local values";
constexpr std::string_view kFirstMeaning =
    "where names and values begin; 0 stands for 65536";
constexpr std::string_view kHolesMeaning =
    "1 if there is free space that the freemap does not know";

constexpr Field kHeaderFields[] = {
    ONDISK_FIELD(AttributeLeafHeader, count, kUnsigned, kCountMeaning),
    ONDISK_FIELD(AttributeLeafHeader, usedbytes, kUnsigned, kUsedMeaning),
    ONDISK_FIELD(AttributeLeafHeader, firstused, kUnsigned, kFirstMeaning),
    ONDISK_FIELD(AttributeLeafHeader, holes, kUnsigned, kHolesMeaning),
    ONDISK_FIELD(AttributeLeafHeader, pad1, kPadding, "unused"),
};
constexpr FieldTable kHeaderTable = {
    "attribute leaf", "", sizeof(AttributeLeafHeader), kHeaderFields};
constexpr Field kHeader3Fields[] = {
    ONDISK_FIELD(Attribute3LeafHeader, count, kUnsigned, kCountMeaning),
    ONDISK_FIELD(Attribute3LeafHeader, usedbytes, kUnsigned, kUsedMeaning),
    ONDISK_FIELD(Attribute3LeafHeader, firstused, kUnsigned, kFirstMeaning),
    ONDISK_FIELD(Attribute3LeafHeader, holes, kUnsigned, kHolesMeaning),
    ONDISK_FIELD(Attribute3LeafHeader, pad1, kPadding, "unused"),
};
constexpr FieldTable kHeader3Table = {
    "attribute leaf", "", sizeof(Attribute3LeafHeader), kHeader3Fields};

// What follows the common header, the same for V4 and V5.
struct Rest {
  Be16 count;
  Be16 usedbytes;
  Be16 firstused;
  uint8_t holes;
  uint8_t pad1;
  AttributeFreemap freemap[kAttributeFreemapCount];
};
size_t RestAt(const Features& features) {
  return features.crc ? sizeof(Da3BlockInfo) : sizeof(DaBlockInfo);
}
const Rest& RestOf(const Features& features, Bytes block) {
  return View<Rest>(block, RestAt(features));
}

size_t HeaderSize(const Features& features) {
  return features.crc ? sizeof(Attribute3LeafHeader)
                      : sizeof(AttributeLeafHeader);
}

// Names with their values stand at multiples of 4 bytes.
constexpr uint64_t RoundUp4(uint64_t size) { return (size + 3) & ~uint64_t{3}; }

// Bytes that an attribute takes, with the padding that the format counts.
uint64_t NameSize(const AttributeView& attribute) {
  return attribute.remote
             ? RoundUp4(sizeof(AttributeRemoteName) + 2 + attribute.name.size())
             : RoundUp4(sizeof(AttributeLocalName) + attribute.name.size() +
                        attribute.value.size());
}

void VerifyEntry(Bytes block, const AttributeLeafEntry& entry, size_t index,
                 uint32_t first_used, Checker& check) {
  const auto name = [index](std::string_view field) {
    return fmt::format("entries[{}].{}", index, field);
  };
  const uint32_t at = entry.nameidx.value();
  if (at < first_used || at >= block.size()) {
    check.InRange(name("nameidx"), at, first_used, block.size() - 1);
    return;
  }
  const AttributeView attribute = AttributeOf(entry, block);
  if (attribute.name.empty() || NameSize(attribute) > block.size() - at) {
    check.That(false, name("nameidx"), at,
               "a name (and local value) that fits the block");
    return;
  }
  if (attribute.remote && !attribute.incomplete() &&
      attribute.remote_block.value == 0) {
    check.That(false, name("valueblk"), 0, "a fork block that is not 0");
  }
  if (!IsLegalAttributeNamespace(entry.flags)) {
    check.That(false, name("flags"), entry.flags, "at most one namespace bit");
  }
}

}  // namespace

void VerifyAttributeLeaf(const Geometry& geometry, DiskAddress address,
                         Bytes block, Checker& check) {
  if (!check.Equal("size", block.size(), geometry.block_size) ||
      !VerifyDaBlockInfo(geometry, address, block, kAttributeLeafMagicV4,
                         kAttributeLeafMagicV5, check)) {
    return;
  }
  const size_t start = HeaderSize(geometry.features);
  const Rest& rest = RestOf(geometry.features, block);
  uint32_t first_used = rest.firstused.value();
  if (first_used == 0) first_used = static_cast<uint32_t>(block.size());
  if (!check.InRange("firstused", first_used, start, block.size())) return;
  if (!check.AtMost("count", rest.count.value(),
                    (first_used - start) / sizeof(AttributeLeafEntry))) {
    return;
  }
  const auto entries = ViewAttributeLeaf(geometry.features, block).entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && entries[i].hashval.value() < entries[i - 1].hashval.value()) {
      check.AtLeast(fmt::format("entries[{}].hashval", i),
                    entries[i].hashval.value(), entries[i - 1].hashval.value());
    }
    VerifyEntry(block, entries[i], i, first_used, check);
    if (check.done()) return;
  }
  for (size_t i = 0; i < kAttributeFreemapCount; ++i) {
    const uint32_t base = rest.freemap[i].base.value();
    const uint32_t size = rest.freemap[i].size.value();
    if (base % 4 != 0 || size % 4 != 0 || base + size > block.size()) {
      check.That(false, fmt::format("freemap[{}]", i), base,
                 "a run of multiples of 4 within the block");
    }
  }
}

AttributeLeafView ViewAttributeLeaf(const Features& features, Bytes block) {
  const size_t start = HeaderSize(features);
  const size_t count =
      std::min<size_t>(RestOf(features, block).count.value(),
                       (block.size() - start) / sizeof(AttributeLeafEntry));
  const auto& info = View<DaBlockInfo>(block);
  return {info.forw.value(),
          info.back.value(),
          {&View<AttributeLeafEntry>(block, start), count}};
}

AttributeView AttributeOf(const AttributeLeafEntry& entry, Bytes block) {
  AttributeView attribute;
  attribute.flags = entry.flags;
  const uint32_t at = entry.nameidx.value();
  const auto* text = reinterpret_cast<const char*>(block.data());
  if ((entry.flags & kAttributeLocal) != 0) {
    if (!Within(block, at, sizeof(AttributeLocalName))) return attribute;
    const auto& local = View<AttributeLocalName>(block, at);
    const size_t name_at = at + sizeof(AttributeLocalName);
    const size_t value_length = local.valuelen.value();
    if (!Within(block, name_at, local.namelen + value_length)) {
      return attribute;
    }
    attribute.name = {text + name_at, local.namelen};
    attribute.value = block.subspan(name_at + local.namelen, value_length);
    attribute.value_length = static_cast<uint32_t>(value_length);
    return attribute;
  }
  attribute.remote = true;
  if (!Within(block, at, sizeof(AttributeRemoteName))) return attribute;
  const auto& remote = View<AttributeRemoteName>(block, at);
  const size_t name_at = at + sizeof(AttributeRemoteName);
  if (!Within(block, name_at, remote.namelen)) return attribute;
  attribute.name = {text + name_at, remote.namelen};
  attribute.remote_block = DaBlock(remote.valueblk.value());
  attribute.value_length = remote.valuelen.value();
  return attribute;
}

size_t FindAttributeEntry(std::span<const AttributeLeafEntry> entries,
                          uint32_t hash) {
  const auto at = std::partition_point(
      entries.begin(), entries.end(),
      [hash](const auto& e) { return e.hashval.value() < hash; });
  return static_cast<size_t>(at - entries.begin());
}

Explanation ExplainAttributeLeaf(const Geometry& geometry, DiskAddress address,
                                 Bytes block) {
  Explanation leaf;
  leaf.structure = "attribute leaf";
  leaf.about =
      "Extended attributes: entries in the order of their names' hashes, then "
      "free space, then names and values.";
  leaf.where = Where::Disk(address).ToString();
  Checker check(leaf.structure, Where::Disk(address),
                Checker::Mode::kAllFindings);
  VerifyAttributeLeaf(geometry, address, block, check);
  if (block.size() == geometry.block_size) {
    const Features& features = geometry.features;
    const auto row = [&](std::string name, size_t offset, size_t size,
                         std::string_view value, std::string_view meaning) {
      leaf.Add(name, offset, block.subspan(offset, size), value, meaning);
    };
    ExplainDaBlockInfo(geometry, block, leaf);
    ExplainFields(features.crc ? kHeader3Table : kHeaderTable, block, 0, leaf);
    const Rest& rest = RestOf(features, block);
    for (size_t i = 0; i < kAttributeFreemapCount; ++i) {
      row(fmt::format("freemap[{}]", i),
          RestAt(features) + offsetof(Rest, freemap) +
              i * sizeof(AttributeFreemap),
          sizeof(AttributeFreemap),
          fmt::format("{} bytes at {}", rest.freemap[i].size.value(),
                      rest.freemap[i].base.value()),
          "a free run");
    }
    const auto entries = ViewAttributeLeaf(features, block).entries;
    for (size_t i = 0; i < entries.size(); ++i) {
      const AttributeLeafEntry& entry = entries[i];
      const size_t at = HeaderSize(features) + i * sizeof(AttributeLeafEntry);
      const std::string prefix = fmt::format("entries[{}].", i);
      row(prefix + "hashval", at, 4,
          fmt::format("{:#010x}", entry.hashval.value()), "hash of the name");
      row(prefix + "nameidx", at + 4, 2, fmt::to_string(entry.nameidx.value()),
          "where name and value are");
      row(prefix + "flags", at + 6, 1,
          RenderFlags(entry.flags, kAttributeFlagNames),
          "namespace, and where the value is");
      const AttributeView attribute = AttributeOf(entry, block);
      if (attribute.name.empty()) continue;
      const size_t name_at = entry.nameidx.value();
      if (attribute.remote) {
        row(prefix + "valueblk", name_at, 4,
            fmt::to_string(attribute.remote_block.value),
            "first fork block of the value");
      }
      row(prefix + "valuelen", attribute.remote ? name_at + 4 : name_at,
          attribute.remote ? 4 : 2, fmt::to_string(attribute.value_length),
          "bytes of the value");
      ExplainAttributeNameAndValue(geometry, prefix, attribute, block.data(),
                                   leaf);
    }
  }
  AttachFindings(check, leaf);
  return leaf;
}

}  // namespace ondisk
