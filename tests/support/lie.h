// SPDX-License-Identifier: GPL-2.0-or-later
// A lie told to a verifier: one field of a good block set to a value it must
// not have, with the checksum made right again. The verifier must name the
// field.
#ifndef FUSEXFS_TESTS_SUPPORT_LIE_H_
#define FUSEXFS_TESTS_SUPPORT_LIE_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libondisk/checker.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"
#include "tests/support/damage.h"
#include "tests/support/fork_block.h"

namespace ondisk {

struct Lie {
  std::string_view what;
  size_t offset;
  size_t size;
  uint64_t value;
  std::string_view field;  // that the verifier names; empty: any
};

using BlockVerifier = void (*)(const Geometry&, DiskAddress, Bytes, Checker&);
using BlockExplainer = Explanation (*)(const Geometry&, DiskAddress, Bytes);

inline std::string FirstField(BlockVerifier verify,
                              const fusexfs::ForkBlock& block, Bytes bytes) {
  Checker check("block", Where::Disk(block.address));
  verify(block.geometry, block.address, bytes, check);
  return check.failed() ? check.findings()[0].field : "none";
}

inline void ExpectLiesCaught(const fusexfs::ForkBlock& block, size_t crc_offset,
                             BlockVerifier verify,
                             const std::vector<Lie>& lies) {
  ASSERT_EQ(FirstField(verify, block, block.bytes), "none");
  for (const Lie& lie : lies) {
    SCOPED_TRACE(lie.what);
    std::vector<uint8_t> bytes = block.bytes;
    PutSealed(bytes, crc_offset, lie.offset, lie.size, lie.value);
    const std::string field = FirstField(verify, block, bytes);
    if (lie.field.empty()) {
      EXPECT_NE(field, "none");
    } else {
      EXPECT_EQ(field, lie.field);
    }
  }
}

// Damages each byte in turn, with a right checksum. Verifier and explanation
// must agree, and neither may step outside the block.
inline void ExpectEveryByteSurvived(const fusexfs::ForkBlock& block,
                                    size_t crc_offset, BlockVerifier verify,
                                    BlockExplainer explain) {
  for (size_t i = 0; i < block.bytes.size(); ++i) {
    if (i >= crc_offset && i < crc_offset + 4) continue;
    // An allocation of just the block's size, for AddressSanitizer.
    std::vector<uint8_t> bytes = block.bytes;
    bytes[i] ^= static_cast<uint8_t>(1 + i % 255);
    Reseal(bytes, crc_offset);
    const bool holds = FirstField(verify, block, bytes) == "none";
    ASSERT_EQ(explain(block.geometry, block.address, bytes).AllChecksHold(),
              holds)
        << "byte " << i;
  }
}

// The value that an explanation shows for a field.
inline std::string ValueOf(const Explanation& explanation,
                           std::string_view field) {
  for (const ExplainedField& row : explanation.fields) {
    if (row.name == field) return row.value;
  }
  return "no such row";
}

}  // namespace ondisk

#endif  // FUSEXFS_TESTS_SUPPORT_LIE_H_
