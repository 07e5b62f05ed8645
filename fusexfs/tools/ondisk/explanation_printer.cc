// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/explanation_printer.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusexfs/tools/ondisk/table.h"
#include "libondisk/block_lsn.h"

namespace fusexfs::tool {
namespace {

using ondisk::ExplainedField;
using ondisk::Explanation;
using ondisk::Finding;

// A table shows this many hexadecimal digits; JSON shows what there is.
constexpr size_t kMostDigits = 16;
constexpr size_t kIndent = 2;  // per level of parts

std::string ShortRaw(std::string_view raw) {
  if (raw.size() <= kMostDigits) return std::string(raw);
  return fmt::format("{}...", raw.substr(0, kMostDigits));
}

std::string ProblemText(const Finding& finding) {
  return fmt::format("{} is {}, expected {}", finding.field, finding.found,
                     finding.expected);
}

// "AGF at daddr 1", "inode 131".
std::string Title(const Explanation& e) {
  if (e.where.empty()) return e.structure;
  if (e.where.starts_with(e.structure + ' ')) return e.where;
  return fmt::format("{} at {}", e.structure, e.where);
}

void PrintFields(const Explanation& explanation, size_t indent,
                 Console& console) {
  using Align = Table::Align;
  // A few long values must not push all meanings out of sight.
  const bool narrow = console.width() > 0 && console.width() < 140;
  const size_t most = narrow ? 24 : 40;
  Table table(
      console,
      {{.title = "offset", .align = Align::kRight, .style = Style::kDim},
       {.title = "raw bytes", .style = Style::kDim},
       {.title = "field", .style = Style::kName},
       {.title = "value", .most = most},
       {.title = "ok?"},
       {.title = "meaning", .style = Style::kDim}},
      indent);
  for (const ExplainedField& field : explanation.fields) {
    Table::Row row;
    // Rows that are not of bytes (the state of the log) have no place.
    row.cells = {field.raw.empty() ? "" : fmt::format("{:#x}", field.offset),
                 ShortRaw(field.raw),
                 field.name,
                 field.value,
                 field.problem.empty() ? "ok" : "BAD",
                 field.meaning};
    if (!field.problem.empty()) {
      row.problem =
          fmt::format("^ {} does not hold: {}", field.name, field.problem);
    }
    table.Add(std::move(row));
  }
}

}  // namespace

Json ExplanationJson(const Explanation& explanation) {
  Json json;
  json["structure"] = explanation.structure;
  json["about"] = explanation.about;
  json["where"] = explanation.where;
  json["ok"] = explanation.AllChecksHold();
  json["fields"] = Json::array();
  for (const ExplainedField& field : explanation.fields) {
    Json object;
    object["name"] = field.name;
    object["offset"] = field.offset;
    object["raw"] = field.raw;
    object["value"] = field.value;
    object["meaning"] = field.meaning;
    object["ok"] = field.problem.empty();
    if (!field.problem.empty()) object["problem"] = field.problem;
    json["fields"].push_back(std::move(object));
  }
  json["problems"] = Json::array();
  for (const Finding& finding : explanation.problems) {
    json["problems"].push_back({{"field", finding.field},
                                {"found", finding.found},
                                {"expected", finding.expected}});
  }
  json["parts"] = Json::array();
  for (const Explanation& part : explanation.parts) {
    json["parts"].push_back(ExplanationJson(part));
  }
  return json;
}

uint64_t CountProblems(const Explanation& explanation) {
  auto count = static_cast<uint64_t>(std::count_if(
      explanation.fields.begin(), explanation.fields.end(),
      [](const ExplainedField& field) { return !field.problem.empty(); }));
  count += explanation.problems.size();
  for (const Explanation& part : explanation.parts) {
    count += CountProblems(part);
  }
  return count;
}

ExplanationPrinter::ExplanationPrinter(Console& console) : console_(console) {
  if (console.json()) array_.emplace(console);
}

void ExplanationPrinter::Print(Explanation explanation) {
  ondisk::JudgeBlockLsns(log_head_, explanation);
  problems_ += CountProblems(explanation);
  if (array_) {
    array_->Add(ExplanationJson(explanation));
  } else {
    if (structures_ > 0) console_.Write("\n");
    PrintText(explanation, 0);
  }
  ++structures_;
}

void ExplanationPrinter::PrintText(const Explanation& explanation,
                                   size_t depth) {
  const size_t indent = depth * kIndent;
  const std::string margin(indent, ' ');
  console_.Write(fmt::format(
      "{}{}\n", margin, console_.Paint(Style::kHeading, Title(explanation))));
  if (!explanation.about.empty()) {
    const size_t width = console_.width();
    const auto lines = width > indent + kIndent
                           ? WrapText(explanation.about, width - indent)
                           : std::vector<std::string>{explanation.about};
    for (const std::string& line : lines)
      console_.Write(fmt::format("{}{}\n", margin, line));
  }
  PrintFields(explanation, indent + kIndent, console_);
  for (const Finding& finding : explanation.problems) {
    console_.Write(fmt::format(
        "{}{}\n", margin,
        console_.Paint(Style::kBad,
                       fmt::format("  BAD  {}", ProblemText(finding)))));
  }
  for (const Explanation& part : explanation.parts) {
    console_.Write("\n");
    PrintText(part, depth + 1);
  }
}

absl::Status ExplanationPrinter::Finish(const absl::Status& status) {
  array_.reset();
  if (!status.ok()) return status;
  if (problems_ == 0) {
    if (!console_.json()) {
      console_.Write(fmt::format(
          "\n{}\n", console_.Paint(Style::kGood, "All checks hold.")));
    }
    return absl::OkStatus();
  }
  return absl::DataLossError(fmt::format("{} check{} not hold", problems_,
                                         problems_ == 1 ? " does" : "s do"));
}

}  // namespace fusexfs::tool
