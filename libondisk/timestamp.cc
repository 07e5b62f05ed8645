// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/timestamp.h"

#include <fmt/format.h>

namespace ondisk {
namespace {

struct Date {
  int64_t year;
  int month;
  int day;
};

// The proleptic Gregorian date `days` days after 1970-01-01. (gmtime_r would
// do, but its year is an int and it may consult the environment.)
Date DateOfDays(int64_t days) {
  // Counts from 0000-03-01, so that the leap day ends a year.
  constexpr int64_t kDaysTo1970 = 719468;
  constexpr int64_t kDaysPerEra = 146097;  // 400 years
  const int64_t shifted = days + kDaysTo1970;
  const int64_t era =
      (shifted >= 0 ? shifted : shifted - kDaysPerEra + 1) / kDaysPerEra;
  const int64_t day = shifted - era * kDaysPerEra;
  const int64_t year =
      (day - day / 1460 + day / 36524 - day / (kDaysPerEra - 1)) / 365;
  const int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
  const int64_t month = (5 * day_of_year + 2) / 153;  // 0: March
  return {era * 400 + year + (month >= 10 ? 1 : 0),
          static_cast<int>(month < 10 ? month + 3 : month - 9),
          static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1)};
}

}  // namespace

std::string RenderTimestamp(const Timestamp& time) {
  constexpr int64_t kDay = 86400;
  int64_t days = time.seconds / kDay;
  int64_t second = time.seconds % kDay;
  if (second < 0) {
    second += kDay;
    --days;
  }
  const Date date = DateOfDays(days);
  return fmt::format(
      "{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:09} UTC ({} s {} ns)", date.year,
      date.month, date.day, second / 3600, second / 60 % 60, second % 60,
      time.nanoseconds, time.seconds, time.nanoseconds);
}

}  // namespace ondisk
