// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "fusexfs/device/file_device.h"
#include "libondisk/status.h"

namespace fusexfs::bench {

namespace {

// Starts a program with `output` as its stdout and stderr.
absl::StatusOr<pid_t> StartInto(int output,
                                const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (output != STDERR_FILENO) {
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  }
  pid_t process = 0;
  const int error =
      posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return ondisk::PosixError(error,
                              fmt::format("cannot start {}", arguments[0]));
  }
  return process;
}

}  // namespace

absl::StatusOr<pid_t> Start(const std::vector<std::string>& arguments) {
  return StartInto(STDERR_FILENO, arguments);
}

absl::StatusOr<std::string> Output(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ondisk::SystemError("pipe");
  const FileDescriptor from(ends[0]);
  FileDescriptor into(ends[1]);
  ONDISK_ASSIGN_OR_RETURN(const pid_t process,
                          StartInto(into.get(), arguments));
  into = FileDescriptor();
  std::string text;
  char piece[4096];
  ssize_t bytes = 0;
  while ((bytes = read(from.get(), piece, sizeof piece)) > 0) {
    text.append(piece, static_cast<size_t>(bytes));
  }
  (void)Wait(process, arguments[0]);  // usage errors print, too
  return text;
}

absl::Status Wait(pid_t process, const std::string& name) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return ondisk::PosixError(errno, "waitpid");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return absl::OkStatus();
  return ondisk::PosixError(
      EIO,
      WIFEXITED(status)
          ? fmt::format("{} ended with {}", name, WEXITSTATUS(status))
          : fmt::format("{} was ended by signal {}", name, WTERMSIG(status)));
}

absl::Status Run(const std::vector<std::string>& arguments) {
  ONDISK_ASSIGN_OR_RETURN(const pid_t process, Start(arguments));
  return Wait(process, arguments[0]);
}

double CpuMsOf(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t behind_name = text.rfind(')');
  if (behind_name == std::string::npos) return 0;
  std::istringstream fields(text.substr(behind_name + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;  // state to cmajflt
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) * 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace fusexfs::bench
