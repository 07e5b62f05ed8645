// SPDX-License-Identifier: GPL-2.0-or-later
// Text in columns. Rows are collected and printed in batches, so that a table
// of any length needs little memory; columns only ever get wider.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_TABLE_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fusexfs/tools/ondisk/console.h"

namespace fusexfs::tool {

// Columns that a terminal needs for UTF-8 `text` (combining marks and wide
// characters are taken as one column each).
size_t DisplayWidth(std::string_view text);

// Cuts `text` at spaces into lines of at most `width` columns; a longer word
// stands alone. At least one line.
std::vector<std::string> WrapText(std::string_view text, size_t width);

class Table {
 public:
  enum class Align : bool { kLeft, kRight };
  struct Column {
    std::string_view title;
    Align align = Align::kLeft;
    size_t width = 0;  // at least
    size_t most = 0;   // a longer cell pushes its own row only; 0: no limit
    Style style = Style::kPlain;
  };
  struct Row {
    std::vector<std::string> cells;  // one per column
    std::string problem;             // shown below the row, if not empty
  };

  // The titles are printed above the first batch unless all are empty. The last
  // column is wrapped at the console's width, below the row if it is narrow.
  Table(Console& console, std::vector<Column> columns, size_t indent = 0);
  ~Table() { Flush(); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void Add(std::vector<std::string> cells);
  void Add(Row row);
  void Flush();

 private:
  void Print(const Row& row, bool heading);
  void PrintLast(std::string line, size_t used, std::string_view text,
                 Style style);

  Console& console_;
  std::vector<Column> columns_;
  const size_t indent_;
  bool heading_due_;
  std::vector<Row> rows_;
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_TABLE_H_
