// SPDX-License-Identifier: GPL-2.0-or-later
#include "absl/strings/cord.h"
#include "fusexfs/tools/ondisk/commands.h"

namespace fusexfs::tool {
namespace {

constexpr char kUsagePayload[] = "ondisk/usage";

}  // namespace

absl::Status UsageError(std::string_view message) {
  absl::Status status = absl::InvalidArgumentError(std::string(message));
  status.SetPayload(kUsagePayload, absl::Cord());
  return status;
}

bool IsUsageError(const absl::Status& status) {
  return status.GetPayload(kUsagePayload).has_value();
}

}  // namespace fusexfs::tool
