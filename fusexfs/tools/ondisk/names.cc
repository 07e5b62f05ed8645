// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/names.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fusexfs::tool {
namespace {

// Bytes of the well-formed UTF-8 character that `text` starts with; 0 if there
// is none (Unicode 15, table 3-7: no overlong forms, no surrogates).
size_t CharacterLength(std::string_view text) {
  const auto byte = [&text](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
  };
  const auto in = [](uint8_t b, uint8_t low, uint8_t high) {
    return b >= low && b <= high;
  };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (in(first, 0xc2, 0xdf)) return in(byte(1), 0x80, 0xbf) ? 2 : 0;
  const uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (!in(first, 0xe0, 0xf4) || !in(byte(1), low, high)) return 0;
  if (!in(byte(2), 0x80, 0xbf)) return 0;
  if (first < 0xf0) return 3;
  return in(byte(3), 0x80, 0xbf) ? 4 : 0;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t length = CharacterLength(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

namespace {

std::string Escape(std::string_view bytes, bool backslashes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const size_t length = CharacterLength(bytes);
    const auto first = static_cast<uint8_t>(bytes[0]);
    // U+0080 to U+009F are control characters too.
    const bool control =
        first < 0x20 || first == 0x7f ||
        (length == 2 && first == 0xc2 && static_cast<uint8_t>(bytes[1]) < 0xa0);
    if (first == '\\' && backslashes) {
      text += "\\\\";
    } else if (first == '\n') {
      text += "\\n";
    } else if (first == '\t') {
      text += "\\t";
    } else if (length == 0) {
      fmt::format_to(std::back_inserter(text), "\\x{:02x}", first);
    } else if (control) {
      for (char c : bytes.substr(0, length)) {
        fmt::format_to(std::back_inserter(text), "\\x{:02x}",
                       static_cast<uint8_t>(c));
      }
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

}  // namespace

std::string EscapeName(std::string_view bytes) { return Escape(bytes, true); }

std::string EscapeRest(std::string_view bytes) { return Escape(bytes, false); }

std::string ReplaceInvalidUtf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const size_t length = CharacterLength(bytes);
    text += length == 0 ? std::string_view("\xef\xbf\xbd")
                        : bytes.substr(0, length);
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

void PutName(Json& object, std::string_view key, std::string_view bytes) {
  if (IsUtf8(bytes)) {
    object[std::string(key)] = bytes;
    return;
  }
  object[std::string(key)] = ReplaceInvalidUtf8(bytes);
  std::string hex;
  for (char c : bytes) {
    fmt::format_to(std::back_inserter(hex), "{:02x}", static_cast<uint8_t>(c));
  }
  object[std::string(key) + "_hex"] = hex;
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && path.back() != '/') path += '/';
  return path.append(name);
}

}  // namespace fusexfs::tool
