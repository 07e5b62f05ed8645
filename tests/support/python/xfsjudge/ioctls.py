# SPDX-License-Identifier: GPL-2.0-or-later
"""The system calls that Python's os module lacks, as plain functions.

Facts: <linux/fs.h>, <linux/fiemap.h>, <linux/stat.h>, fs/xfs/libxfs/xfs_fs.h.
Thread-safety: no state.
"""
import ctypes
import errno
import fcntl
import os
import struct

_libc = ctypes.CDLL(None, use_errno=True)

FIEMAP_FLAG_SYNC = 1
FIEMAP_FLAG_XATTR = 2
FIEMAP_EXTENT_LAST = 0x1
FIEMAP_EXTENT_UNWRITTEN = 0x800
FIEMAP_EXTENT_SHARED = 0x2000
FIEMAP_MAX_OFFSET = (1 << 64) - 1

_FS_IOC_FIEMAP = 0xC020660B
_FS_IOC_GETVERSION = 0x80087601
_FS_IOC_FSGETXATTR = 0x801C581F
_FS_IOC_FSSETXATTR = 0x401C5820
_FICLONE = 0x40049409
_FICLONERANGE = 0x4020940D
_XFS_IOC_GOINGDOWN = 0x8004587D
_XFS_IOC_GETPARENTS = 0xC028583E

FALLOC_KEEP_SIZE = 1
FALLOC_PUNCH_HOLE = 2
FALLOC_ZERO_RANGE = 16

AT_FDCWD = -100
AT_SYMLINK_NOFOLLOW = 0x100
STATX_BTIME = 0x800


def fiemap(fd, start=0, length=FIEMAP_MAX_OFFSET, attribute_fork=False,
           batch=2048):
    """The extents as [logical, physical, length, flags], until LAST or the
    end of the range."""
    flags = FIEMAP_FLAG_XATTR if attribute_fork else 0
    end = min(start + length, FIEMAP_MAX_OFFSET)
    extents = []
    while start < end:
        buffer = bytearray(32 + 56 * batch)
        struct.pack_into("=QQLLLL", buffer, 0, start, end - start, flags, 0,
                         batch, 0)
        fcntl.ioctl(fd, _FS_IOC_FIEMAP, buffer, True)
        mapped = struct.unpack_from("=L", buffer, 20)[0]
        for i in range(mapped):
            logical, physical, size, _, _, extent_flags = struct.unpack_from(
                "=QQQQQL", buffer, 32 + 56 * i)
            extents.append([logical, physical, size, extent_flags])
        if mapped < batch or extents[-1][3] & FIEMAP_EXTENT_LAST:
            break
        start = extents[-1][0] + extents[-1][2]
    return extents


def generation(fd):
    buffer = bytearray(8)
    fcntl.ioctl(fd, _FS_IOC_GETVERSION, buffer, True)
    return struct.unpack_from("=L", buffer)[0]


def get_fsxattr(fd):
    """(xflags, extsize, nextents, projid, cowextsize)"""
    buffer = bytearray(28)
    fcntl.ioctl(fd, _FS_IOC_FSGETXATTR, buffer, True)
    return struct.unpack_from("=LLLLL", buffer)


def set_fsxattr(fd, xflags=None, projid=None):
    old = get_fsxattr(fd)
    buffer = struct.pack("=LLLLL8x", old[0] if xflags is None else xflags,
                         old[1], 0, old[3] if projid is None else projid,
                         old[4])
    fcntl.ioctl(fd, _FS_IOC_FSSETXATTR, buffer)


def clone(destination_fd, source_fd):
    fcntl.ioctl(destination_fd, _FICLONE, source_fd)


def clone_range(destination_fd, source_fd, source_offset, length,
                destination_offset):
    fcntl.ioctl(destination_fd, _FICLONERANGE,
                struct.pack("=qQQQ", source_fd, source_offset, length,
                            destination_offset))


def shutdown(path, flush_log=True):
    """Stops the filesystem that `path` is on as a crash would."""
    fd = os.open(path, os.O_RDONLY)
    try:
        fcntl.ioctl(fd, _XFS_IOC_GOINGDOWN,
                    struct.pack("=L", 1 if flush_log else 2))
    finally:
        os.close(fd)


def parents(fd):
    """[parent inode, parent generation, name as bytes], sorted; None where
    the filesystem has no parent pointers."""
    result = []
    cursor = b"\0" * 16
    while True:
        room = ctypes.create_string_buffer(65536)
        request = bytearray(struct.pack("=16sHHLQQ", cursor, 0, 0, len(room),
                                        0, ctypes.addressof(room)))
        try:
            fcntl.ioctl(fd, _XFS_IOC_GETPARENTS, request, True)
        except OSError as error:
            if error.errno in (errno.EOPNOTSUPP, errno.ENOTTY, errno.EINVAL):
                return None
            raise
        cursor, _, out_flags = struct.unpack_from("=16sHH", request)
        if out_flags & 1:  # the root directory has no parent to tell
            return []
        at = 0
        while at + 32 <= len(room):
            gen, ino, record_length = struct.unpack_from("=12xLQL", room, at)
            if record_length < 32:
                break
            name = room.raw[at + 32:at + record_length].split(b"\0", 1)[0]
            result.append([ino, gen, name])
            at += record_length
        if out_flags & 2 or at == 0:
            return sorted(result)


def fallocate(fd, mode, offset, length):
    if _libc.fallocate(ctypes.c_int(fd), ctypes.c_int(mode),
                       ctypes.c_int64(offset), ctypes.c_int64(length)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def birth_time(path):
    """[seconds, nanoseconds], or None where statx does not carry it."""
    buffer = ctypes.create_string_buffer(256)
    if _libc.statx(AT_FDCWD, ctypes.c_char_p(path), AT_SYMLINK_NOFOLLOW,
                   STATX_BTIME, buffer) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    if not struct.unpack_from("=L", buffer)[0] & STATX_BTIME:
        return None
    return list(struct.unpack_from("=qL", buffer, 0x50))
