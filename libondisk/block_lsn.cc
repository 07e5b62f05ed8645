// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/block_lsn.h"

#include <string>

#include <fmt/format.h>

namespace ondisk {
namespace {

bool IsBehind(Lsn lsn, Lsn log_head) {
  return lsn <= log_head || lsn == kNullLsn;
}

std::string Render(Lsn lsn) {
  return fmt::format("{}:{}", lsn.cycle(), lsn.block());
}

std::string Expected(Lsn log_head) {
  return fmt::format("at most {}, the head of the log", Render(log_head));
}

}  // namespace

bool VerifyBlockLsn(Lsn lsn, Lsn log_head, Checker& check) {
  return IsBehind(lsn, log_head) ||
         check.Fail("lsn", Render(lsn), Expected(log_head));
}

void JudgeBlockLsns(Lsn log_head, Explanation& explanation) {
  for (ExplainedField& field : explanation.fields) {
    if (!field.block_lsn || IsBehind(*field.block_lsn, log_head)) continue;
    field.problem.append(field.problem.empty() ? "" : "; ")
        .append("expected ")
        .append(Expected(log_head));
  }
  for (Explanation& part : explanation.parts) JudgeBlockLsns(log_head, part);
}

}  // namespace ondisk
