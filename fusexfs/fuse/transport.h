// SPDX-License-Identifier: GPL-2.0-or-later
// How requests come in and replies go out, once a session is mounted. Nothing
// else of the daemon knows; another transport (FUSE over io_uring) is another
// implementation of this one function.
//
// Thread-safety: one call per session.
#ifndef FUSEXFS_FUSEXFS_FUSE_TRANSPORT_H_
#define FUSEXFS_FUSEXFS_FUSE_TRANSPORT_H_

#include "absl/status/status.h"
#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/library.h"

namespace fusexfs {

struct TransportOptions {
  unsigned threads = 0;  // 0: as many as there are processors; 1: no threads
};

// Serves the first request, by which libfuse and the kernel agree on what they
// can do. The mount answers from then on, and not before. The error is
// libfuse's, which has said more in a message.
absl::Status ServeInit(fuse_session& session, const Context& context);

// Serves requests until the session is unmounted or told to exit by a signal.
absl::Status ServeRequests(fuse_session& session,
                           const TransportOptions& options);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_TRANSPORT_H_
