// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/checker.h"

#include <fmt/format.h>

namespace ondisk {
namespace {

// A hostile block can fail thousands of checks; explain shows this many.
constexpr size_t kMostFindings = 64;

std::string Render(uint64_t value, int base) {
  return base == 16 ? fmt::format("{:#x}", value) : fmt::to_string(value);
}

}  // namespace

bool Checker::Fail(std::string_view field, std::string_view found,
                   std::string_view expected) {
  const size_t most = mode_ == Mode::kFirstFailure ? 1 : kMostFindings;
  if (findings_.size() < most) {
    findings_.push_back(
        {std::string(field), std::string(found), std::string(expected)});
  }
  return false;
}

bool Checker::Fail(std::string_view field, uint64_t found,
                   std::string_view relation, uint64_t expected, int base) {
  return Fail(field, Render(found, base),
              fmt::format("{}{}", relation, Render(expected, base)));
}

bool Checker::FailRange(std::string_view field, uint64_t found, uint64_t low,
                        uint64_t high) {
  return Fail(field, fmt::to_string(found), fmt::format("{} to {}", low, high));
}

bool Checker::FailText(std::string_view field, uint64_t found,
                       std::string_view expected) {
  return Fail(field, fmt::to_string(found), expected);
}

absl::Status Checker::FirstError() const {
  const Finding& first = findings_.front();
  return CorruptionError(structure_, where_, first.field, first.found,
                         first.expected);
}

}  // namespace ondisk
