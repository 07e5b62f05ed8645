// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/operations.h"

#include "fusexfs/fuse/capabilities.h"

namespace fusexfs {

fuse_lowlevel_ops MakeOperations() {
  fuse_lowlevel_ops operations{};
  operations.init = [](void* user, fuse_conn_info* connection) {
    Context& context = *static_cast<Context*>(user);
    NegotiateCapabilities(context, *connection);
    context.has_init = true;
  };
  operations.lookup = FuseLookup;
  operations.getattr = FuseGetAttributes;
  operations.readlink = FuseReadLink;
#if FUSEXFS_FUSE_HAS_STATX
  operations.statx = FuseStatx;
#endif
  operations.opendir = FuseOpenDirectory;
  operations.readdir = FuseReadDirectory;
  operations.readdirplus = FuseReadDirectoryPlus;
  operations.open = FuseOpen;
  operations.read = FuseRead;
  operations.lseek = FuseSeek;
  operations.getxattr = FuseGetXattr;
  operations.listxattr = FuseListXattrs;
  operations.statfs = FuseStatistics;
  operations.ioctl = FuseIoctl;
  return operations;
}

}  // namespace fusexfs
