// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/parse_size.h"

#include <cerrno>
#include <charconv>

#include "libondisk/status.h"

namespace fusexfs {

absl::StatusOr<uint64_t> ParseSize(std::string_view text) {
  const auto bad = [] {
    return ondisk::PosixError(
        EINVAL, "must be a number of bytes, with K, M, G or T if you like");
  };
  uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc()) return bad();
  unsigned shift = 0;
  if (end != last) {
    constexpr std::string_view kUnits = "KMGT";
    const char unit = static_cast<char>(*end & ~0x20);  // upper case
    const size_t index = kUnits.find(unit);
    if (index == std::string_view::npos || end + 1 != last) return bad();
    shift = static_cast<unsigned>(10 * (index + 1));
  }
  if (number > (~uint64_t{0} >> 1) >> shift) return bad();
  return number << shift;
}

}  // namespace fusexfs
