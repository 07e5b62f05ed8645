// SPDX-License-Identifier: GPL-2.0-or-later
// Going into the background only when the mount is in place: the process that
// was started waits, and ends with success or failure as the mount does. What
// goes wrong before is said on the terminal, by the child.
//
// The fork comes first, before any thread exists.
// Thread-safety: Ready may be called from any thread, once.
#ifndef FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_BACKGROUND_H_
#define FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_BACKGROUND_H_

#include "absl/status/status.h"

namespace fusexfs::tool {

class Background {
 public:
  // In the foreground, everything below does nothing.
  explicit Background(bool foreground) : foreground_(foreground) {}
  ~Background();

  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Forks, and returns in the child only: the parent ends when the child is
  // ready (exit code 0) or has ended (its exit code).
  absl::Status Start();

  // The mount is in place: lets go of the terminal, the directory and the
  // parent. Log lines go to syslog from now on.
  void Ready();

 private:
  const bool foreground_;
  int parent_ = -1;  // write end of a pipe
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_BACKGROUND_H_
