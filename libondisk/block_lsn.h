// SPDX-License-Identifier: GPL-2.0-or-later
// The LSN that a V5 block carries: the place in the log of the record that last
// changed it.
//
// It is never ahead of the head of the log. If it were (the log was zeroed by a
// tool that did not look), the next records would have smaller numbers, and
// recovery would take the block for newer than they are and leave them out.
// Inodes, dquots and the blocks of attribute values carry an LSN too, but the
// kernel does not judge it.
//
// Thread-safety: pure functions.
// Source: kernel fs/xfs/xfs_log.c (xfs_log_check_lsn) and who calls it.
#ifndef FUSEXFS_LIBONDISK_BLOCK_LSN_H_
#define FUSEXFS_LIBONDISK_BLOCK_LSN_H_

#include "libondisk/checker.h"
#include "libondisk/fields.h"
#include "libondisk/types.h"

namespace ondisk {

// Checks field "lsn". Blocks that were never logged carry kNullLsn. `log_head`:
// where the next record goes; kNullLsn if that is not known.
bool VerifyBlockLsn(Lsn lsn, Lsn log_head, Checker& check);

// The same for the fields of kind kBlockLsn of an explanation and its parts.
void JudgeBlockLsns(Lsn log_head, Explanation& explanation);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_BLOCK_LSN_H_
