// SPDX-License-Identifier: GPL-2.0-or-later
// What every verifier is written with: a list of checks, each naming a field.
//
// A verifier is one function `void VerifyX(..., Checker& check)`. It runs in
// two modes from the same lines:
//   - first failure (reading an image): the first failed check is kept, and
//     every verifier stops as soon as check.failed() tells it to;
//   - all findings (`ondisk explain`): every failed check is kept.
// Each check returns whether it held. Where a later line relies on a field (as
// a length, a count, an index), the verifier returns when its check fails, in
// both modes. A passing check costs a comparison and allocates nothing.
//
// Thread-safety: one checker belongs to one thread.
#ifndef FUSEXFS_LIBONDISK_CHECKER_H_
#define FUSEXFS_LIBONDISK_CHECKER_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libondisk/status.h"

namespace ondisk {

struct Finding {
  std::string field;  // as the field table names it
  std::string found;
  std::string expected;
};

class Checker {
 public:
  enum class Mode { kFirstFailure, kAllFindings };

  Checker(std::string_view structure, Where where,
          Mode mode = Mode::kFirstFailure)
      : structure_(structure), where_(where), mode_(mode) {}

  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // found == expected. `Hex` prints both in hexadecimal (magic numbers, flags).
  bool Equal(std::string_view field, uint64_t found, uint64_t expected) {
    return found == expected || Fail(field, found, "", expected, 10);
  }
  bool EqualHex(std::string_view field, uint64_t found, uint64_t expected) {
    return found == expected || Fail(field, found, "", expected, 16);
  }
  bool AtMost(std::string_view field, uint64_t found, uint64_t limit) {
    return found <= limit || Fail(field, found, "at most ", limit, 10);
  }
  bool AtLeast(std::string_view field, uint64_t found, uint64_t limit) {
    return found >= limit || Fail(field, found, "at least ", limit, 10);
  }
  bool Less(std::string_view field, uint64_t found, uint64_t limit) {
    return found < limit || Fail(field, found, "less than ", limit, 10);
  }
  bool InRange(std::string_view field, uint64_t found, uint64_t low,
               uint64_t high) {
    return (found >= low && found <= high) ||
           FailRange(field, found, low, high);
  }
  // Any other condition, `expected` in plain words.
  bool That(bool holds, std::string_view field, uint64_t found,
            std::string_view expected) {
    return holds || FailText(field, found, expected);
  }
  // A failure whose found value is not a number.
  bool Fail(std::string_view field, std::string_view found,
            std::string_view expected);

  bool failed() const { return !findings_.empty(); }
  // True once a verifier must not go on (first-failure mode, something failed).
  bool done() const {
    return mode_ == Mode::kFirstFailure && !findings_.empty();
  }
  const std::vector<Finding>& findings() const { return findings_; }
  std::string_view structure() const { return structure_; }
  Where where() const { return where_; }

  // OK, or the corruption error of the first finding.
  absl::Status status() const {
    return findings_.empty() ? absl::OkStatus() : FirstError();
  }

 private:
  bool Fail(std::string_view field, uint64_t found, std::string_view relation,
            uint64_t expected, int base);
  bool FailRange(std::string_view field, uint64_t found, uint64_t low,
                 uint64_t high);
  bool FailText(std::string_view field, uint64_t found,
                std::string_view expected);
  absl::Status FirstError() const;

  std::string_view structure_;
  Where where_;
  Mode mode_;
  std::vector<Finding> findings_;
};

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_CHECKER_H_
