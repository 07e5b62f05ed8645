// SPDX-License-Identifier: GPL-2.0-or-later
// What every FUSE operation works with: the filesystem behind the mount and the
// few facts of the mount itself.
//
// Invariants: lives as long as the session whose user data it is.
// Thread-safety: immutable once serving has begun, apart from the error log,
// which locks by itself.
#ifndef FUSEXFS_FUSEXFS_FUSE_CONTEXT_H_
#define FUSEXFS_FUSEXFS_FUSE_CONTEXT_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "fusexfs/device/device.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/fuse/error_log.h"
#include "fusexfs/fuse/library.h"
#include "fusexfs/fuse/node_id.h"

namespace fusexfs {

// Nobody else changes the image, so what the kernel has learnt stays true. In
// seconds; a hundred years.
inline constexpr double kForever = 3.2e9;

struct Context {
  Context(Filesystem& fs, uid_t mounting_user)
      : filesystem(fs),
        nodes(fs.root()),
        window(fs.data_device().file_window()),
        owner(mounting_user) {}

  Filesystem& filesystem;
  const NodeIds nodes;
  // Where file data can be spliced from; nothing if the device is no file.
  const std::optional<Device::FileWindow> window;
  const uid_t owner;

  bool posix_acl = false;    // ask the kernel to enforce ACLs
  bool splice_reads = true;  // or copy through a buffer
  uint32_t max_read = 0;     // the mount option of this name; 0: no limit
  // Set by the INIT handshake, before any other request is served.
  bool has_init = false;
  bool no_open = false;
  bool no_opendir = false;

  ErrorLog errors;
};

inline Context& ContextOf(fuse_req_t request) {
  return *static_cast<Context*>(fuse_req_userdata(request));
}

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_CONTEXT_H_
