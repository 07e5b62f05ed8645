#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The features that mkfs.xfs 7.2 has on by default, and every form that 4 KiB
# blocks reach in 48 MiB.
. "$(dirname "$0")/lib.sh"
make tiny-v5 48m -d agcount=3 -l size=8m -n parent=1 -i exchange=1,nrext64=1 \
  -m reflink=1,rmapbt=1,bigtime=1,inobtcount=1
fill directories collided:0.4 names special_files times symlinks links \
  attributes files huge shared flags inodes:0.3
finish
