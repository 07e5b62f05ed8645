# SPDX-License-Identifier: GPL-2.0-or-later
"""One image for all tests of the daemon: made once by the kernel, with at least
one of everything that a mount shows in a way of its own."""
import os
import socket
import subprocess

from xfsjudge import oracle

BIG_DIRECTORY = 120000
SHREDS = 4000  # extents of one file: their map exceeds 64 KiB
WIDE_TREE = 40  # directories of as many files each


def _write(path, data):
    with open(path, "wb") as new:
        new.write(data)


def _fill(root):
    _write(root + "/hello", b"hello\n")
    _write(root + "/removed", b"")
    _write(root + "/secret", b"only root\n")
    os.chmod(root + "/secret", 0o600)
    os.mkdir(root + "/sub")
    os.chmod(root + "/sub", 0o755)
    os.link(root + "/hello", root + "/sub/linked")
    os.symlink("../hello", root + "/sub/symlink")
    os.mkfifo(root + "/fifo")
    os.mknod(root + "/char", 0o20666, os.makedev(511, 262143))
    with socket.socket(socket.AF_UNIX) as unix:
        here = os.getcwd()
        os.chdir(root)
        unix.bind("socket")
        os.chdir(here)

    data = os.urandom(3 << 20)
    _write(root + "/data", data)
    subprocess.run(["cp", "--reflink=always", root + "/data",
                    root + "/clone"], check=True)
    with open(root + "/clone", "r+b") as clone:  # shared in part
        clone.seek(1 << 20)
        clone.write(os.urandom(65536))
    with open(root + "/sparse", "wb") as sparse:
        for at in (0, 10 << 20, (40 << 20) + 12345):
            sparse.seek(at)
            sparse.write(os.urandom(70000))
        sparse.truncate(64 << 20)
    with open(root + "/unwritten", "wb") as space:
        os.posix_fallocate(space.fileno(), 0, 8 << 20)
        os.pwrite(space.fileno(), b"x" * 4096, 1 << 20)
    with open(root + "/fragments", "wb") as fragments, \
            open(root + "/between", "wb") as between:
        for i in range(700):  # more than two calls of the private ioctl
            os.pwrite(fragments.fileno(), b"f" * 4096, i * 8192)
            os.fsync(fragments.fileno())
            os.pwrite(between.fileno(), b"b" * 4096, i * 4096)
            os.fsync(between.fileno())

    with open(root + "/shreds", "wb") as shreds:  # written, unwritten, ...
        os.posix_fallocate(shreds.fileno(), 0, 4096 * SHREDS)
        for i in range(0, SHREDS, 2):
            os.pwrite(shreds.fileno(), b"s" * 4096, i * 4096)

    os.setxattr(root + "/hello", "user.colour", b"blue")
    os.setxattr(root + "/hello", "user.empty", b"")
    os.setxattr(root + "/hello", "user.big", b"v" * 65536)
    os.setxattr(root + "/hello", "trusted.key", b"\0\1\2")
    _write(root + "/acl", b"for nobody\n")
    os.chmod(root + "/acl", 0o600)
    subprocess.run(["setfacl", "-m", "u:nobody:r", root + "/acl"], check=True)
    _write(root + "/flags", b"flags\n")
    subprocess.run(["chattr", "+dA", root + "/flags"], check=True)
    _write(root + "/immutable", b"immutable\n")
    subprocess.run(["chattr", "+i", root + "/immutable"], check=True)

    os.mkdir(root + "/wide")
    for i in range(WIDE_TREE):
        os.mkdir("%s/wide/d%02d" % (root, i))
        for j in range(WIDE_TREE):
            _write("%s/wide/d%02d/f%02d" % (root, i, j),
                   (b"%d.%d " % (i, j)) * (j * 40))
    os.mkdir(root + "/big")
    for i in range(BIG_DIRECTORY):
        os.close(os.open("%s/big/entry-%06d" % (root, i),
                         os.O_CREAT | os.O_WRONLY))
    os.unlink(root + "/removed")  # its inode is free, and none comes after it


def make(directory):
    """The path of the new image, in `directory` (made by oracle.scratch)."""
    image = os.path.join(directory, "sample.img")
    oracle.mkfs(image, 700 << 20, "-n", "parent=1", "-i", "size=512")
    with oracle.kernel_mount(image, "noatime") as root:
        _fill(root)
    clean, text = oracle.repair_is_clean(image)
    if not clean:
        raise RuntimeError("the sample image is not clean:\n" + text)
    os.chmod(image, 0o644)
    return image
