# SPDX-License-Identifier: GPL-2.0-or-later
"""What the judges put into an image: every form that XFS gives to a thing.

Each function fills one directory of a mounted filesystem and is deterministic:
no clock (times are set), no randomness, so that a golden image made again holds
the same tree.  `scale` multiplies the counts that push a structure to its next
form; block and directory sizes decide which form is met, so the image's recipe
chooses scales, and run_case.py has xfs_db tell which forms it got (forms.py).

Run as `contents.py DIRECTORY FAMILY[:SCALE]...`.
"""
import errno
import os
import socket
import stat
import struct
import sys

from . import collisions
from . import ioctls

BLOCK = 4096


def _write(path, data, offset=0):
    fd = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
    try:
        os.pwrite(fd, data, offset)
    finally:
        os.close(fd)


def _text(seed, length):
    """Bytes that differ from block to block and still compress."""
    line = b"%s: this is line %%08d of a file that a test reads.\n" % seed
    out = bytearray()
    number = 0
    while len(out) < length:
        out += line % number
        number += 1
    return bytes(out[:length])


def directories(root, scale=1):
    """Short-form to node, one after removals, and names of every kind."""
    for name, count in (("empty", 0), ("short", 3), ("block", 40),
                        ("leaf", 300), ("node", 2500)):
        path = os.path.join(root, name)
        os.mkdir(path)
        for i in range(count if count <= 3 else max(4, int(count * scale))):
            os.mknod(os.path.join(path, "entry-%05d-%s" % (i, "x" * (i % 23))),
                     0o100644)
    holes = os.path.join(root, "holes")
    os.mkdir(holes)
    total = int(2000 * scale)
    for i in range(total):
        os.link(os.path.join(root, "short", "entry-00000-"),
                os.path.join(holes, "gone-%06d" % i))
    for i in range(total):
        if not (i < 3 or i == total // 2 or i > total - 3):
            os.unlink(os.path.join(holes, "gone-%06d" % i))
    types = os.path.join(root, "types")
    os.mkdir(types)
    special_files(types)


def collided(root, scale=1):
    """Names that share one hash, in each directory form."""
    for name, count in (("block", 20), ("leaf", 120), ("node", 1800)):
        path = os.path.join(root, name)
        os.mkdir(path)
        for i, each in enumerate(collisions.names(max(2, int(count * scale)))):
            os.mknod(os.path.join(os.fsencode(path), each),
                     0o100600 | (i & 0o77))
    path = os.path.join(root, "raw")
    os.mkdir(path)
    for each in collisions.names(int(100 * scale), 14, ascii_only=False):
        os.mknod(os.path.join(os.fsencode(path), each), 0o100644)


def names(root, scale=1):
    del scale
    top = os.fsencode(root)
    for name in (b"n" * 255, bytes(range(1, 47)), bytes(range(48, 256)),
                 b"\xff" * 255, "\u00e9t\u00e9 \u2603".encode(), b" ", b"...",
                 b"-rf", b"new\nline", b"%41"):
        os.mknod(os.path.join(top, name), 0o100644)
    for length in range(4, 256):
        name = (b"%03d" % length + b"l" * length)[:length]
        os.mknod(os.path.join(top, name), 0o100644)


def special_files(root, scale=1):
    del scale
    join = os.path.join
    os.mknod(join(root, "fifo"), 0o010640)
    os.mknod(join(root, "char"), 0o020600, os.makedev(1, 3))
    os.mknod(join(root, "char-large"), 0o020600, os.makedev(511, 262143))
    os.mknod(join(root, "block"), 0o060660, os.makedev(259, 70000))
    s = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(root)
    try:
        s.bind("socket")
    finally:
        os.chdir(here)
        s.close()
    _write(join(root, "file"), b"a file\n")
    os.mkdir(join(root, "directory"))
    os.symlink("file", join(root, "symlink"))
    _write(join(root, "setuid"), b"")
    os.chmod(join(root, "setuid"), 0o6755)
    _write(join(root, "owner"), b"")
    os.chown(join(root, "owner"), 1000, 4294967294)
    os.mkdir(join(root, "sticky"))
    os.chmod(join(root, "sticky"), 0o1777)


def times(root, scale=1):
    del scale
    for name, seconds, nanoseconds in (
            ("epoch", 0, 0), ("before-1970", -1, 999999999),
            ("1901", -2147483648, 1), ("2038", 2147483648, 123456789),
            ("2200", 7258118400, 987654321)):
        path = os.path.join(root, name)
        _write(path, name.encode())
        ns = seconds * 10**9 + nanoseconds
        os.utime(path, ns=(ns + 5 * 10**9, ns))


def symlinks(root, scale=1):
    """Lengths around the edges of inodes and blocks; all from scale 2 on."""
    for length in range(1, 1024) if scale >= 2 else (
            1, 2, 59, 96, 150, 290, 300, 335, 336, 337, 400, 700, 848, 1000,
            1022, 1023):
        os.symlink("".join(chr(97 + i % 26) for i in range(length)),
                   os.path.join(root, "length-%d" % length))
    os.symlink("../directories/short", os.path.join(root, "live"))
    path = os.path.join(root, "with-xattrs")
    os.symlink("t" * 250, path)
    for i in range(6):
        os.setxattr(path, "trusted.n%d" % i, b"v" * 40, follow_symlinks=False)


def links(root, scale=1):
    del scale
    for name in ("one", "two", "three"):
        os.mkdir(os.path.join(root, name))
    os.mkdir(os.path.join(root, "one", "deep"))
    first = os.path.join(root, "one", "name")
    _write(first, b"a file of four names\n")
    for name in ("two/other-name", "three/" + "long-name-" * 20,
                 "one/deep/name"):
        os.link(first, os.path.join(root, name))
    many = os.path.join(root, "many")
    os.mkdir(many)
    _write(os.path.join(many, "0"), b"a file of forty names\n")
    for i in range(1, 40):
        os.link(os.path.join(many, "0"), os.path.join(many, str(i)))


def attributes(root, scale=1):
    """Short-form, leaf, node, remote values, in all namespaces. Beside a file
    with more names than one list holds, NAME.names holds them for the judges."""
    def make(name, pairs, directory=False):
        path = os.path.join(root, name)
        os.mkdir(path) if directory else _write(path, name.encode())
        for key, value in pairs:
            os.setxattr(path, key, value)
        listed = b"".join(key.encode() + b"\0" for key, _ in pairs)
        if len(listed) > 65536:  # more than listxattr can ever tell
            _write(path + ".names", listed)
    make("short", [("user.a", b"1"), ("user.empty", b""),
                   ("trusted.t", b"\0\1\2"), ("security.s", b"secure")])
    make("short-directory", [("user.a", b"1")], directory=True)
    make("leaf", [("user.leaf-%03d" % i, b"v" * (i % 50)) for i in range(20)])
    make("leaf-directory", [("user.leaf-%03d" % i, b"v" * (i % 50))
                            for i in range(20)], directory=True)
    make("node", [("user.node-%04d" % i, b"%d" % i)
                  for i in range(int(800 * scale))])
    make("remote", [("user.remote-%d" % n, _text(b"remote", n))
                    for n in (967, 968, 969, 1900, 3000, 3072, 3500, 4040,
                              4041, 8000, 20000)])
    make("largest", [("user.largest", _text(b"largest", 65536)),
                     ("user.almost", _text(b"almost", 65535))])
    make("mixed", [("user.m%02d" % i, _text(b"mixed", (i * 397) % 5000))
                   for i in range(30)])
    make("names", [("user." + "n" * k, b"%d" % k) for k in (1, 100, 250)])
    make("collided", [("user." + n.decode(), n[:8])
                      for n in collisions.names(int(150 * scale))])
    # POSIX ACLs in the system's wire form: version, then tag, permission, id.
    def acl(*entries):
        return struct.pack("<L", 2) + b"".join(
            struct.pack("<HHL", *e) for e in entries)
    nobody = 0xFFFFFFFF
    access = acl((1, 7, nobody), (2, 5, 1000), (2, 6, 70000), (4, 5, nobody),
                 (8, 4, 2000), (16, 7, nobody), (32, 4, nobody))
    make("acl", [("system.posix_acl_access", access)])
    make("acl-directory", [("system.posix_acl_access", access),
                           ("system.posix_acl_default", access)],
         directory=True)
    _write(os.path.join(root, "acl-directory", "heir"), b"")
    # What was set and removed leaves an attribute fork behind.
    make("removed", [("user.gone-%d" % i, b"g" * 100) for i in range(30)])
    for i in range(30):
        os.removexattr(os.path.join(root, "removed"), "user.gone-%d" % i)


def files(root, scale=1):
    """Extents of every state; physical neighbours are kept apart by turns."""
    join = os.path.join
    _write(join(root, "empty"), b"")
    _write(join(root, "byte"), b"x")
    _write(join(root, "text"), _text(b"text", 70001))
    for i in range(0, 40, 2):
        _write(join(root, "twenty-extents"), _text(b"twenty", 4096),
               i * 65536)
    _write(join(root, "hole-at-end"), b"begins\n")
    os.truncate(join(root, "hole-at-end"), 1 << 20)
    _write(join(root, "hole-at-start"), b"ends\n", 1 << 20)
    os.close(os.open(join(root, "all-hole"), os.O_CREAT | os.O_WRONLY))
    os.truncate(join(root, "all-hole"), (1 << 34) + 5)
    fd = os.open(join(root, "unwritten"), os.O_CREAT | os.O_RDWR)
    ioctls.fallocate(fd, 0, 0, 1 << 20)
    os.pwrite(fd, b"w" * 8192, 65536)
    os.pwrite(fd, b"z" * 100, 300000)
    os.fsync(fd)
    ioctls.fallocate(fd, ioctls.FALLOC_KEEP_SIZE, 1 << 20, 262144)
    ioctls.fallocate(fd, ioctls.FALLOC_KEEP_SIZE | ioctls.FALLOC_PUNCH_HOLE,
                     524288, 65536)
    os.fsync(fd)
    os.close(fd)
    fd = os.open(join(root, "past-the-end"), os.O_CREAT | os.O_RDWR)
    os.pwrite(fd, b"short\n", 0)
    ioctls.fallocate(fd, ioctls.FALLOC_KEEP_SIZE, 65536, 131072)
    os.fsync(fd)
    os.close(fd)
    many = max(10, int(60 * scale))
    fd = os.open(join(root, "many-extents"), os.O_CREAT | os.O_RDWR)
    for i in range(many):
        os.pwrite(fd, b"%08d" % i * 128, i * 2 * BLOCK)
    os.fsync(fd)
    os.close(fd)


def huge(root, scale=1):
    """Offsets up to the last byte that a file can have."""
    del scale
    path = os.path.join(root, "sparse")
    for offset in (0, (1 << 32) - 1, 1 << 41, 1 << 62, (1 << 63) - 2):
        _write(path, b"H", offset)
    path = os.path.join(root, "almost-8-EiB")
    _write(path, b"page", 8192)
    os.truncate(path, (1 << 63) - 4097)


def shared(root, scale=1):
    """Clones, whole and in part, and what writing over them leaves."""
    join = os.path.join
    unit = 65536
    blocks = max(4, int(8 * scale))
    _write(join(root, "source"), _text(b"shared", blocks * unit))
    source = os.open(join(root, "source"), os.O_RDWR)
    for name in ("whole", "whole-again", "broken"):
        fd = os.open(join(root, name), os.O_CREAT | os.O_RDWR)
        ioctls.clone(fd, source)
        if name == "broken":
            for i in range(0, blocks, 2):
                os.pwrite(fd, b"own" * 500, i * unit + 20480)
        os.fsync(fd)
        os.close(fd)
    fd = os.open(join(root, "part"), os.O_CREAT | os.O_RDWR)
    os.pwrite(fd, _text(b"part", 4 * unit), 0)
    ioctls.clone_range(fd, source, unit, unit, unit)
    ioctls.clone_range(fd, source, 2 * unit, unit, 6 * unit)
    os.fsync(fd)
    os.close(fd)
    os.close(source)


def flags(root, scale=1):
    """Inode flags and project numbers (FS_IOC_FSSETXATTR)."""
    del scale
    for name, bits in (("append", 0x10), ("noatime", 0x40), ("nodump", 0x80),
                       ("sync", 0x20), ("immutable", 0x8), ("extsize", 0)):
        path = os.path.join(root, name)
        _write(path, name.encode())
        fd = os.open(path, os.O_RDONLY)
        ioctls.set_fsxattr(fd, xflags=ioctls.get_fsxattr(fd)[0] | bits,
                           projid=123456)
        os.close(fd)


def fragments(root, scale=1):
    """One file of 20,000 * scale extents.  With 1 KiB blocks that is a bmbt of
    two levels below its root; 100,000 and more make the next one."""
    fd = os.open(os.path.join(root, "fragments"), os.O_CREAT | os.O_RDWR)
    unit = os.statvfs(root).f_bsize
    count = int(20000 * scale)
    ioctls.fallocate(fd, 0, 0, count * unit)
    os.fsync(fd)
    for i in range(0, count, 2):  # every second block becomes written
        os.pwrite(fd, b"%016d" % i, i * unit)
    os.fsync(fd)
    os.close(fd)


def wide(root, scale=1):
    """One directory of 10,000 * scale names, then a second that lost most."""
    one = os.path.join(root, "target")
    _write(one, b"")
    path = os.path.join(root, "wide")
    os.mkdir(path)
    for i in range(int(10000 * scale)):
        os.mknod("%s/name-%07d" % (path, i), 0o100644)
    path = os.path.join(root, "mostly-removed")
    os.mkdir(path)
    count = int(10000 * scale)
    for i in range(count):
        os.mknod("%s/name-%07d" % (path, i), 0o100644)
    for i in range(count):
        if i % 997:
            os.unlink("%s/name-%07d" % (path, i))


def inodes(root, scale=1):
    """Many inodes with holes between, for inobt records of all kinds."""
    for d in range(4):
        path = os.path.join(root, str(d))
        os.mkdir(path)
        for i in range(int(400 * scale)):
            os.mknod("%s/%d" % (path, i), 0o100644)
        for i in range(0, int(400 * scale), 3):
            os.unlink("%s/%d" % (path, i))


def stale(root, scale=1):
    """Unwritten blocks over old data: what they hold must never be read."""
    old = os.path.join(root, "old")
    _write(old, b"\xee" * int((24 << 20) * scale))
    fd = os.open(old, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)
    os.unlink(old)
    fd = os.open(os.path.join(root, "new"), os.O_CREAT | os.O_RDWR)
    ioctls.fallocate(fd, 0, 0, int((16 << 20) * scale))
    os.pwrite(fd, b"\x11" * 4096, 1 << 20)
    os.pwrite(fd, b"\x22" * 100, 3 << 20)
    ioctls.fallocate(fd, ioctls.FALLOC_KEEP_SIZE, int((16 << 20) * scale),
                     2 << 20)
    os.fsync(fd)
    os.close(fd)


def roots(root, scale=1):
    """Extent btrees whose root shares the inode with an attribute fork of
    every size: the place of the root's pointers depends on the fork offset."""
    for size in range(0, 230, 12):
        fd = os.open(os.path.join(root, "attribute-%03d" % size),
                     os.O_CREAT | os.O_RDWR)
        if size:
            os.setxattr(fd, "user.a", b"x" * size)
        for i in range(max(20, int(60 * scale))):
            os.pwrite(fd, bytes([i % 255 + 1]) * 1024, i * 8192)
        os.fsync(fd)
        os.close(fd)


def removed_attributes(root, scale=1):
    """Symlinks and files that had to leave the inode for attributes that are
    gone now: their target still stands in a block, though it would fit."""
    del scale
    for length in (100, 200, 297, 330):
        path = os.path.join(root, "symlink-%d" % length)
        os.symlink("t" * length, path)
        for i in range(3):
            os.setxattr(path, "trusted.a%d" % i, b"%040d" % i,
                        follow_symlinks=False)
        for i in range(3):
            os.removexattr(path, "trusted.a%d" % i, follow_symlinks=False)


def value_sizes(root, scale=1):
    """Values around the edges of remote blocks of 1 KiB and 4 KiB, some
    replaced by others of the same, a smaller, or a larger size."""
    del scale
    path = os.path.join(root, "file")
    _write(path, b"")
    sizes = (0, 1, 700, 750, 767, 768, 769, 967, 968, 969, 1023, 1024, 1935,
             1936, 1937, 4039, 4040, 4041, 8080, 8081, 65535, 65536)

    def value(size, seed):
        return bytes((i * 7 + seed) & 255 for i in range(size))
    for size in sizes:
        os.setxattr(path, "user.size-%d" % size, value(size, 1))
    for size in sizes[::2]:
        os.setxattr(path, "user.size-%d" % size, value(size, 2))
    os.setxattr(path, "user.size-65536", value(33, 3))
    os.setxattr(path, "user.size-0", value(65536, 4))


def sparse_chunks(root, scale=1):
    """Leaves free space only in holes of four blocks, so that inode chunks
    must be sparse. Takes all space of the image: the last family of a case."""
    del scale
    fd = os.open(os.path.join(root, "filler"), os.O_CREAT | os.O_RDWR)
    size = 0
    for step in (1 << 20, 4096):
        try:
            while True:
                ioctls.fallocate(fd, 0, size, step)
                size += step
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
    mode = ioctls.FALLOC_KEEP_SIZE | ioctls.FALLOC_PUNCH_HOLE
    for at in range(16384, size - 32768, 36864):
        ioctls.fallocate(fd, mode, at, 16384)
    os.fsync(fd)
    os.close(fd)
    try:
        for i in range(1200):
            os.mknod(os.path.join(root, "f%04d" % i), 0o100644)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise


FAMILIES = {f.__name__: f for f in (
    directories, collided, names, special_files, times, symlinks, links,
    attributes, files, huge, shared, flags, fragments, wide, inodes,
    stale, roots, removed_attributes, value_sizes, sparse_chunks)}


def fill(root, *wanted):
    """`wanted`: names or (name, scale).  The trees' access times are set, so
    that looking at them changes nothing."""
    for each in wanted:
        name, scale = each if isinstance(each, tuple) else (each, 1)
        path = os.path.join(root, name)
        os.mkdir(path)
        FAMILIES[name](path, scale)
    fd = os.open(root, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def main(arguments):
    root = arguments[0]
    fill(root, *[(w.split(":")[0], float((w.split(":") + ["1"])[1]))
                 for w in arguments[1:]])


if __name__ == "__main__":
    os.umask(0o022)
    assert stat.S_ISDIR(os.stat(sys.argv[1]).st_mode)
    main(sys.argv[1:])
