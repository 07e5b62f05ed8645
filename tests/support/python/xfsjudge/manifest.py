# SPDX-License-Identifier: GPL-2.0-or-later
"""What a mounted filesystem shows, written down completely.

A manifest is a list of records (one JSON object a line on disk).  The first
one is {"statfs": {...}}; each other one describes one path.  Bytes that are
not printable ASCII, and '%', stand as %XX.  Fields of a path's record:

  path ino mode(octal string) nlink uid gid size blocks(512 bytes)
  rdev [major, minor]                       for device files
  atime mtime ctime btime [seconds, nanoseconds]
  generation, fsx {xflags extsize projid cowextsize}     files, directories
  entries [[name, ino, type], ...]          directories, in readdir's order
  target                                    symlinks
  segments [[start, end], ...]              files, by SEEK_DATA and SEEK_HOLE
  crc32 (of all bytes, as zlib counts it; files up to 16 MiB)
  sha256 (of the 64 KiB pieces that hold a byte other than zero)
  fiemap, fiemap_attribute [[logical, physical, length, flags], ...]  files
  xattrs {name: [length, sha256, value when up to 64 bytes]}; with the key
    TOO_LONG_TO_LIST where listxattr answers E2BIG: the names are then those
    that contents.attributes() left in a file beside
  parents [[inode, generation, name], ...]  with parent pointers

Run as `manifest.py DIRECTORY` it prints one.
"""
import errno
import hashlib
import json
import os
import stat
import sys
import zlib

from . import ioctls

TOO_LONG_TO_LIST = "(list)"  # a key of xattrs: no attribute's name lacks a dot

# Of the names in a directory of more than a hundred thousand, all are told as
# its entries, but only one in thirty has a record of its own.
_WIDE_DIRECTORY = 100000
_WIDE_STEP = 30

_PIECE = 65536
_WHOLE_CRC_LIMIT = 16 << 20


def quote(raw):
    return "".join(chr(b) if 0x20 <= b < 0x7F and b != 0x25 else "%%%02x" % b
                   for b in raw)


def unquote(text):
    out = bytearray()
    i = 0
    while i < len(text):
        if text[i] == "%":
            out.append(int(text[i + 1:i + 3], 16))
            i += 3
        else:
            out.append(ord(text[i]))
            i += 1
    return bytes(out)


def _statfs(root):
    s = os.statvfs(root)
    return {"bsize": s.f_bsize, "frsize": s.f_frsize, "blocks": s.f_blocks,
            "bfree": s.f_bfree, "bavail": s.f_bavail, "files": s.f_files,
            "ffree": s.f_ffree, "namemax": s.f_namemax}


