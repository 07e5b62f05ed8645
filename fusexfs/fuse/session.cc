#include "fusexfs/fuse/session.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

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
        transport(options.transport) {
    context.posix_acl = options.posix_acl;
    context.splice_reads = options.splice_reads;
    context.on_init = options.on_ready;
  }

  Context context;
  const std::string mount_point;
  const TransportOptions transport;
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
  if (fuse_session_mount(in.session.get(), in.mount_point.c_str()) != 0) {
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
  return ServeRequests(*impl_->session, impl_->transport);
}

}  // namespace fusexfs
