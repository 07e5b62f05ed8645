# SPDX-License-Identifier: GPL-2.0-or-later
"""A manifest (manifest.py's records) of an image that the kernel cannot mount,
taken by xfs_db: names, inode cores, block maps; contents are read through the
block map.  xfs_db 6.13 cannot list extended attributes by name and value, so
the caller tells which ones it had xfs_db set.

No statfs, segments, or parents: xfs_db has no such notion.
"""
import calendar
import hashlib
import os
import re
import stat
import subprocess
import time
import zlib

from . import ioctls
from . import manifest
from . import oracle

_LETTERS = {0o040000: "d", 0o100000: "-", 0o120000: "l", 0o010000: "p",
            0o020000: "c", 0o060000: "b", 0o140000: "s"}


class Db:
    """One xfs_db that answers command after command."""

    def __init__(self, image):
        inside = image[len(oracle.ROOT):]
        self._process = subprocess.Popen(
            ["chroot", oracle.ROOT, "env", "TZ=UTC", "LC_ALL=C", "stdbuf", "-oL", "xfs_db",
             "-r", inside], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)

    def ask(self, *commands):
        marker = b"magic_of_the_end"
        text = "\n".join(commands) + "\necho %s\n" % marker.decode()
        self._process.stdin.write(text.encode("latin1"))
        self._process.stdin.flush()
        out = []
        for line in self._process.stdout:
            line = line.replace(b"xfs_db> ", b"")
            if line.strip() == marker:
                return b"".join(out).decode("latin1")
            out.append(line)
        raise RuntimeError("xfs_db ended: " + b"".join(out).decode("latin1"))

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _values(text):
    return dict(line.split(" = ", 1) for line in text.splitlines()
                if " = " in line)


def _number(text):
    return int(text.split()[0], 0)


def _mode(text):
    return int(text, 8)


def _time(values, name):
    seconds = calendar.timegm(time.strptime(
        values["core.%s.sec" % name].strip(), "%a %b %d %H:%M:%S %Y"))
    return [seconds, int(values["core.%s.nsec" % name])]


class _View:
    def __init__(self, image, xattrs):
        self.image = image
        self.xattrs = xattrs or {}
        self.db = Db(image)
        self.fd = os.open(image, os.O_RDONLY)
        sb = _values(self.db.ask(
            "sb 0", "p blocksize agblocks rootino dirblklog"))
        self.block = _number(sb["blocksize"])
        self.ag_blocks = _number(sb["agblocks"])
        self.root = _number(sb["rootino"])

    def bmap(self, fork):
        extents = []
        for found in re.finditer(
                r"offset (\d+) startblock \d+ \((\d+)/(\d+)\) count (\d+) "
                r"flag (\d)", self.db.ask("bmap -" + fork)):
            offset, ag, agbno, count, flag = map(int, found.groups())
            extents.append([offset * self.block,
                            (ag * self.ag_blocks + agbno) * self.block,
                            count * self.block,
                            ioctls.FIEMAP_EXTENT_UNWRITTEN if flag else 0])
        return extents

    def contents(self, extents, size):
        data = bytearray(size)
        for logical, physical, length, flags in extents:
            length = min(length, size - logical)
            if length > 0 and not flags & ioctls.FIEMAP_EXTENT_UNWRITTEN:
                data[logical:logical + length] = os.pread(self.fd, length,
                                                          physical)
        return bytes(data)

    def record(self, relative, ino):
        v = _values(self.db.ask("inode %d" % ino, "p"))
        mode = _mode(v["core.mode"])
        old = v["core.version"] == "1"
        size = _number(v["core.size"])
        r = {"path": manifest.quote(relative), "ino": ino,
             "mode": "%06o" % mode,
             "nlink": _number(v["core.nlinkv1" if old else "core.nlinkv2"]),
             "uid": _number(v["core.uid"]), "gid": _number(v["core.gid"]),
             "size": size,
             "blocks": _number(v["core.nblocks"]) * self.block // 512,
             "generation": _number(v["core.gen"])}
        for name in ("atime", "mtime", "ctime"):
            r[name] = _time(v, name)
        kind = _LETTERS[stat.S_IFMT(mode)]
        if kind in "bc":
            device = _number(v["u.dev"])
            r["rdev"] = [device >> 18, device & 0x3FFFF]
        local = v["core.format"].startswith("1")
        extents = [] if local else self.bmap("d")
        if kind == "l":
            raw = (v["u.symlink"].strip('"').encode("latin1") if local else
                   self.contents(extents, size))
            r["target"] = manifest.quote(raw)
        elif kind == "-":
            raw = self.contents(extents, size)
            r["crc32"] = zlib.crc32(raw)
            digest = hashlib.sha256()
            for at in range(0, size, 65536):
                piece = raw[at:at + 65536].rstrip(b"\0")
                if piece:
                    digest.update(at.to_bytes(8, "big") + piece)
            r["sha256"] = digest.hexdigest()
            r["fiemap"] = self.last(extents)
            r["fiemap_attribute"] = self.last(
                self.bmap("a") if v["core.aformat"][0] in "23" else [])
        elif kind == "d":
            r["entries"] = self.entries()
        set_here = self.xattrs.get(relative.decode("latin1"), {})
        r["xattrs"] = {}
        for name, value in sorted(set_here.items()):
            r["xattrs"][name] = [len(value), hashlib.sha256(value).hexdigest()]
            if len(value) <= 64:
                r["xattrs"][name].append(manifest.quote(value))
        return r

    @staticmethod
    def last(extents):
        if extents:
            extents[-1][3] |= ioctls.FIEMAP_EXTENT_LAST
        return extents

    def entries(self):
        found = []
        for line in self.db.ask("ls").splitlines():
            match = re.match(r"\d+\s+(\d+)\s+(\S+)\s+0x[0-9a-f]+\s+\d+ (.*) "
                             r"\((good|corrupt)\)$", line)
            if match and match.group(3) not in (".", ".."):
                found.append((match.group(3), int(match.group(1))))
        # Directory entries of images without ftype carry no type: the
        # inode's is told, as a driver must.
        return [[manifest.quote(name.encode("latin1")), ino,
                 _LETTERS[stat.S_IFMT(_mode(_values(self.db.ask(
                     "inode %d" % ino, "p core.mode"))["core.mode"]))]]
                for name, ino in found]

    def walk(self):
        waiting = [(b"", self.root)]
        while waiting:
            relative, ino = waiting.pop()
            r = self.record(relative or b".", ino)
            yield r
            for name, child, _ in sorted(r.get("entries", []), reverse=True):
                waiting.append((os.path.join(
                    relative, manifest.unquote(name)), child))


def view(image, xattrs=None):
    viewer = _View(image, xattrs)
    try:
        yield from viewer.walk()
    finally:
        viewer.db.close()
        os.close(viewer.fd)
