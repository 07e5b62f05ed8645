// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/parent_pointer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

struct Sample {
  std::vector<uint8_t> value = {0, 0, 0, 0, 0, 0, 0, 131, 1, 2, 3, 4};
  std::string name = "a name";
  AttributeView view() const {
    AttributeView attribute;
    attribute.name = name;
    attribute.flags = kAttributeParent | kAttributeLocal;
    attribute.value = value;
    attribute.value_length = static_cast<uint32_t>(value.size());
    return attribute;
  }
};

std::string FieldOf(const AttributeView& attribute, bool feature = true) {
  Geometry geometry = SampleGeometry();
  geometry.features.parent = feature;
  Checker check("pptr", Where{});
  VerifyParentPointer(geometry, attribute, check);
  return check.failed() ? check.findings()[0].field : "none";
}

TEST(ParentPointer, TellsParentGenerationAndName) {
  const Sample sample;
  ASSERT_EQ(FieldOf(sample.view()), "none");
  const ParentPointerView parent = ViewParentPointer(sample.view());
  EXPECT_EQ(parent.name, "a name");
  EXPECT_EQ(parent.parent.value, 131u);
  EXPECT_EQ(parent.generation, 0x01020304u);
}

TEST(ParentPointer, CatchesLies) {
  Sample sample;
  EXPECT_EQ(FieldOf(sample.view(), false), "flags");
  AttributeView incomplete = sample.view();
  incomplete.flags |= kAttributeIncomplete;
  EXPECT_EQ(FieldOf(incomplete), "flags");
  AttributeView remote = sample.view();
  remote.remote = true;
  EXPECT_EQ(FieldOf(remote), "valueblk");
  sample.name = "a/name";
  EXPECT_EQ(FieldOf(sample.view()), "name");
  sample.name = "a name";
  sample.value.push_back(0);
  EXPECT_EQ(FieldOf(sample.view()), "valuelen");
  sample.value.resize(11);
  EXPECT_EQ(FieldOf(sample.view()), "valuelen");
  sample.value = std::vector<uint8_t>(12, 0xff);
  EXPECT_EQ(FieldOf(sample.view()), "inode");
}

}  // namespace
}  // namespace ondisk
