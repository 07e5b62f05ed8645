// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/golden_image.h"

#include <gtest/gtest.h>

namespace fusexfs {
namespace {

TEST(GoldenImage, IsTheImageThatTheVersionsFileNames) {
  const auto image = GoldenImage("tiny-v5");
  EXPECT_EQ(image->size(), 50331648u);
  const std::vector<uint8_t> bytes = GoldenBytes("tiny-v5");
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 4), "XFSB");
  EXPECT_EQ(GoldenImage("tiny-v5"), image) << "unpacked twice";
}

TEST(GoldenManifest, HoldsTheKernelsRecords) {
  const Manifest& manifest = GoldenManifest("tiny-v5");
  EXPECT_EQ(manifest.statfs["bsize"], 4096);
  EXPECT_EQ(manifest.At("links/one/name")["nlink"], 4);
  EXPECT_EQ(manifest.At("names/" + std::string(255, '\xff'))["size"], 0);
}

TEST(UnquoteManifest, TurnsPercentIntoBytes) {
  EXPECT_EQ(UnquoteManifest("a%25%ffz"), "a%\xffz");
}

}  // namespace
}  // namespace fusexfs
