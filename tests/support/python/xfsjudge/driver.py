# SPDX-License-Identifier: GPL-2.0-or-later
"""Our own driver as the judges see it: `fusexfs IMAGE DIRECTORY`, `ondisk`.

FUSEXFS_BIN names the directory of the programs (build/bin by default).
"""
import contextlib
import errno
import fcntl
import os
import struct
import subprocess
import tempfile
import time

from . import ioctls
from . import manifest

_SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__),
                                       "../../../.."))
BIN = os.environ.get("FUSEXFS_BIN", os.path.join(_SOURCE, "build/bin"))

_MAX_EXTENTS = 291
_FIEMAP_BYTES = 32 + 56 * _MAX_EXTENTS
_IOC_FIEMAP = 3 << 30 | _FIEMAP_BYTES << 16 | 0xFA << 8 | 1  # fusexfs/ioctl.h


def program(name):
    path = os.path.join(BIN, name)
    if not os.access(path, os.X_OK):
        raise RuntimeError("%s is not built: run cmake --build, or set"
                           " FUSEXFS_BIN" % path)
    return path


def fiemap(fd, start=0, length=ioctls.FIEMAP_MAX_OFFSET,
           attribute_fork=False):
    """Like ioctls.fiemap, by the ioctl that reaches a fusexfs mount."""
    flags = ioctls.FIEMAP_FLAG_XATTR if attribute_fork else 0
    extents = []
    while True:
        buffer = bytearray(_FIEMAP_BYTES)
        struct.pack_into("=QQLLLL", buffer, 0, start, length, 1, flags, 0, 0)
        fcntl.ioctl(fd, _IOC_FIEMAP, buffer, True)
        count, more = struct.unpack_from("=LL", buffer, 24)
        for i in range(count):
            logical, physical, size, _, _, extent_flags = struct.unpack_from(
                "=QQQQQL", buffer, 32 + 56 * i)
            extents.append([logical, physical, size, extent_flags])
        if not more:
            return extents
        behind = extents[-1][0] + extents[-1][2]
        if behind <= start:
            raise RuntimeError("FIEMAP does not get on at %d" % start)
        if length != ioctls.FIEMAP_MAX_OFFSET:
            length -= behind - start
            if length <= 0:
                return extents
        start = behind


def paths(path):
    """Every path of a file, by parent pointers, as bytes without the leading
    slash; None where the mount says that the image has none."""
    try:
        raw = os.getxattr(path, b"system.fusexfs.paths",
                          follow_symlinks=False)
    except OSError as error:
        if error.errno == errno.EOPNOTSUPP:
            return None
        raise
    found = []
    for line in raw.split(b"\n")[:-1]:
        line = line.replace(b"\\\\", b"\0").replace(b"\\n", b"\n")
        found.append(line.replace(b"\0", b"\\").lstrip(b"/"))
    return found


def view(point, tolerant=False):
    """The manifest of a fusexfs mount."""
    return manifest.view(
        point, tolerant=tolerant,
        fiemap=lambda path, fd, attribute: fiemap(fd,
                                                  attribute_fork=attribute),
        parents=lambda path, fd: None)


class MountRefused(Exception):
    """Carries what the driver said."""


@contextlib.contextmanager
def mounted(image, *options, log=None, arguments=(), timeout=120,
            cpu_limit=None):
    """Mounts with fusexfs; yields the mount point."""
    point = tempfile.mkdtemp(prefix="fusexfs-mount.")
    wanted = ["ro"] + list(options)
    if log is not None:
        wanted.append("logdev=" + log)
    try:
        mount(image, point, ",".join(wanted), arguments, timeout, cpu_limit)
        yield point
    finally:
        if is_mounted(point):
            unmount(point)
        os.rmdir(point)


def is_mounted(point):
    """os.path.ismount would say no where the daemon has died."""
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        return any(line.split(" ")[1] == point for line in mounts)


def limited(command, cpu_limit):
    """The command, killed by SIGXCPU when it or a daemon that it becomes has
    computed for `cpu_limit` seconds: on a busy machine wall time tells no hang."""
    if cpu_limit is None:
        return command
    return ["prlimit", "--cpu=%d" % cpu_limit, *command]


def mount(image, point, options="ro", arguments=(), timeout=120,
          cpu_limit=None):
    done = subprocess.run(
        limited([program("fusexfs"), "-o", options, *arguments, image, point],
                cpu_limit),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=timeout)
    text = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode != 0:
        if is_mounted(point):
            unmount(point)
        raise MountRefused("exit %d: %s" % (done.returncode, text))
    for _ in range(100):
        if is_mounted(point):
            return text
        time.sleep(0.05)
    raise RuntimeError("fusexfs ended well, but nothing is mounted: " + text)


def unmount(point):
    for _ in range(20):
        done = subprocess.run(["fusermount3", "-u", point],
                              capture_output=True, text=True)
        if done.returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["fusermount3", "-u", "-z", point], check=False)
    raise RuntimeError("fusermount3 -u %s: %s" % (point, done.stderr.strip()))


def ondisk(*arguments, check=True, timeout=300, binary=False, cpu_limit=None):
    done = subprocess.run(limited([program("ondisk"), *arguments], cpu_limit),
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=timeout)
    error = done.stderr.decode("utf-8", "replace")
    out = done.stdout if binary else done.stdout.decode("latin1")
    if check:
        if done.returncode != 0:
            raise RuntimeError("ondisk %s: exit %d: %s" % (
                " ".join(map(os.fsdecode, arguments)), done.returncode, error))
        return out
    return done.returncode, out, error
