// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/error_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ErrorLogTest : public ::testing::Test {
 protected:
  ErrorLog::Limits Limits(uint32_t lines) {
    ErrorLog::Limits limits;
    limits.lines_per_span = lines;
    limits.span = std::chrono::seconds(10);
    return limits;
  }
  ErrorLog::Sink Sink() {
    return [this](std::string_view line) { lines_.emplace_back(line); };
  }
  static absl::Status Corruption(std::string_view where) {
    return ondisk::PosixError(EUCLEAN, where);
  }

  std::vector<std::string> lines_;
  const ErrorLog::Clock::time_point start_{std::chrono::hours(1)};
};

TEST_F(ErrorLogTest, SaysEachPlaceOnce) {
  ErrorLog log(Limits(100), Sink());
  for (int i = 0; i < 1000; ++i) log.Report(Corruption("agf 3"), start_);
  log.Report(Corruption("agf 4"), start_);
  EXPECT_THAT(lines_, ElementsAre("agf 3", "agf 4"));
}

TEST_F(ErrorLogTest, IsSilentAboutWhatProgramsExpect) {
  ErrorLog log(Limits(100), Sink());
  for (const int error : {ENOENT, ENODATA, ERANGE, EOPNOTSUPP, ENXIO, ENOTDIR,
                          EISDIR, ENAMETOOLONG, EPERM, E2BIG}) {
    log.Report(ondisk::PosixError(error, "ordinary"), start_);
  }
  log.Report(absl::OkStatus(), start_);
  EXPECT_THAT(lines_, IsEmpty());
  log.Report(ondisk::PosixError(EIO, "disk"), start_);
  EXPECT_THAT(lines_, ElementsAre("disk"));
}

TEST_F(ErrorLogTest, SlowsDownAFloodAndSaysHowMuchIsMissing) {
  ErrorLog log(Limits(2), Sink());
  for (const char* where : {"a", "b", "c", "d"}) {
    log.Report(Corruption(where), start_);
  }
  EXPECT_THAT(lines_, ElementsAre("a", "b"));
  log.Report(Corruption("c"), start_ + std::chrono::seconds(11));
  EXPECT_THAT(
      lines_,
      ElementsAre("a", "b", "2 more errors came too fast to be logged", "c"));
}

TEST_F(ErrorLogTest, MemoryOfPlacesIsBounded) {
  ErrorLog::Limits limits = Limits(1000000);
  limits.places = 8;
  ErrorLog log(limits, Sink());
  for (int i = 0; i < 9; ++i) log.Report(Corruption(std::to_string(i)), start_);
  EXPECT_EQ(lines_.size(), 9u);
  log.Report(Corruption("0"), start_);  // was forgotten with the first eight
  EXPECT_EQ(lines_.back(), "0");
}

TEST_F(ErrorLogTest, ThreadsMayReportAtOnce) {
  ErrorLog log(Limits(1000000), [](std::string_view) {});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&log, t] {
      for (int i = 0; i < 1000; ++i) {
        log.Report(Corruption(std::to_string(i * (t + 1))));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fusexfs
