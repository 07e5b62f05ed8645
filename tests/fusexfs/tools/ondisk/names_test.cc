// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/names.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fusexfs::tool {
namespace {

TEST(IsUtf8, AcceptsEveryLength) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x9f"));
}

TEST(IsUtf8, RefusesWhatUnicodeForbids) {
  EXPECT_FALSE(IsUtf8("\x80"));              // continuation alone
  EXPECT_FALSE(IsUtf8("\xc3"));              // cut short
  EXPECT_FALSE(IsUtf8("\xc0\xaf"));          // overlong '/'
  EXPECT_FALSE(IsUtf8("\xe0\x80\xaf"));      // overlong
  EXPECT_FALSE(IsUtf8("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(IsUtf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(IsUtf8("\xff"));
}

TEST(EscapeName, KeepsPlainAndUtf8Text) {
  EXPECT_EQ(EscapeName("a b\xc3\xa4"), "a b\xc3\xa4");
}

TEST(EscapeName, NoNameCanCommandTheTerminalOrForgeALine) {
  EXPECT_EQ(EscapeName("x\ny"), "x\\ny");
  EXPECT_EQ(EscapeName("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(EscapeName("\x7f"), "\\x7f");
  EXPECT_EQ(EscapeName("\xc2\x9b"), "\\xc2\\x9b");  // U+009B, CSI
}

TEST(EscapeName, DifferentNamesStayDifferent) {
  EXPECT_EQ(EscapeName("\xff"), "\\xff");
  EXPECT_EQ(EscapeName("\\xff"), "\\\\xff");
}

TEST(EscapeRest, LeavesBackslashesAlone) {
  EXPECT_EQ(EscapeRest("a\\nb\xff"), "a\\nb\\xff");
}

TEST(PutName, AddsExactBytesOnlyWhereTextCannotSayThem) {
  Json object;
  PutName(object, "name", "plain");
  PutName(object, "other", "a\xff\xc3");
  EXPECT_EQ(object.dump(),
            "{\"name\":\"plain\",\"other\":\"a\xef\xbf\xbd\xef\xbf\xbd\","
            "\"other_hex\":\"61ffc3\"}");
}

TEST(JoinPath, PutsOneSlashBetween) {
  EXPECT_EQ(JoinPath("/", "a"), "/a");
  EXPECT_EQ(JoinPath("/a", "b"), "/a/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
}

}  // namespace
}  // namespace fusexfs::tool
