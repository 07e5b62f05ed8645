// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/attribute_value.h"

#include <algorithm>

#include "fusexfs/names/block_types.h"
#include "libondisk/attribute_remote.h"
#include "libondisk/directory.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::Bytes;
using ondisk::DaBlock;

void Append(std::string& value, Bytes bytes) {
  value.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

absl::StatusOr<std::string> ReadAttributeValue(
    const DaFork& fork, const ondisk::AttributeView& attribute) {
  std::string value;
  if (!attribute.remote) {
    Append(value, attribute.value);
    return value;
  }
  const ondisk::Geometry& g = fork.geometry();
  const DaBlock first = attribute.remote_block;
  const uint32_t length = attribute.value_length;
  if (length > ondisk::kMaxAttributeValueLength) {
    return fork.Corruption("attribute", first, "valuelen", length,
                           "at most 65536");
  }
  const uint32_t blocks = ondisk::AttributeRemoteBlocks(g, length);
  if (uint64_t{first.value} + blocks > fork.end().value) {
    return fork.Corruption("attribute", first, "valueblk", first.value,
                           "a value that ends within the fork");
  }
  if (blocks > 1) {
    fork.Prefetch(first, uint64_t{blocks} << g.block_log, first + blocks);
  }
  value.reserve(length);
  for (uint32_t i = 0; i < blocks; ++i) {
    const DaBlock at = first + i;
    const uint32_t bytes =
        std::min(length - static_cast<uint32_t>(value.size()),
                 ondisk::AttributeRemotePayload(g));
    ONDISK_ASSIGN_OR_RETURN(const BufferRef block,
                            fork.Read(at, kAttributeValueBlock));
    ondisk::Checker check("attribute value block", fork.At(at));
    ondisk::VerifyAttributeRemotePlace(g, block.bytes(), fork.owner(),
                                       static_cast<uint32_t>(value.size()),
                                       bytes, check);
    ONDISK_RETURN_IF_ERROR(check.status());
    Append(value, ondisk::AttributeRemoteData(g, block.bytes()).first(bytes));
  }
  return value;
}

}  // namespace fusexfs
