// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fusexfs/tools/ondisk/console_capture.h"

namespace fusexfs::tool {
namespace {

using ::testing::ElementsAre;
using Align = Table::Align;

TEST(WrapText, CutsAtSpacesAndNeverInsideAWord) {
  EXPECT_THAT(WrapText("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(WrapText("extraordinarily so", 5),
              ElementsAre("extraordinarily", "so"));
  EXPECT_THAT(WrapText("", 5), ElementsAre(""));
}

TEST(DisplayWidth, CountsCharactersNotBytes) {
  EXPECT_EQ(DisplayWidth("a\xc3\xa4\xe2\x82\xac"), 3u);
}

TEST(Table, AlignsAndTrims) {
  ConsoleCapture capture;
  {
    Table table(capture.console(), {{.title = "n", .align = Align::kRight},
                                    {.title = "name"},
                                    {.title = "x"}});
    table.Add({"1", "a", ""});
    table.Add({"10", "bb", "y"});
  }
  EXPECT_EQ(capture.out(),
            " n  name  x\n"
            " 1  a\n"
            "10  bb    y\n");
}

TEST(Table, ALongCellPushesOnlyItsOwnRow) {
  ConsoleCapture capture;
  {
    Table table(capture.console(), {{.title = "", .most = 4}, {.title = ""}});
    table.Add({"a", "x"});
    table.Add({"too long", "y"});
  }
  EXPECT_EQ(capture.out(), "a     x\ntoo long  y\n");
}

TEST(Table, ShowsAProblemBelowItsRow) {
  ConsoleCapture capture;
  {
    Table table(capture.console(), {{.title = ""}, {.title = ""}}, 2);
    table.Add(Table::Row{{"a", "b"}, "wrong"});
  }
  EXPECT_EQ(capture.out(), "  a  b\n          wrong\n");
}

TEST(Table, WrapsTheLastColumnOnATerminal) {
  ConsoleCapture capture({.width = 40});
  {
    Table table(capture.console(), {{.title = ""}, {.title = ""}});
    table.Add({"key", "a text of some words that is too long for a line"});
  }
  EXPECT_EQ(capture.out(),
            "key  a text of some words that is too\n"
            "     long for a line\n");
}

TEST(Table, PutsTheLastColumnBelowWhereThereIsNoRoom) {
  ConsoleCapture capture({.width = 40});
  {
    Table table(capture.console(), {{.title = ""}, {.title = ""}});
    table.Add({"a very long key column", "more words than fit beside it"});
  }
  EXPECT_EQ(capture.out(),
            "a very long key column\n"
            "        more words than fit beside it\n");
}

}  // namespace
}  // namespace fusexfs::tool
