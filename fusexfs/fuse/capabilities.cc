// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/capabilities.h"

#include <cstdint>

namespace fusexfs {

namespace {

#if FUSEXFS_FUSE_HAS_FEATURE_FLAGS
bool Offers(const fuse_conn_info& connection, uint64_t flag) {
  return (connection.capable_ext & flag) != 0;
}
void Want(fuse_conn_info& connection, uint64_t flag) {
  fuse_set_feature_flag(&connection, flag);
}
void DoNotWant(fuse_conn_info& connection, uint64_t flag) {
  fuse_unset_feature_flag(&connection, flag);
}
#else
bool Offers(const fuse_conn_info& connection, unsigned flag) {
  return (connection.capable & flag) != 0;
}
void Want(fuse_conn_info& connection, unsigned flag) {
  if (Offers(connection, flag)) connection.want |= flag;
}
void DoNotWant(fuse_conn_info& connection, unsigned flag) {
  connection.want &= ~flag;
}
#endif

// Requests that the kernel may have under way for readahead. Its default of 12
// leaves several readers waiting for each other.
constexpr unsigned kMaxBackground = 64;

}  // namespace

void NegotiateCapabilities(Context& context, fuse_conn_info& connection) {
  // NFS servers and open_by_handle_at find an inode by number and generation.
  Want(connection, FUSE_CAP_EXPORT_SUPPORT);
  Want(connection, FUSE_CAP_READDIRPLUS);
  Want(connection, FUSE_CAP_READDIRPLUS_AUTO);
  Want(connection, FUSE_CAP_PARALLEL_DIROPS);
  Want(connection, FUSE_CAP_CACHE_SYMLINKS);
  Want(connection, FUSE_CAP_ASYNC_READ);
  if (context.posix_acl) Want(connection, FUSE_CAP_POSIX_ACL);

  // Pages are never stale: the image does not change.
  DoNotWant(connection, FUSE_CAP_AUTO_INVAL_DATA);
  // With it, buffered reads beside direct ones were seen stale.
  DoNotWant(connection, FUSE_CAP_ASYNC_DIO);

  DoNotWant(connection, FUSE_CAP_SPLICE_READ);  // only writes need it
  DoNotWant(connection, FUSE_CAP_SPLICE_MOVE);
  if (context.splice_reads && context.window.has_value()) {
    Want(connection, FUSE_CAP_SPLICE_WRITE);
  } else {
    context.splice_reads = false;
    DoNotWant(connection, FUSE_CAP_SPLICE_WRITE);
  }

  // libfuse wants to hear it twice.
  connection.max_read = context.max_read;
  connection.max_background = kMaxBackground;
  connection.congestion_threshold = kMaxBackground * 3 / 4;
  connection.time_gran = 1;

  context.no_open = Offers(connection, FUSE_CAP_NO_OPEN_SUPPORT);
  context.no_opendir = Offers(connection, FUSE_CAP_NO_OPENDIR_SUPPORT);
}

}  // namespace fusexfs
