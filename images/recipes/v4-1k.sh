#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# V4 with 1 KiB blocks, attr version 1 (a fixed fork offset) and file types.
. "$(dirname "$0")/lib.sh"
name=v4-1k
image=$work/$name.img
mkfs_options="-m crc=0 -b size=1024 -d agcount=2 -l size=4m -n ftype=1 -i attr=1 -p PROTOFILE"
mkfs_version=$(mkfs.xfs -V)
content_by="none: mkfs.xfs and xfs_db $(chroot "$FUSEXFS_ORACLE_ROOT" xfs_db -V)"
python3 -m xfsjudge.v4 "$image" $((36 << 20)) -b size=1024 -d agcount=2 \
  -l size=4m -n ftype=1 -i attr=1 >"$work/manifest"
xz -9 <"$work/manifest" >"$golden/$name.manifest.jsonl.xz"
check
pack
