// SPDX-License-Identifier: GPL-2.0-or-later
// The hashes by which directories and attribute forks find names.
//
// Thread-safety: pure functions.
// Source: kernel fs/xfs/libxfs/xfs_da_btree.c (xfs_da_hashname), xfs_dir2.c
// (xfs_ascii_ci_hashname), xfs_parent.c (xfs_parent_hashval).
#ifndef FUSEXFS_LIBONDISK_NAME_HASH_H_
#define FUSEXFS_LIBONDISK_NAME_HASH_H_

#include <cstdint>
#include <string_view>

#include "libondisk/features.h"
#include "libondisk/types.h"

namespace ondisk {

// Rotate left by seven bits and xor, byte after byte.
uint32_t DaHash(std::string_view name);

// A byte as case-insensitive directories fold it: ASCII and Latin-1 capitals
// become small.
uint8_t AsciiCiFold(uint8_t byte);
// DaHash of the folded name.
uint32_t AsciiCiHash(std::string_view name);

// The hash of a directory entry's name: DaHash, or AsciiCiHash on images made
// with `-n version=ci`.
uint32_t DirectoryNameHash(const Features& features, std::string_view name);
// Whether two names are the same to this image's directories.
bool DirectoryNamesEqual(const Features& features, std::string_view a,
                         std::string_view b);

// The hash of a parent-pointer attribute: the entry's hash mixed with the
// parent's number, so that equal names in different parents part.
uint32_t ParentPointerHash(const Features& features, std::string_view name,
                           InodeNumber parent);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_NAME_HASH_H_
