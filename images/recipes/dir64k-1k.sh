#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Directory blocks of 64 KiB over 1 KiB blocks: one directory block is many
# filesystem blocks, and often many extents.
. "$(dirname "$0")/lib.sh"
make dir64k-1k 72m -b size=1024 -n size=65536,parent=1 -d agcount=1 -l size=24m \
  -i exchange=1,nrext64=1 -m reflink=1,rmapbt=1,bigtime=1,inobtcount=1
fill directories:3 collided:0.3 names links
finish
