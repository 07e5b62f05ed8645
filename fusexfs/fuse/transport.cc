// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/transport.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <thread>

#include "libondisk/status.h"

namespace fusexfs {

namespace {

struct DestroyConfig {
  void operator()(fuse_loop_config* config) const {
    fuse_loop_cfg_destroy(config);
  }
};

// What the loops of libfuse return. Above 0: a signal asked for the exit, which
// is a proper end.
absl::Status StatusOf(int result, std::string_view what) {
  if (result >= 0) return absl::OkStatus();
  return ondisk::PosixError(
      -result, fmt::format("{}: {}", what, std::strerror(-result)));
}

}  // namespace

absl::Status ServeInit(fuse_session& session, const Context& context) {
  fuse_buf request{};
  int result = 0;
  while (!context.has_init && fuse_session_exited(&session) == 0) {
    result = fuse_session_receive_buf(&session, &request);
    if (result == -EINTR || result == -EAGAIN) continue;
    if (result <= 0) break;
    fuse_session_process_buf(&session, &request);
  }
  std::free(request.mem);
  constexpr std::string_view kWhat = "the first exchange with the kernel";
  if (result < 0) return StatusOf(result, kWhat);
  // Only a loop tells what went wrong; that of an ended session does nothing
  // else.
  if (fuse_session_exited(&session) == 0) return absl::OkStatus();
  return StatusOf(fuse_session_loop(&session), kWhat);
}

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
  return StatusOf(result, "serving requests");
}

}  // namespace fusexfs
