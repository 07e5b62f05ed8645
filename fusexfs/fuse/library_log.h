// SPDX-License-Identifier: GPL-2.0-or-later
// libfuse's own messages, sent the way of ours.
//
// Thread-safety: call once, before the first session.
#ifndef FUSEXFS_FUSEXFS_FUSE_LIBRARY_LOG_H_
#define FUSEXFS_FUSEXFS_FUSE_LIBRARY_LOG_H_

namespace fusexfs {

// From now on libfuse speaks through spdlog's default logger.
void RouteLibraryMessages();

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_LIBRARY_LOG_H_
