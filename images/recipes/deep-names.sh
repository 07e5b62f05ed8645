#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Trees of names: an attribute tree with two levels of nodes, which 1 KiB blocks
# reach soonest; a directory of 14,000 names (47 leaves), which are hard links to
# 40 files of 350 names each; one that lost nearly all of its names.
. "$(dirname "$0")/lib.sh"
make deep-names 40m -b size=1024 -d agcount=2 -l size=6m -n parent=1 \
  -i exchange=1,nrext64=1 -m reflink=1,rmapbt=1,bigtime=1,inobtcount=1
attach rw,noatime
python3 - "$mnt" <<'PYTHON'
import os
import sys

top = sys.argv[1]
join = os.path.join
for name in ("wide", "removed"):
    os.mkdir(join(top, name))
for name, count, files in (("wide", 14000, 40), ("removed", 9000, 30)):
    for i in range(count):
        path = join(top, name, "name-%05d" % i)
        if i < files:
            os.mknod(path, 0o100644)
        else:
            os.link(join(top, name, "name-%05d" % (i % files)), path)
for i in range(9000):
    if i % 997:
        os.unlink(join(top, "removed", "name-%05d" % i))
with open(join(top, "attributes"), "wb"):
    pass
for i in range(5500):  # listxattr gives at most 64 KiB of names
    os.setxattr(join(top, "attributes"), "user.%05d" % i, b"%d" % i)
PYTHON
finish
