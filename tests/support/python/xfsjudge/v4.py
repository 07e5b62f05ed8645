# SPDX-License-Identifier: GPL-2.0-or-later
"""V4 images (no CRCs). Kernels from 6.18 on may lack V4, so nothing can mount
them: mkfs.xfs of Debian 12 puts the tree in by a protofile, xfs_db adds
extended attributes, v1 inodes, a hole and unwritten blocks, and db_view tells what is in them.

Run as `v4.py IMAGE SIZE [MKFS-OPTION...]`; prints the manifest.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from . import collisions
from . import db_view
from . import oracle

# path: [(xfs_db's namespace letter, name, length of a value of v's)]
ATTRIBUTES = {
    "attributes/short": [("u", "a", 1), ("r", "t", 3), ("s", "sec", 9)],
    "attributes/leaf": [("u", "leaf-%03d" % i, 40 * (i > 0))
                        for i in range(24)],
    "attributes/node": [("u", "node-%04d" % i, 25) for i in range(400)],
    "attributes/remote": [("u", "remote-%d" % n, n)
                          for n in (3000, 3100, 4096, 4097, 20000, 65536)],
    "attributes/directory": [("u", "a", 1), ("r", "b", 300)],
    "symlinks/length-40": [("r", "short", 8)],
    "attributes/collided": [("u", n.decode(), i % 70)
                            for i, n in enumerate(collisions.names(200))],
}
_PREFIX = {"u": "user.", "r": "trusted.", "s": "security."}


def _file(directory, name, data):
    path = os.path.join(directory, name)
    with open(path, "wb") as out:
        out.write(data)
    return path


def protofile(scratch, scale=1):
    nothing = _file(scratch, "nothing", b"")
    small = _file(scratch, "small", b"a small file\n")
    large = _file(scratch, "large", b"".join(
        b"line %07d of a large file\n" % i for i in range(12000)))
    lines = ["/stand/diskboot", "0 0", "d--755 0 0"]

    def add(*text):
        lines.append(" ".join(text))

    def files(count, form):
        for i in range(count):
            add(form % i, "---644", str(i % 7), str(i % 5), nothing)
    add("directories d--755 0 0")
    for name, count in (("empty", 0), ("short", 3), ("block", 40),
                        ("leaf", int(300 * scale)),
                        ("node", int(2500 * scale))):
        add(name, "d--755", "0", "0")
        files(count, "entry-%05d-of-" + name)
        add("$")
    add("$")
    add("collided d--755 0 0")
    for name, count in (("block", 20), ("leaf", 120), ("node", 1200)):
        add(name, "d--755", "0", "0")
        for i, each in enumerate(collisions.names(count)):
            add(each.decode(), "---6%02o" % (i % 64), "0", "0", nothing)
        add("$")
    add("$")
    add("files d-g755 3 4")
    add("holes ---644 0 0", large)
    add("empty ---600 1000 1000", nothing)
    add("small ---644 0 0", small)
    add("large -ug755 1 2", large)
    add("version-1 ---640 5 6", small)
    add("$")
    add("special d--1777 0 0".replace("--1777", "--777"))
    add("fifo p--640 0 0")
    add("char c--600 0 0 1 3")
    add("block b--660 0 6 200 131072")
    add("$")
    add("symlinks d--755 0 0")
    for length in (1, 40, 150, 156, 157, 300, 500, 1000):
        add("length-%d" % length, "l--777", "0", "0",
            "".join(chr(97 + i % 26) for i in range(length)))
    add("$")
    add("attributes d--755 0 0")
    for name in ("short", "leaf", "node", "remote", "none", "collided"):
        add(name, "---644", "0", "0", small)
    add("directory d--700 0 0")
    add("$")
    add("$")
    add("$")
    return _file(scratch, "proto", "\n".join(lines + [""]).encode())


def punch(image, path):
    """Makes three extents of a file's only one: a hole between the first and
    the second, and the second unwritten."""
    text = oracle.db(image, "path /" + path, "p core.size u.bmx", "sb 0",
                     "p blocksize")
    v = dict(line.split(" = ") for line in text.splitlines()
             if line.startswith(("core.size", "blocksize")))
    start, count = map(int, re.search(r":\[0,(\d+),(\d+),0\]", text).groups())
    size, block = int(v["core.size"]), int(v["blocksize"])
    commands = ["path /" + path, "write core.nextents 3",
                "write core.size %d" % (size + 6 * block)]
    for i, extent in enumerate(((0, start, 10, 0), (16, start + 10, 20, 1),
                                (36, start + 30, count - 30, 0))):
        for name, value in zip(("startoff", "startblock", "blockcount",
                                "extentflag"), extent):
            commands.append("write u.bmx[%d].%s %d" % (i, name, value))
    oracle.db(image, *commands, write=True)


def build(image, size, *options, scale=1, version_1=True):
    with tempfile.TemporaryDirectory() as scratch:
        oracle.mkfs_host(image, size, "-m", "crc=0", *options,
                         "-p", protofile(scratch, scale))
    # By turns, so that the blocks of one file's attributes are no neighbours.
    turns = []
    xattrs = {}
    for path, pairs in ATTRIBUTES.items():
        for i, (letter, name, length) in enumerate(pairs):
            turns.append((i // 25, path, "attr_set -%s -v %d %s" % (
                letter, length, name)))
            xattrs.setdefault(path, {})[_PREFIX[letter] + name] = b"v" * length
    commands = []
    for _, path, command in sorted(turns, key=lambda turn: turn[:2]):
        commands += ["path /" + path, command]
    said = oracle.db(image, *commands, write=True)
    if "not" in said or "ould" in said:
        raise RuntimeError("xfs_db: " + said)
    punch(image, "files/holes")
    if version_1:
        oracle.db(image, "path /files/version-1", "write core.nlinkv2 0",
                  "write core.version 1", "write core.nlinkv1 1", write=True)
    return xattrs


if __name__ == "__main__":
    given = build(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
    for each in db_view.view(sys.argv[1], given):
        print(json.dumps(each, sort_keys=True, separators=(",", ":")))
