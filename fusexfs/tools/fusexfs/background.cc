// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/fusexfs/background.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "fusexfs/tools/fusexfs/log.h"
#include "libondisk/status.h"

namespace fusexfs::tool {

namespace {

constexpr char kReadyByte = 'r';

[[noreturn]] void WaitForChild(pid_t child, int pipe_end) {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = read(pipe_end, &byte, 1);
  } while (count < 0 && errno == EINTR);
  if (count == 1 && byte == kReadyByte) _exit(0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status)
                                                      : 1);
}

}  // namespace

Background::~Background() {
  if (parent_ >= 0) close(parent_);
}

absl::Status Background::Start() {
  if (foreground_) return absl::OkStatus();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return ondisk::SystemError("pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return ondisk::SystemError("fork");
  if (child > 0) {
    close(ends[1]);
    WaitForChild(child, ends[0]);
  }
  close(ends[0]);
  parent_ = ends[1];
  return absl::OkStatus();
}

void Background::Ready() {
  if (parent_ < 0) return;
  setsid();
  if (chdir("/") != 0) LogToStandardError();  // cannot be; nothing is lost
  LogToSyslog();
  // Whoever reads our output to its end must not wait for the unmount.
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    close(null);
  }
  const ssize_t written = write(parent_, &kReadyByte, 1);
  static_cast<void>(written);  // the parent may have been killed
  close(parent_);
  parent_ = -1;
}

}  // namespace fusexfs::tool
