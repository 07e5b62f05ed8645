#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Without CRCs: attr version 2, no file types in directories, one inode of
# version 1. Debian 12's mkfs.xfs fills it by a protofile; xfs_db is the oracle.
. "$(dirname "$0")/lib.sh"
name=tiny-v4
image=$work/$name.img
mkfs_options="-m crc=0 -d agcount=2 -l size=4m -n ftype=0 -p PROTOFILE"
mkfs_version=$(mkfs.xfs -V)
content_by="none: mkfs.xfs and xfs_db $(chroot "$FUSEXFS_ORACLE_ROOT" xfs_db -V)"
python3 -m xfsjudge.v4 "$image" $((36 << 20)) -d agcount=2 -l size=4m \
  -n ftype=0 >"$work/manifest"
xz -9 <"$work/manifest" >"$golden/$name.manifest.jsonl.xz"
check
pack
