// SPDX-License-Identifier: GPL-2.0-or-later
// Where log lines go.
//
// Thread-safety: safe for any number of threads.
#ifndef FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_LOG_H_
#define FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_LOG_H_

namespace fusexfs::tool {

// "fusexfs: text", for somebody who sits there.
void LogToStandardError();
// As "fusexfs", facility daemon.
void LogToSyslog();

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_LOG_H_
