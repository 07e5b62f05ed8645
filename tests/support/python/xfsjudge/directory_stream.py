# SPDX-License-Identifier: GPL-2.0-or-later
"""readdir, telldir and seekdir of the C library, which Python lacks."""
import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)
_libc.opendir.restype = ctypes.c_void_p
_libc.readdir.restype = ctypes.c_void_p
_libc.readdir.argtypes = [ctypes.c_void_p]
_libc.telldir.restype = ctypes.c_long
_libc.telldir.argtypes = [ctypes.c_void_p]
_libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]
_libc.closedir.argtypes = [ctypes.c_void_p]


class Directory:
    """readdir as C programs use it."""

    def __init__(self, path):
        self.handle = _libc.opendir(path)
        if not self.handle:
            raise OSError(ctypes.get_errno(), "opendir", os.fsdecode(path))

    def next(self):
        """(name, inode, type), or None at the end"""
        ctypes.set_errno(0)
        entry = _libc.readdir(self.handle)
        if not entry:
            if ctypes.get_errno():
                raise OSError(ctypes.get_errno(), "readdir")
            return None
        ino = ctypes.c_uint64.from_address(entry).value
        kind = ctypes.c_uint8.from_address(entry + 18).value
        return ctypes.string_at(entry + 19), ino, kind

    def rest(self):
        return list(iter(self.next, None))

    def tell(self):
        return _libc.telldir(self.handle)

    def seek(self, cookie):
        _libc.seekdir(self.handle, cookie)

    def close(self):
        _libc.closedir(self.handle)
