// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/fields.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "absl/strings/escaping.h"
#include "libondisk/endian.h"

namespace ondisk {
namespace {

uint64_t ReadInteger(std::endian order, Bytes bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t at = order == std::endian::big ? i : bytes.size() - 1 - i;
    value = value << 8 | bytes[at];
  }
  return value;
}

int64_t SignExtend(uint64_t value, uint32_t size) {
  const int shift = 64 - 8 * static_cast<int>(size);
  return static_cast<int64_t>(value << shift) >> shift;
}

std::string RenderTextBytes(Bytes bytes) {
  size_t length = 0;
  while (length < bytes.size() && bytes[length] != 0) ++length;
  return fmt::format("\"{}\"",
                     absl::CHexEscape(std::string(
                         reinterpret_cast<const char*>(bytes.data()), length)));
}

std::string RenderMagic(uint64_t value, Bytes bytes) {
  const bool printable = std::all_of(
      bytes.begin(), bytes.end(), [](uint8_t c) { return c > 32 && c < 127; });
  if (!printable) return fmt::format("{:#x}", value);
  return fmt::format(
      "{:#x} \"{}\"", value,
      std::string_view(reinterpret_cast<const char*>(bytes.data()),
                       bytes.size()));
}

std::string RenderMode(uint64_t mode) {
  static constexpr const char* kTypes[16] = {"?",
                                             "fifo",
                                             "char device",
                                             "?",
                                             "directory",
                                             "?",
                                             "block device",
                                             "?",
                                             "file",
                                             "?",
                                             "symlink",
                                             "?",
                                             "socket",
                                             "?",
                                             "?",
                                             "?"};
  return fmt::format("0{:o} {}", mode, kTypes[mode >> 12 & 15]);
}

std::string RenderOne(const Field& field, Bytes bytes) {
  switch (field.kind) {
    case FieldKind::kUuid:
      return bytes.size() == 16 ? RenderUuid(bytes) : RenderHex(bytes);
    case FieldKind::kText:
      return RenderTextBytes(bytes);
    case FieldKind::kBytes:
      return RenderHex(bytes);
    case FieldKind::kCrc:
      if (bytes.size() == 4) {
        return fmt::format("{:#010x}", View<Le32>(bytes).value());
      }
      return RenderHex(bytes);
    default:
      break;
  }
  if (bytes.size() > 8) return RenderHex(bytes);
  const uint64_t value = ReadInteger(field.order, bytes);
  switch (field.kind) {
    case FieldKind::kSigned:
      return fmt::to_string(SignExtend(value, field.size));
    case FieldKind::kHex:
      return fmt::format("{:#x}", value);
    case FieldKind::kMagic:
      return RenderMagic(value, bytes);
    case FieldKind::kLsn:
    case FieldKind::kBlockLsn:
      return fmt::format("{}:{}", value >> 32, value & 0xffffffffu);
    case FieldKind::kFlags:
      return RenderFlags(value, field.names);
    case FieldKind::kEnum:
      for (const NamedValue& name : field.names) {
        if (name.value == value) return fmt::format("{} {}", value, name.name);
      }
      return fmt::format("{} (unknown)", value);
    case FieldKind::kMode:
      return RenderMode(value);
    case FieldKind::kTime:
      return fmt::format("{} s {} ns", SignExtend(value >> 32, 4),
                         value & 0xffffffffu);
    default:
      return fmt::to_string(value);
  }
}

}  // namespace

void Explanation::Add(std::string_view name, uint64_t offset, Bytes bytes,
                      std::string_view value, std::string_view meaning) {
  fields.push_back({std::string(name), offset, RenderHex(bytes),
                    std::string(value), std::string(meaning), ""});
}

bool Explanation::AllChecksHold() const {
  return problems.empty() &&
         std::all_of(fields.begin(), fields.end(),
                     [](const auto& f) { return f.problem.empty(); }) &&
         std::all_of(parts.begin(), parts.end(),
                     [](const auto& p) { return p.AllChecksHold(); });
}

std::string RenderHex(Bytes bytes, size_t most_bytes) {
  std::string text;
  for (uint8_t byte : bytes.first(std::min(bytes.size(), most_bytes))) {
    fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  }
  if (bytes.size() > most_bytes) text += "...";
  return text;
}

std::string RenderUuid(Bytes bytes) {
  std::string text;
  for (size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    fmt::format_to(std::back_inserter(text), "{:02x}", bytes[i]);
  }
  return text;
}

std::string RenderFlags(uint64_t value, std::span<const NamedValue> names) {
  std::string text = fmt::format("{:#x}", value);
  std::string words;
  for (const NamedValue& name : names) {
    if ((value & name.value) == 0) continue;
    words.append(words.empty() ? "" : "|").append(name.name);
    value &= ~name.value;
  }
  if (value != 0 && !words.empty()) {
    words += fmt::format("|{:#x}", value);
  }
  if (!words.empty()) text.append(" ").append(words);
  return text;
}

std::string RenderField(const Field& field, Bytes bytes) {
  if (field.count == 1) return RenderOne(field, bytes);
  std::string text;
  constexpr uint32_t kMostElements = 8;
  for (uint32_t i = 0; i < std::min(field.count, kMostElements); ++i) {
    text.append(i == 0 ? "" : " ")
        .append(RenderOne(field,
                          bytes.subspan(uint64_t{i} * field.size, field.size)));
  }
  if (field.count > kMostElements) text += " ...";
  return text;
}

void ExplainFields(const FieldTable& table, Bytes bytes, uint64_t base_offset,
                   Explanation& into) {
  for (const Field& field : table.fields) {
    const uint64_t size = uint64_t{field.size} * field.count;
    if (!Within(bytes, field.offset, size)) continue;
    const Bytes raw = bytes.subspan(field.offset, size);
    into.Add(field.name, base_offset + field.offset, raw,
             RenderField(field, raw), field.meaning);
    if (field.kind == FieldKind::kBlockLsn) {
      into.fields.back().block_lsn = Lsn(ReadInteger(field.order, raw));
    }
  }
}

Explanation ExplainTable(const FieldTable& table, Bytes bytes,
                         uint64_t base_offset, Where where) {
  Explanation explanation;
  explanation.structure = table.structure;
  explanation.about = table.about;
  explanation.where = where.ToString();
  ExplainFields(table, bytes, base_offset, explanation);
  return explanation;
}

void AttachFindings(const Checker& check, Explanation& explanation) {
  for (const Finding& finding : check.findings()) {
    auto row = std::find_if(
        explanation.fields.begin(), explanation.fields.end(),
        [&finding](const auto& f) { return f.name == finding.field; });
    if (row == explanation.fields.end()) {
      explanation.problems.push_back(finding);
    } else {
      row->problem.append(row->problem.empty() ? "" : "; ")
          .append("expected ")
          .append(finding.expected);
    }
  }
}

}  // namespace ondisk
