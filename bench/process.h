// SPDX-License-Identifier: GPL-2.0-or-later
// Child processes: mkfs, mount, umount, and the daemon.
//
// Thread-safety: free functions.
#ifndef FUSEXFS_BENCH_PROCESS_H_
#define FUSEXFS_BENCH_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fusexfs::bench {

// Starts a program (found along PATH); its output goes to stderr, so that
// stdout stays the report.
absl::StatusOr<pid_t> Start(const std::vector<std::string>& arguments);
// Waits for it. An error if it did not end with 0.
absl::Status Wait(pid_t process, const std::string& name);
absl::Status Run(const std::vector<std::string>& arguments);
// What a program prints, on either stream, however it ends.
absl::StatusOr<std::string> Output(const std::vector<std::string>& arguments);

// User and system time of a running process, in milliseconds; 0 if it is gone.
double CpuMsOf(pid_t process);

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_PROCESS_H_
