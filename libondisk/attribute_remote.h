// SPDX-License-Identifier: GPL-2.0-or-later
// Remote attribute values: blocks of the attribute fork that hold value bytes
// only. V5 gives each filesystem block a header; V4 has none.
//
// Thread-safety: pure functions on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_attr_remote.c.
#ifndef FUSEXFS_LIBONDISK_ATTRIBUTE_REMOTE_H_
#define FUSEXFS_LIBONDISK_ATTRIBUTE_REMOTE_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/attribute.h"
#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kAttributeRemoteMagic = 0x5841524d;  // XARM

struct AttributeRemoteHeader {
  Be32 magic;
  Be32 offset;  // of this block's bytes in the value
  Be32 bytes;   // of the value in this block
  Le32 crc;
  Uuid uuid;
  Be64 owner;
  Be64 blkno;
  Be64 lsn;  // always the null LSN: values are not logged
};
static_assert(sizeof(AttributeRemoteHeader) == 56);
static_assert(offsetof(AttributeRemoteHeader, crc) == 12);

// Value bytes that one block carries, and blocks that a value takes.
uint32_t AttributeRemotePayload(const Geometry& geometry);
uint32_t AttributeRemoteBlocks(const Geometry& geometry, uint32_t length);

// One block, V5 (nothing to check for V4).
void VerifyAttributeRemote(const Geometry& geometry, DiskAddress address,
                           Bytes block, Checker& check);
// What depends on the value it belongs to. REQUIRES: VerifyAttributeRemote
// held. `offset`: of this block's first byte in the value, `bytes`: how many
// of the value it should carry.
void VerifyAttributeRemotePlace(const Geometry& geometry, Bytes block,
                                InodeNumber owner, uint32_t offset,
                                uint32_t bytes, Checker& check);
// The value bytes of a block, header off.
Bytes AttributeRemoteData(const Geometry& geometry, Bytes block);

Explanation ExplainAttributeRemote(const Geometry& geometry,
                                   DiskAddress address, Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_ATTRIBUTE_REMOTE_H_
