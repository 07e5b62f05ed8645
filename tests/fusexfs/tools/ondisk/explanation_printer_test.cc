// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/explanation_printer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "libondisk/status.h"
#include "tests/fusexfs/tools/ondisk/console_capture.h"

namespace fusexfs::tool {
namespace {

ondisk::Explanation Sample() {
  ondisk::Explanation e;
  e.structure = "thing";
  e.about = "A thing for tests.";
  e.where = "daddr 8";
  const uint8_t raw[] = {0x58, 0x46};
  e.Add("magic", 0, raw, "0x5846", "says what it is");
  const uint8_t longer[12] = {1, 2, 3};
  e.Add("name", 16, longer, "\"a\"", "its name");
  return e;
}

TEST(ExplanationPrinter, ShowsEachFieldAndThatAllHolds) {
  ConsoleCapture capture;
  ExplanationPrinter printer(capture.console());
  printer.Print(Sample());
  EXPECT_TRUE(printer.Finish(absl::OkStatus()).ok());
  EXPECT_EQ(capture.out(),
            "thing at daddr 8\n"
            "A thing for tests.\n"
            "  offset  raw bytes            field  value   ok?  meaning\n"
            "     0x0  5846                 magic  0x5846  ok   says what it "
            "is\n"
            "    0x10  0102030000000000...  name   \"a\"     ok   its name\n"
            "\nAll checks hold.\n");
}

// Not on a terminal either.
TEST(ExplanationPrinter, ALongValueWidensItsOwnRowOnly) {
  ConsoleCapture capture;
  ExplanationPrinter printer(capture.console());
  ondisk::Explanation e = Sample();
  const std::string longest(300, 'n');
  e.fields[1].value = longest;
  printer.Print(e);
  EXPECT_NE(capture.out().find("  magic  0x5846" + std::string(36, ' ') +
                               "ok   says what it is\n"),
            std::string::npos)
      << capture.out();
  EXPECT_NE(capture.out().find("  name   " + longest + "  ok   its name\n"),
            std::string::npos)
      << capture.out();
}

TEST(ExplanationPrinter, ShowsWhatDoesNotHoldAndFails) {
  ConsoleCapture capture;
  ExplanationPrinter printer(capture.console());
  ondisk::Explanation e = Sample();
  e.fields[0].problem = "expected 0x5847";
  ondisk::Explanation part = Sample();
  part.fields.clear();
  part.problems.push_back({"crc", "0x1", "0x2"});
  e.parts.push_back(part);
  printer.Print(e);
  const absl::Status status = printer.Finish(absl::OkStatus());
  EXPECT_TRUE(ondisk::IsCorruption(status));
  EXPECT_EQ(ondisk::MessageOf(status), "2 checks do not hold");
  const std::string out = capture.out();
  EXPECT_NE(out.find("BAD  says what it is\n"
                     "          ^ magic does not hold: expected 0x5847\n"),
            std::string::npos)
      << out;
  EXPECT_NE(out.find("    BAD  crc is 0x1, expected 0x2\n"), std::string::npos)
      << out;
  EXPECT_EQ(out.find("All checks hold"), std::string::npos);
}

TEST(ExplanationPrinter, JsonHasTheWholeRawBytesAndEveryProblem) {
  ConsoleCapture capture({.json = true});
  ExplanationPrinter printer(capture.console());
  ondisk::Explanation e = Sample();
  e.fields[1].problem = "expected \"b\"";
  e.parts.push_back(Sample());
  printer.Print(e);
  printer.Print(Sample());
  EXPECT_FALSE(printer.Finish(absl::OkStatus()).ok());
  const Json json = Json::parse(capture.out());
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["ok"], false);
  EXPECT_EQ(json[0]["fields"][1]["raw"], "010203000000000000000000");
  EXPECT_EQ(json[0]["fields"][1]["problem"], "expected \"b\"");
  EXPECT_EQ(json[0]["fields"][0]["ok"], true);
  EXPECT_EQ(json[0]["parts"][0]["fields"][1]["offset"], 16);
  EXPECT_EQ(json[1]["ok"], true);
}

TEST(ExplanationPrinter, AnErrorOnTheWayIsNotGlossedOver) {
  ConsoleCapture capture;
  ExplanationPrinter printer(capture.console());
  printer.Print(Sample());
  const absl::Status status = printer.Finish(ondisk::PosixError(5, "no bytes"));
  EXPECT_EQ(ondisk::MessageOf(status), "no bytes");
  EXPECT_EQ(capture.out().find("All checks hold"), std::string::npos);
}

TEST(ExplanationPrinter, JudgesLsnsByTheHeadOfTheLogOnceItIsKnown) {
  ondisk::Explanation e = Sample();
  e.fields[0].block_lsn = ondisk::Lsn(2, 7);
  ConsoleCapture capture;
  ExplanationPrinter printer(capture.console());
  printer.Print(e);
  printer.set_log_head(ondisk::Lsn(2, 6));
  printer.Print(e);
  EXPECT_EQ(ondisk::MessageOf(printer.Finish(absl::OkStatus())),
            "1 check does not hold");
  EXPECT_NE(capture.out().find("expected at most 2:6, the head of the log"),
            std::string::npos);
}

}  // namespace
}  // namespace fusexfs::tool