def _segments(fd, size):
    found = []
    at = 0
    while at < size:
        try:
            start = os.lseek(fd, at, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:
                break
            raise
        at = os.lseek(fd, start, os.SEEK_HOLE)
        found.append([start, at])
    return found


def _hash_pieces(fd, segments, size):
    digest = hashlib.sha256()
    done = 0
    for start, end in segments:
        at = max(start // _PIECE * _PIECE, done)
        while at < end:
            data = os.pread(fd, min(_PIECE, size - at), at)
            if not data:
                break
            if data.count(0) != len(data):
                digest.update(at.to_bytes(8, "big"))
                digest.update(data.rstrip(b"\0"))
            at += _PIECE
            done = at
    return digest.hexdigest()


def _crc32(fd, size):
    crc = 0
    at = 0
    while at < size:
        data = os.pread(fd, 1 << 20, at)
        if not data:
            raise OSError(errno.EIO, "file ends before its size")
        crc = zlib.crc32(data, crc)
        at += len(data)
    return crc


def _xattrs(path):
    found = {}
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        # No list is longer than 64 KiB: the names stand in a file beside.
        with open(path + b".names", "rb") as listed:
            names = listed.read().split(b"\0")[:-1]
        found[TOO_LONG_TO_LIST] = [errno.E2BIG]
    for name in sorted(map(os.fsencode, names)):
        value = os.getxattr(path, name, follow_symlinks=False)
        entry = [len(value), hashlib.sha256(value).hexdigest()]
        if len(value) <= 64:
            entry.append(quote(value))
        found[quote(name)] = entry
    return found


_LETTERS = {stat.S_IFDIR: "d", stat.S_IFREG: "-", stat.S_IFLNK: "l",
            stat.S_IFIFO: "p", stat.S_IFSOCK: "s", stat.S_IFCHR: "c",
            stat.S_IFBLK: "b"}


def _type_letter(entry):
    """From readdir's own type where Python tells it, so that a wrong one is
    seen; Python hides it for the special files."""
    if entry.is_symlink():
        return "l"
    if entry.is_dir(follow_symlinks=False):
        return "d"
    if entry.is_file(follow_symlinks=False):
        return "-"
    return _LETTERS[stat.S_IFMT(os.lstat(entry.path).st_mode)]


def _entries(path):
    return [[quote(os.fsencode(e.name)), e.inode(), _type_letter(e)]
            for e in os.scandir(path)]


def _fsx(fd):
    xflags, extsize, _, projid, cowextsize = ioctls.get_fsxattr(fd)
    return {"xflags": xflags, "extsize": extsize, "projid": projid,
            "cowextsize": cowextsize}


def _split(ns):
    return [ns // 10**9, ns % 10**9]


class Viewer:
    """How a tree is looked at.  `fiemap` takes (path, fd, attribute_fork) and
    returns extents, so that a FUSE mount, which FIEMAP does not reach, can be
    asked by its own means; `parents` likewise (path, fd).  With `tolerant` a
    call that fails leaves {"error": errno} as its field's value."""

    def __init__(self, fiemap=None, parents=None, tolerant=False):
        self.fiemap = fiemap or (lambda path, fd, attr:
                                 ioctls.fiemap(fd, attribute_fork=attr))
        self.parents = parents or (lambda path, fd: ioctls.parents(fd))
        self.tolerant = tolerant

    def _ask(self, function, *arguments):
        try:
            return function(*arguments)
        except OSError as error:
            if not self.tolerant:
                raise
            return {"error": error.errno}

    def record(self, path, relative):
        r = {"path": quote(relative)}
        s = self._ask(os.lstat, path)
        if isinstance(s, dict):
            r["stat"] = s
            return r
        r |= {"ino": s.st_ino,
              "mode": "%06o" % s.st_mode, "nlink": s.st_nlink,
              "uid": s.st_uid, "gid": s.st_gid, "size": s.st_size,
              "blocks": s.st_blocks, "atime": _split(s.st_atime_ns),
              "mtime": _split(s.st_mtime_ns), "ctime": _split(s.st_ctime_ns)}
        birth = self._ask(ioctls.birth_time, path)
        if birth is not None:
            r["btime"] = birth
        if stat.S_ISCHR(s.st_mode) or stat.S_ISBLK(s.st_mode):
            r["rdev"] = [os.major(s.st_rdev), os.minor(s.st_rdev)]
        if stat.S_ISLNK(s.st_mode):
            r["target"] = self._ask(lambda: quote(os.readlink(path)))
        r["xattrs"] = self._ask(_xattrs, path)
        if stat.S_ISREG(s.st_mode) or stat.S_ISDIR(s.st_mode):
            opened = self._ask(self._open_record, path, s, r)
            if opened is not None:
                r["open"] = opened
        return r

    def _open_record(self, path, s, r):
        fd = os.open(path, os.O_RDONLY)
        try:
            r["generation"] = self._ask(ioctls.generation, fd)
            r["fsx"] = self._ask(_fsx, fd)
            parents = self._ask(self.parents, path, fd)
            if isinstance(parents, list):
                parents = [[i, g, quote(n)] for i, g, n in parents]
            if parents is not None:
                r["parents"] = parents
            if stat.S_ISDIR(s.st_mode):
                r["entries"] = self._ask(_entries, path)
                return
            r["fiemap"] = self._ask(self.fiemap, path, fd, False)
            r["fiemap_attribute"] = self._ask(self.fiemap, path, fd, True)
            r["segments"] = self._ask(_segments, fd, s.st_size)
            if isinstance(r["segments"], dict):
                r["sha256"] = r["segments"]
            else:
                r["sha256"] = self._ask(_hash_pieces, fd, r["segments"],
                                        s.st_size)
            if s.st_size <= _WHOLE_CRC_LIMIT:
                r["crc32"] = self._ask(_crc32, fd, s.st_size)
        finally:
            os.close(fd)

    def view(self, root):
        root = os.fsencode(root)
        yield {"statfs": _statfs(root)}
        waiting = [b""]
        while waiting:
            relative = waiting.pop()
            path = os.path.join(root, relative) if relative else root
            r = self.record(path, relative or b".")
            yield r
            entries = r.get("entries", [])
            if isinstance(entries, dict):
                continue
            names = sorted((name for name, _, _ in entries), reverse=True)
            if len(names) > _WIDE_DIRECTORY:
                names = names[::_WIDE_STEP]
            for name in names:
                waiting.append(os.path.join(relative, unquote(name)))


def view(root, **keywords):
    return list(Viewer(**keywords).view(root))


def write(records, path):
    with open(path, "w", encoding="ascii") as out:
        for record in records:
            out.write(json.dumps(record, sort_keys=True,
                                 separators=(",", ":")) + "\n")


def read(path):
    with open(path, encoding="ascii") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    for record in Viewer().view(sys.argv[1]):
        print(json.dumps(record, sort_keys=True, separators=(",", ":")))
