// SPDX-License-Identifier: GPL-2.0-or-later
// A directory small enough to live inside its inode: a header with the parent,
// then the entries in the order of their creation.
//
// Inode numbers take 4 bytes each, or all take 8 when one of them needs more
// than 32 bits (i8count counts those). Each entry remembers the offset it would
// have in a block-form directory: readdir positions are built from it, so they
// survive the change of form. "." and ".." have no entries.
//
// Thread-safety: pure functions on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_dir2_sf.c.
#ifndef FUSEXFS_LIBONDISK_DIRECTORY_SHORTFORM_H_
#define FUSEXFS_LIBONDISK_DIRECTORY_SHORTFORM_H_

#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/directory.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

// The fixed part. The parent's number follows (4 bytes, or 8 if i8count), then
// per entry: name length (1), saved offset (2), name, file type (1, feature
// ftype), inode number (4 or 8).
struct DirectoryShortFormHeader {
  uint8_t count;
  uint8_t i8count;
};
static_assert(sizeof(DirectoryShortFormHeader) == 2);

// `fork` is the inode's data fork, as long as the inode's size says.
void VerifyDirectoryShortForm(const Geometry& geometry, Bytes fork,
                              Checker& check);

// REQUIRES for all below: VerifyDirectoryShortForm held for the fork.
InodeNumber DirectoryShortFormParent(Bytes fork);

// Walks the entries.
class DirectoryShortFormEntries {
 public:
  DirectoryShortFormEntries(const Features& features, Bytes fork);
  // False at the end (and at bytes that cannot be an entry).
  bool Next(DirectoryEntryView& entry);

 private:
  Bytes fork_;
  uint32_t position_;
  uint32_t left_;
  uint8_t inode_bytes_;
  bool ftype_;
};

Explanation ExplainDirectoryShortForm(const Geometry& geometry,
                                      InodeNumber inode, Bytes fork);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DIRECTORY_SHORTFORM_H_
