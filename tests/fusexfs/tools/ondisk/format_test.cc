// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/format.h"

#include <sys/stat.h>

#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fusexfs::tool {
namespace {

// Expected texts are what ls -l (coreutils) shows for such modes.
TEST(ModeText, AgreesWithLs) {
  EXPECT_EQ(ModeText(S_IFREG | 0644), "-rw-r--r--");
  EXPECT_EQ(ModeText(S_IFDIR | 01777), "drwxrwxrwt");
  EXPECT_EQ(ModeText(S_IFDIR | 01776), "drwxrwxrwT");
  EXPECT_EQ(ModeText(S_IFREG | 06755), "-rwsr-sr-x");
  EXPECT_EQ(ModeText(S_IFREG | 06644), "-rwSr-Sr--");
  EXPECT_EQ(ModeText(S_IFLNK | 0777), "lrwxrwxrwx");
  EXPECT_EQ(ModeText(S_IFCHR | 0600), "crw-------");
  EXPECT_EQ(ModeText(S_IFBLK | 0660), "brw-rw----");
  EXPECT_EQ(ModeText(S_IFIFO), "p---------");
  EXPECT_EQ(ModeText(S_IFSOCK | 0111), "s--x--x--x");
}

TEST(ExactTimeText, AgreesWithDate) {
  setenv("TZ", "UTC", 1);
  tzset();
  // date -u -d @-2147483648, @16299260424, @1764526522.000000007
  EXPECT_EQ(ExactTimeText({-2147483648, 0}),
            "1901-12-13 20:45:52.000000000 +0000");
  EXPECT_EQ(ExactTimeText({16299260424, 0}),
            "2486-07-02 20:20:24.000000000 +0000");
  EXPECT_EQ(ExactTimeText({1764526522, 7}),
            "2025-11-30 18:15:22.000000007 +0000");
  setenv("TZ", "XYZ3:30", 1);  // west of Greenwich
  tzset();
  EXPECT_EQ(ExactTimeText({1764526522, 7}),
            "2025-11-30 14:45:22.000000007 -0330");
  unsetenv("TZ");
  tzset();
}

TEST(SizeText, ChoosesTheUnit) {
  EXPECT_EQ(SizeText(0), "0 bytes");
  EXPECT_EQ(SizeText(1023), "1023 bytes");
  EXPECT_EQ(SizeText(1536), "1.50 KiB");
  EXPECT_EQ(SizeText(20971520), "20.0 MiB");
  EXPECT_EQ(SizeText(9223372036854775807u), "8.00 EiB");
}

TEST(AttributesJson, NamesTheDeviceOfADeviceFileOnly) {
  Attributes a;
  a.mode = S_IFREG | 0600;
  EXPECT_FALSE(AttributesJson(a).contains("device_major"));
  EXPECT_FALSE(AttributesJson(a).contains("btime"));
  a.mode = S_IFCHR | 0600;
  a.device_major = 511;
  a.device_minor = 262143;
  a.birth = Timestamp{5, 6};
  const Json json = AttributesJson(a);
  EXPECT_EQ(json["device_major"], 511);
  EXPECT_EQ(json["device_minor"], 262143);
  EXPECT_EQ(json["btime"]["nanoseconds"], 6);
}

}  // namespace
}  // namespace fusexfs::tool
