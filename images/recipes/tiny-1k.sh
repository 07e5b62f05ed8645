#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 1 KiB blocks: btrees of several levels, directories and attribute forks whose
# own extents need a btree, and inodes in small clusters.
. "$(dirname "$0")/lib.sh"
make tiny-1k 40m -b size=1024 -d agcount=2 -l size=6m -n parent=1 \
  -i exchange=1,nrext64=1 -m reflink=1,rmapbt=1,bigtime=1,inobtcount=1
fill directories:0.6 collided:0.3 symlinks links attributes files:3 shared \
  fragments:0.3 inodes:0.5
finish
