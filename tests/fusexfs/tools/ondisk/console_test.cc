// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/console.h"

#include <cerrno>
#include <cstdio>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "libondisk/status.h"
#include "tests/fusexfs/tools/ondisk/console_capture.h"

namespace fusexfs::tool {
namespace {

TEST(Console, PaintsOnlyIfColoursAreOn) {
  ConsoleCapture plain;
  EXPECT_EQ(plain.console().Paint(Style::kBad, "x"), "x");
  ConsoleCapture colored({.color = true});
  EXPECT_EQ(colored.console().Paint(Style::kBad, "x"), "\x1b[1;31mx\x1b[0m");
}

TEST(Console, EscapesNamesForPeopleAndKeepsBytesForPipes) {
  ConsoleCapture pipe;
  EXPECT_EQ(pipe.console().Name("a\nb"), "a\nb");
  ConsoleCapture person({.escape_names = true});
  EXPECT_EQ(person.console().Name("a\nb"), "a\\nb");
}

TEST(Console, SaysARemarkOnceIfAsked) {
  ConsoleCapture capture;
  capture.console().NoteOnce("dirty");
  capture.console().NoteOnce("dirty");
  capture.console().Note("other");
  EXPECT_EQ(capture.err(), "ondisk: dirty\nondisk: other\n");
}

TEST(Console, ReportsAFullDisk) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  {
    Console console(full, stderr, {});
    console.Write("text");
    EXPECT_EQ(ondisk::ErrnoOf(console.Finish()), ENOSPC);
  }
  std::fclose(full);
}

TEST(JsonArray, IsWellFormedForNoneOneAndTwo) {
  const auto write = [](int count) {
    ConsoleCapture capture;
    {
      JsonArray array(capture.console());
      for (int i = 0; i < count; ++i) array.Add(Json(i));
    }
    return capture.out();
  };
  EXPECT_EQ(Json::parse(write(0)), Json::array());
  EXPECT_EQ(Json::parse(write(1)), Json::array({0}));
  EXPECT_EQ(Json::parse(write(2)), Json::array({0, 1}));
}

}  // namespace
}  // namespace fusexfs::tool
