// SPDX-License-Identifier: GPL-2.0-or-later
// What the checks of AGF, AGI and AGFL have in common.
//
// Thread-safety: pure functions. Source: kernel fs/xfs/libxfs/xfs_alloc.c
// (xfs_validate_ag_length).
#ifndef FUSEXFS_LIBONDISK_AG_HEADER_H_
#define FUSEXFS_LIBONDISK_AG_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libondisk/checker.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

// The allocation group that a disk address lies in. REQUIRES: a valid address.
AgNumber AgOf(const Geometry& geometry, DiskAddress address);

// `sector` holds a whole sector. False: nothing else can be checked.
bool VerifyWholeSector(Bytes sector, const Geometry& geometry, Checker& check);

// The checksum of a V5 header, and the UUID it carries. False once the verifier
// must not go on.
bool VerifyHeaderCrc(Bytes sector, const Geometry& geometry, size_t crc_offset,
                     Checker& check);
void VerifyHeaderUuid(const Uuid& uuid, const Geometry& geometry,
                      Checker& check);

// seqno names the group, length is its size in blocks. False if they do not:
// then no block number of the header can be checked.
bool VerifyAgLength(uint32_t seqno, uint32_t length, const Geometry& geometry,
                    AgNumber ag, Checker& check);

// A btree root: a block of the group, past its headers.
bool VerifyRoot(std::string_view field, uint32_t root, const Geometry& geometry,
                AgNumber ag, Checker& check);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_AG_HEADER_H_
