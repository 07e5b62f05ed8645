#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fresh from mkfs.xfs with the defaults of 7.2: for whoever has an older one
# and wants parent pointers (demo.sh).
. "$(dirname "$0")/lib.sh"
make empty-v5 96m -d agcount=2 -l size=12m -n parent=1 -i exchange=1,nrext64=1 \
  -m reflink=1,rmapbt=1,bigtime=1,inobtcount=1
attach rw
finish
