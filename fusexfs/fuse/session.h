// SPDX-License-Identifier: GPL-2.0-or-later
// fuse/: the daemon between the kernel's FUSE and a Filesystem.
//
// session.h      mounts, serves, unmounts (this file)
// transport.h    how requests arrive
// capabilities.h what is agreed with the kernel at the start
// operations.h   one function per FUSE request, in files by topic
// reply.h        errors become errno, in one place
// mount_options.h  what a command line and -o may say
//
// No filesystem logic lives here: every operation asks the Filesystem.
//
// Invariants: a Session is mounted from Mount() to its destruction (or until
// somebody unmounts it). Thread-safety: one thread owns a Session; the
// operations that it runs are safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_FUSE_SESSION_H_
#define FUSEXFS_FUSEXFS_FUSE_SESSION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/fuse/transport.h"

namespace fusexfs {

struct SessionOptions {
  std::string mount_point;
  // Words for the kernel and libfuse ("ro", "allow_other", "fsname=/x"), plain:
  // a comma in a value needs no escape.
  std::vector<std::string> mount_words;
  bool posix_acl = false;  // the kernel enforces ACLs (and permissions)
  bool splice_reads = true;
  uint32_t max_read = 0;  // bytes that the kernel asks for at once; 0: no limit
  bool debug = false;     // libfuse prints every request
  TransportOptions transport;
  // Called once by Serve(), when the kernel has its answer and the mount works.
  std::function<void()> on_ready;
};

class Session {
 public:
  // Mounts. REQUIRES: `filesystem` outlives the session. Errors name the mount
  // point and the system's reason.
  static absl::StatusOr<std::unique_ptr<Session>> Mount(
      Filesystem& filesystem, const SessionOptions& options);
  ~Session();  // unmounts

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Serves until unmounted, or until SIGINT, SIGTERM or SIGHUP.
  absl::Status Serve();

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_SESSION_H_
