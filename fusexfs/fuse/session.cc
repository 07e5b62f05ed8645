// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/session.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "fusexfs/device/file_device.h"
#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/library.h"
#include "fusexfs/fuse/library_log.h"
#include "fusexfs/fuse/operations.h"
#include "libondisk/status.h"

namespace fusexfs {

namespace {

// libfuse's argument list, freed by libfuse's own function.
class Arguments {
 public:
  Arguments() { Add("fusexfs"); }
  ~Arguments() { fuse_opt_free_args(&args_); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  void Add(const char* word) { fuse_opt_add_arg(&args_, word); }
  // libfuse splits the value of -o at commas, unless they are escaped.
  void AddOption(std::string_view option) {
    std::string escaped;
    for (const char c : option) {
      if (c == ',' || c == '\\') escaped += '\\';
      escaped += c;
    }
    Add("-o");
    Add(escaped.c_str());
  }
  fuse_args* get() { return &args_; }

 private:
  fuse_args args_{};
};

// Runs `start` with standard output and error on a file in memory, whose text
// goes to standard error afterwards: a program that stays behind (fusermount3
// does for auto_unmount) must not keep whoever reads our output waiting.
template <typename Start>
int RunWithOutputAside(Start start) {
  const FileDescriptor messages(memfd_create("fusexfs messages", MFD_CLOEXEC));
  if (messages.get() < 0) return start();
  std::fflush(nullptr);
  const std::array<int, 2> streams = {STDOUT_FILENO, STDERR_FILENO};
  std::array<int, 2> kept{};
  for (size_t i = 0; i < streams.size(); ++i) {
    kept[i] = fcntl(streams[i], F_DUPFD_CLOEXEC, 3);
    dup2(messages.get(), streams[i]);
  }
  const int result = start();
  std::fflush(nullptr);
  for (size_t i = 0; i < streams.size(); ++i) {
    if (kept[i] >= 0) {
      dup2(kept[i], streams[i]);
      close(kept[i]);
    } else {
      close(streams[i]);  // it was not open
    }
  }
  std::array<char, 4096> text;
  off_t at = 0;
  for (ssize_t size = 0;
       (size = pread(messages.get(), text.data(), text.size(), at)) > 0;
       at += size) {
    if (write(STDERR_FILENO, text.data(), static_cast<size_t>(size)) < 0) break;
  }
  return result;
}

absl::Status CheckMountPoint(const std::string& path) {
  struct stat info {};
  struct statvfs volume {};
  // A dead mount's root may still answer stat, from the kernel's memory.
  if (stat(path.c_str(), &info) != 0 || statvfs(path.c_str(), &volume) != 0) {
    const int error = errno;
    if (error == ENOTCONN) {
      return ondisk::PosixError(
          error, fmt::format("{}: a mount without a daemon is still there; "
                             "remove it with: fusermount3 -u {}",
                             path, path));
    }
    return ondisk::PosixError(
        error, fmt::format("mount point {}: {}", path, std::strerror(error)));
  }
  if (!S_ISDIR(info.st_mode)) {
    return ondisk::PosixError(
        ENOTDIR, fmt::format("mount point {}: not a directory", path));
  }
  return absl::OkStatus();
}

}  // namespace

struct Session::Impl {
  struct DestroySession {
    void operator()(fuse_session* mounted_session) const {
      fuse_session_destroy(mounted_session);
    }
  };

  Impl(Filesystem& filesystem, const SessionOptions& options)
      : context(filesystem, getuid()),
        mount_point(options.mount_point),
        transport(options.transport),
        on_ready(options.on_ready) {
    context.posix_acl = options.posix_acl;
    context.splice_reads = options.splice_reads;
    context.max_read = options.max_read;
  }

  Context context;
  const std::string mount_point;
  const TransportOptions transport;
  const std::function<void()> on_ready;
  std::unique_ptr<fuse_session, DestroySession> session;
  bool mounted = false;
  bool handles_signals = false;
};

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

absl::StatusOr<std::unique_ptr<Session>> Session::Mount(
    Filesystem& filesystem, const SessionOptions& options) {
  ONDISK_RETURN_IF_ERROR(CheckMountPoint(options.mount_point));
  RouteLibraryMessages();

  Arguments arguments;
  for (const std::string& word : options.mount_words) arguments.AddOption(word);
  if (options.max_read != 0) {
    arguments.AddOption(fmt::format("max_read={}", options.max_read));
  }
  if (options.debug) arguments.Add("-d");

  auto impl = std::make_unique<Impl>(filesystem, options);
  const fuse_lowlevel_ops operations = MakeOperations();
  impl->session.reset(fuse_session_new(arguments.get(), &operations,
                                       sizeof operations, &impl->context));
  if (impl->session == nullptr) {
    return ondisk::PosixError(EINVAL, "libfuse does not take these options");
  }
  if (fuse_set_signal_handlers(impl->session.get()) != 0) {
    return ondisk::PosixError(EINVAL, "cannot set signal handlers");
  }
  impl->handles_signals = true;
  std::unique_ptr<Session> session(new Session(std::move(impl)));
  Impl& in = *session->impl_;
  if (RunWithOutputAside([&in] {
        return fuse_session_mount(in.session.get(), in.mount_point.c_str());
      }) != 0) {
    // libfuse and fusermount3 have said why.
    return ondisk::PosixError(
        EINVAL, fmt::format("cannot mount on {}", in.mount_point));
  }
  in.mounted = true;
  return session;
}

Session::~Session() {
  if (impl_->mounted) fuse_session_unmount(impl_->session.get());
  if (impl_->handles_signals) {
    fuse_remove_signal_handlers(impl_->session.get());
  }
}

absl::Status Session::Serve() {
  fuse_session& session = *impl_->session;
  ONDISK_RETURN_IF_ERROR(ServeInit(session, impl_->context));
  // Not for a session that was ended before it began.
  if (fuse_session_exited(&session) == 0 && impl_->on_ready) impl_->on_ready();
  return ServeRequests(session, impl_->transport);
}

}  // namespace fusexfs
