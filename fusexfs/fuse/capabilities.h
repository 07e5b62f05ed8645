// SPDX-License-Identifier: GPL-2.0-or-later
// The INIT handshake: what the kernel offers and what a read-only XFS mount
// wants of it.
//
// Thread-safety: called once, before any other request.
#ifndef FUSEXFS_FUSEXFS_FUSE_CAPABILITIES_H_
#define FUSEXFS_FUSEXFS_FUSE_CAPABILITIES_H_

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/library.h"

namespace fusexfs {

// Sets the flags in `connection` and what depends on them in `context`.
void NegotiateCapabilities(Context& context, fuse_conn_info& connection);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_CAPABILITIES_H_
