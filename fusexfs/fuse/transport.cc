#include "fusexfs/fuse/transport.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <thread>

#include "libondisk/status.h"

namespace fusexfs {

namespace {

struct DestroyConfig {
  void operator()(fuse_loop_config* config) const {
    fuse_loop_cfg_destroy(config);
  }
};

}  // namespace

absl::Status ServeRequests(fuse_session& session,
                           const TransportOptions& options) {
  const unsigned threads =
      options.threads != 0 ? options.threads
                           : std::max(1u, std::thread::hardware_concurrency());
  int result = 0;
  if (threads == 1) {
    result = fuse_session_loop(&session);
  } else {
    const std::unique_ptr<fuse_loop_config, DestroyConfig> config(
        fuse_loop_cfg_create());
    // A queue of its own for each thread.
    fuse_loop_cfg_set_clone_fd(config.get(), 1);
    fuse_loop_cfg_set_max_threads(config.get(), threads);
    fuse_loop_cfg_set_idle_threads(config.get(), threads);
    result = fuse_session_loop_mt(&session, config.get());
  }
  // Above 0: a signal asked for the exit, which is a proper end.
  return result >= 0 ? absl::OkStatus()
                     : ondisk::PosixError(-result, "serving requests failed");
}

}  // namespace fusexfs
