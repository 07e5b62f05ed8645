#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The filesystem stops with its log written and its metadata not: a crash.
# The manifest is what the kernel shows after replaying the log of a copy,
# dirty-log.norecovery.manifest.jsonl.xz what it shows without replaying.
. "$(dirname "$0")/lib.sh"
make dirty-log 40m -d agcount=2 -l size=8m -n parent=1 -i exchange=1,nrext64=1 \
  -m reflink=1,rmapbt=1,bigtime=1,inobtcount=1
fill links files:0.3
mkdir "$mnt/after"
umount "$mnt" # what came before is in its place now
attach rw,noatime
python3 -m xfsjudge.contents "$mnt/after" directories:0.1 attributes:0.05 symlinks shared
rm "$mnt/files/many-extents"
mv "$mnt/links/one/name" "$mnt/after/moved"
python3 -c "from xfsjudge import ioctls; ioctls.shutdown('$mnt')"
umount "$mnt"
pack
manifest .norecovery ro,norecovery
cp --sparse=always "$image" "$image.copy"
image=$image.copy
attach rw
umount "$mnt"
check
manifest "" ro
