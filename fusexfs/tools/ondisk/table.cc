// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fusexfs::tool {
namespace {

constexpr size_t kBatch = 1024;    // rows
constexpr size_t kGap = 2;         // columns between two cells
constexpr size_t kLeastWrap = 30;  // a narrower last column goes below
constexpr size_t kBelow = 8;       // indent of what goes below a row

}  // namespace

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

std::vector<std::string> WrapText(std::string_view text, size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (DisplayWidth(line) + 1 + DisplayWidth(word) <= width) {
      line.append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

Table::Table(Console& console, std::vector<Column> columns, size_t indent)
    : console_(console),
      columns_(std::move(columns)),
      indent_(indent),
      heading_due_(
          std::any_of(columns_.begin(), columns_.end(),
                      [](const Column& c) { return !c.title.empty(); })) {}

void Table::Add(std::vector<std::string> cells) {
  Add(Row{std::move(cells), ""});
}

void Table::Add(Row row) {
  rows_.push_back(std::move(row));
  if (rows_.size() >= kBatch) Flush();
}

void Table::Flush() {
  if (rows_.empty()) return;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t& width = columns_[i].width;
    if (heading_due_) width = std::max(width, DisplayWidth(columns_[i].title));
    for (const Row& row : rows_) {
      width = std::max(width, DisplayWidth(row.cells[i]));
    }
    if (columns_[i].most > 0) width = std::min(width, columns_[i].most);
  }
  if (heading_due_) {
    Row titles;
    for (const Column& column : columns_)
      titles.cells.emplace_back(column.title);
    Print(titles, true);
    heading_due_ = false;
  }
  for (const Row& row : rows_) Print(row, false);
  rows_.clear();
}

void Table::Print(const Row& row, bool heading) {
  std::string line(indent_, ' ');
  size_t used = indent_;
  for (size_t i = 0; i + 1 < columns_.size(); ++i) {
    const Column& column = columns_[i];
    const size_t cell_width = DisplayWidth(row.cells[i]);
    const size_t width = std::max(column.width, cell_width);
    const std::string padding(width - cell_width, ' ');
    const std::string cell =
        console_.Paint(heading ? Style::kDim : column.style, row.cells[i]);
    if (column.align == Align::kRight) line += padding;
    line += cell;
    if (column.align == Align::kLeft) line += padding;
    line.append(kGap, ' ');
    used += width + kGap;
  }
  const Column& last = columns_.back();
  if (last.align == Align::kRight) {
    line.append(last.width - DisplayWidth(row.cells.back()), ' ');
  }
  PrintLast(std::move(line), used, row.cells.back(),
            heading ? Style::kDim : last.style);
  if (!row.problem.empty()) {
    console_.Write(std::string(indent_ + kBelow, ' ') +
                   console_.Paint(Style::kBad, row.problem) + "\n");
  }
}

void Table::PrintLast(std::string line, size_t used, std::string_view text,
                      Style style) {
  const size_t width = console_.width();
  std::vector<std::string> lines;
  size_t indent = used;
  if (width == 0 || used + DisplayWidth(text) <= width) {
    lines.emplace_back(text);
  } else if (used + kLeastWrap <= width) {
    lines = WrapText(text, width - used);
  } else {
    indent = indent_ + kBelow;
    lines = WrapText(text, width > indent ? width - indent : 1);
    lines.insert(lines.begin(), "");
  }
  for (const std::string& part : lines) {
    line += console_.Paint(style, part);
    line.erase(line.find_last_not_of(' ') + 1);
    console_.Write(line += '\n');
    line.assign(indent, ' ');
  }
}

}  // namespace fusexfs::tool
