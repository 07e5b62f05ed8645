# SPDX-License-Identifier: GPL-2.0-or-later
"""What a mount shows, where FUSE stands between: names and cookies, handles,
extended attributes, flags, holes, FIEMAP, parents, and all of it from many
processes at once. The kernel's own mount of the same image is the judge."""
import ctypes
import errno
import fcntl
import os
import stat
import struct
import subprocess
import sys
import threading
import unittest

from daemon_case import DaemonCase, NOBODY, driver, oracle, run
import sample_image
from xfsjudge import ioctls

libc = ctypes.CDLL(None, use_errno=True)
libc.opendir.restype = ctypes.c_void_p
libc.telldir.restype = ctypes.c_long
libc.telldir.argtypes = libc.closedir.argtypes = [ctypes.c_void_p]
libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]
libc.readdir.argtypes = [ctypes.c_void_p]


class Dirent(ctypes.Structure):
    _fields_ = [("ino", ctypes.c_uint64), ("off", ctypes.c_int64),
                ("reclen", ctypes.c_ushort), ("type", ctypes.c_ubyte),
                ("name", ctypes.c_char * 256)]


libc.readdir.restype = ctypes.POINTER(Dirent)


class SeeingCase(DaemonCase):
    """Both mounts, side by side."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kernel_mount = oracle.kernel_mount(cls.image, "ro")
        cls.kernel = cls.kernel_mount.__enter__()
        cls.addClassCleanup(cls.kernel_mount.__exit__, None, None, None)
        cls.our_mount = driver.mounted(cls.image, "allow_other")
        cls.ours = cls.our_mount.__enter__()
        cls.addClassCleanup(cls.our_mount.__exit__, None, None, None)

    def both(self, name):
        return self.kernel + "/" + name, self.ours + "/" + name


class Directories(SeeingCase):
    def test_telldir_and_seekdir_over_a_big_directory(self):
        directory = libc.opendir((self.ours + "/big").encode())
        self.addCleanup(libc.closedir, directory)
        seen, places = [], []
        while True:
            place = libc.telldir(directory)
            entry = libc.readdir(directory)
            if not entry:
                break
            places.append(place)
            seen.append((entry.contents.name, entry.contents.ino))
        self.assertEqual(len(seen), sample_image.BIG_DIRECTORY + 2)
        self.assertEqual(len({name for name, _ in seen}), len(seen))
        self.assertEqual(len(set(places)), len(places))
        self.assertTrue(all(0 <= place < 1 << 31 for place in places))
        steps = list(range(0, len(seen), 997)) + [len(seen) - 1]
        for i in reversed(steps):
            libc.seekdir(directory, places[i])
            entry = libc.readdir(directory).contents
            self.assertEqual((entry.name, entry.ino), seen[i])

    def test_listing_is_the_kernels(self):
        for name in ("", "sub", "wide", "wide/d07", "big"):
            theirs, ours = ({(e.name, e.inode(), e.is_dir(), e.is_symlink(),
                              e.is_file()) for e in os.scandir(path)}
                            for path in self.both(name))
            self.assertEqual(ours, theirs)

    def test_dot_and_dot_dot(self):
        directory = libc.opendir((self.ours + "/wide/d00").encode())
        self.addCleanup(libc.closedir, directory)
        first, second = (
            (e.name, e.ino, e.type)
            for e in (libc.readdir(directory).contents for _ in range(2)))
        self.assertEqual(first, (b".", os.stat(
            self.kernel + "/wide/d00").st_ino, 4))
        self.assertEqual(second, (b"..", os.stat(
            self.kernel + "/wide").st_ino, 4))

    def test_root_has_its_own_number(self):
        self.assertEqual(os.stat(self.ours).st_ino,
                         os.stat(self.kernel).st_ino)
        self.assertNotEqual(os.stat(self.ours).st_ino, 1)

    def test_names_that_are_not_there(self):
        for _ in range(2):  # the second is answered from the kernel's memory
            with self.assertRaises(FileNotFoundError):
                os.stat(self.ours + "/nothing")
        for path in self.both("n" * 256):
            with self.assertRaises(OSError) as caught:
                os.stat(path)
            self.assertEqual(caught.exception.errno, errno.ENAMETOOLONG)
        with self.assertRaises(NotADirectoryError):
            os.stat(self.ours + "/hello/x")


class Handles(SeeingCase):
    """What an NFS server does."""

    def handle(self, path):
        buffer = ctypes.create_string_buffer(8 + 128)
        struct.pack_into("=Ii", buffer, 0, 128, 0)
        mount_id = ctypes.c_int()
        if libc.name_to_handle_at(-100, path.encode(), buffer,
                                  ctypes.byref(mount_id), 0) != 0:
            raise OSError(ctypes.get_errno(), path)
        return buffer

    def open(self, buffer, mount=None):
        root = os.open(mount or self.ours, os.O_RDONLY)
        try:
            fd = libc.open_by_handle_at(root, buffer, os.O_RDONLY)
            if fd < 0:
                raise OSError(ctypes.get_errno(), "open_by_handle_at")
            return fd
        finally:
            os.close(root)

    def forget_everything(self):
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as drop:
            drop.write("2\n")

    def test_file_is_found_by_its_handle_alone(self):
        for name in ("hello", "wide/d03/f09", "sub"):
            wanted = os.stat(self.ours + "/" + name)
            buffer = self.handle(self.ours + "/" + name)
            self.forget_everything()
            fd = self.open(buffer)
            self.assertEqual(os.fstat(fd).st_ino, wanted.st_ino)
            os.close(fd)

    def test_handle_of_another_generation_is_stale(self):
        # FUSE's handle: node (two words, low first), generation.
        buffer = self.handle(self.ours + "/wide/d05/f01")
        low, high, generation = struct.unpack_from("=III", buffer, 8)
        number = os.stat(self.ours + "/wide/d05/f01").st_ino
        self.assertIn(number, (low | high << 32, high | low << 32))
        struct.pack_into("=I", buffer, 16, generation ^ 1)
        self.forget_everything()
        with self.assertRaises(OSError) as caught:
            self.open(buffer)
        self.assertEqual(caught.exception.errno, errno.ESTALE)

    def test_handle_of_no_inode_is_stale(self):
        for number in (2, 3, 0x7fffffff, 0xfffffffffffffff0):
            buffer = self.handle(self.ours + "/hello")
            for words in ((number & 0xffffffff, number >> 32),
                          (number >> 32, number & 0xffffffff)):
                struct.pack_into("=II", buffer, 8, *words)
                with self.assertRaises(OSError) as caught:
                    os.close(self.open(buffer))
                self.assertEqual(caught.exception.errno, errno.ESTALE)

    def answer(self, mount, number, generation):
        """What opening the inode by a handle made for it says on a mount: the
        number of what it opened, or the error."""
        buffer = self.handle(mount + "/hello")
        if mount == self.ours:  # FUSE's: node number, high word first
            words = number >> 32, number & 0xffffffff, generation
            struct.pack_into("=III", buffer, 8, *words)
        else:
            kind, = struct.unpack_from("=i", buffer, 4)
            self.assertIn(kind, (1, 0x81))  # XFS's: without and with 64 bits
            struct.pack_into("=QI" if kind == 0x81 else "=II", buffer, 8,
                             number, generation)
        try:
            fd = self.open(buffer, mount)
        except OSError as error:
            return errno.errorcode[error.errno]
        number = os.fstat(fd).st_ino
        os.close(fd)
        return number

    def test_handles_answer_as_the_kernels_do(self):
        def generation_of(name):
            with open(self.kernel + "/" + name, "rb") as file:
                return ioctls.generation(file.fileno())

        names = {"": os.stat(self.kernel).st_ino}  # every inode in use
        for directory, _, _ in os.walk(self.kernel):
            with os.scandir(directory) as entries:
                for entry in entries:
                    names[os.path.relpath(entry.path,
                                          self.kernel)] = entry.inode()
        used = set(names.values())
        hello = names["hello"]
        # A file between was removed at last: its place in the chunk is free.
        free = next(n for n in range(hello, hello + 64) if n not in used)
        blocks = os.statvfs(self.kernel).f_blocks
        with open(self.kernel + "/data", "rb") as file:
            data = ioctls.fiemap(file.fileno())[0][1]
        asked = [(names[name], generation_of(name))
                 for name in ("hello", "wide/d05/f01", "big/entry-100000")]
        asked += [(hello, generation_of("hello") + step & 0xffffffff)
                  for step in (1, -1)]
        # Of no inode: free, inside a file's data, in no block of the image.
        asked += [(number, generation) for generation in (0, 1, 0xdeadbeef)
                  for number in (free, data // 512, blocks * 16, 1 << 31)]
        expected = [self.answer(self.kernel, *one) for one in asked]
        self.assertEqual(expected[:3], [number for number, _ in asked[:3]])
        self.assertEqual(set(expected[3:]), {"ESTALE"})
        self.forget_everything()
        self.assertEqual([self.answer(self.ours, *one) for one in asked],
                         expected)

    def test_generation_is_the_inodes(self):
        get_version = 0x80087601  # FS_IOC_GETVERSION
        answers = []
        for path in self.both("hello"):
            with open(path, "rb") as file:
                buffer = bytearray(8)
                fcntl.ioctl(file, get_version, buffer)
                answers.append(buffer[:4])
        self.assertEqual(*answers)


class Xattrs(SeeingCase):
    def test_values_and_lists_are_the_kernels(self):
        for name in ("hello", "acl", "sub", "data"):
            theirs, ours = self.both(name)
            self.assertEqual(sorted(os.listxattr(ours)),
                             sorted(os.listxattr(theirs)))
            for attribute in os.listxattr(theirs):
                self.assertEqual(os.getxattr(ours, attribute),
                                 os.getxattr(theirs, attribute), attribute)

    def test_probes_and_short_buffers(self):
        for path in self.both("hello"):
            path = path.encode()

            def get(name, size):
                buffer = ctypes.create_string_buffer(size or 1)
                result = libc.getxattr(path, name, buffer if size else None,
                                       ctypes.c_size_t(size))
                return result if result >= 0 else \
                    errno.errorcode[ctypes.get_errno()]

            self.assertEqual(get(b"user.colour", 0), 4)
            self.assertEqual(get(b"user.colour", 3), "ERANGE")
            self.assertEqual(get(b"user.colour", 4), 4)
            self.assertEqual(get(b"user.empty", 0), 0)
            self.assertEqual(get(b"user.big", 0), 65536)
            self.assertEqual(get(b"user.big", 65536), 65536)
            self.assertEqual(get(b"user.none", 0), "ENODATA")
            self.assertEqual(get(b"trusted.key", 100), 3)
            self.assertEqual(libc.listxattr(path, None, 0), len(
                "\0".join(os.listxattr(path))) + 1)
            self.assertEqual(libc.listxattr(
                path, ctypes.create_string_buffer(5), 5), -1)
            self.assertEqual(ctypes.get_errno(), errno.ERANGE)

    def test_trusted_is_listed_for_root_only(self):
        path = self.ours + "/hello"
        self.assertIn("trusted.key", os.listxattr(path))
        names = run("getfattr", "--absolute-names", "-m", "-", path,
                    user=NOBODY)
        self.assertIn("user.colour", names.stdout)
        self.assertNotIn("trusted", names.stdout)

    def test_virtual_ones_answer_and_are_never_listed(self):
        path = self.ours + "/hello"
        self.assertFalse([n for n in os.listxattr(path) if "fusexfs" in n])
        self.assertEqual(os.getxattr(path, "user.fusexfs.paths"),
                         b"/hello\n/sub/linked\n")
        self.assertEqual(
            os.getxattr(self.ours + "/sub/symlink", "system.fusexfs.paths",
                        follow_symlinks=False), b"/sub/symlink\n")
        with open(self.kernel + "/clone", "rb") as file:
            wanted = ioctls.fiemap(file.fileno())
        lines = os.getxattr(self.ours + "/clone", "user.fusexfs.fiemap")
        found = [line.split() for line in lines.decode().splitlines()]
        self.assertEqual([[int(n) for n in words[:3]] for words in found],
                         [extent[:3] for extent in wanted])
        self.assertEqual(found[0][3], "shared")
        self.assertIn("-", [words[3] for words in found])
        self.assertIn("last", found[-1][3])
        with self.assertRaises(OSError) as caught:
            os.getxattr(path, "user.fusexfs.nothing")
        self.assertEqual(caught.exception.errno, errno.ENODATA)

    def test_map_of_too_many_extents_is_too_long_for_an_attribute(self):
        self.assertTrue(os.getxattr(self.ours + "/fragments",
                                    "user.fusexfs.fiemap"))
        path = (self.ours + "/shreds").encode()
        for size in (0, 100, 65536):
            buffer = ctypes.create_string_buffer(size or 1)
            self.assertEqual(
                libc.getxattr(path, b"user.fusexfs.fiemap",
                              buffer if size else None,
                              ctypes.c_size_t(size)), -1)
            self.assertEqual(ctypes.get_errno(), errno.E2BIG, size)

    def test_paths_are_not_for_everybody(self):
        done = run(driver.program("fusexfs-ctl"), "parents",
                   self.ours + "/hello", user=NOBODY)
        self.assertEqual(done.returncode, 1)
        self.assertIn("for root and for the user who mounted", done.stderr)


class Inodes(SeeingCase):
    NAMES = ("hello", "secret", "sub", "sub/symlink", "fifo", "char",
             "socket", "data", "clone", "sparse", "unwritten", "flags",
             "wide", "big", "")

    def test_stat_is_the_kernels(self):
        fields = ("st_ino", "st_mode", "st_nlink", "st_uid", "st_gid",
                  "st_size", "st_blocks", "st_blksize", "st_rdev",
                  "st_atime_ns", "st_mtime_ns", "st_ctime_ns")
        for name in self.NAMES:
            theirs, ours = (os.lstat(path) for path in self.both(name))
            for field in fields:
                self.assertEqual(getattr(ours, field), getattr(theirs, field),
                                 name + " " + field)

    def test_device_number(self):
        device = os.lstat(self.ours + "/char")
        self.assertTrue(stat.S_ISCHR(device.st_mode))
        self.assertEqual((os.major(device.st_rdev), os.minor(device.st_rdev)),
                         (511, 262143))

    def test_statfs_is_the_kernels(self):
        theirs, ours = (os.statvfs(path) for path in self.both(""))
        for field in ("f_bsize", "f_frsize", "f_blocks", "f_bfree", "f_files",
                      "f_ffree", "f_namemax"):
            self.assertEqual(getattr(ours, field), getattr(theirs, field),
                             field)

    def test_flags_as_lsattr_shows_them(self):
        for name in ("flags", "immutable", "hello", "sub"):
            theirs, ours = (run("lsattr", "-d", path).stdout.split()[0]
                            for path in self.both(name))
            self.assertEqual(ours, theirs)
        self.assertIn("i", run("lsattr", self.ours + "/immutable").stdout
                      .split()[0])

    def test_extended_flags(self):
        # Without "sub": of a directory inside its inode the kernel gives a
        # count of extents that has no meaning.
        get = 0x801C581F  # FS_IOC_FSGETXATTR
        for name in ("flags", "immutable", "hello", "big", "fragments"):
            answers = []
            for path in self.both(name):
                fd = os.open(path, os.O_RDONLY)
                buffer = bytearray(28)
                fcntl.ioctl(fd, get, buffer)
                os.close(fd)
                answers.append(bytes(buffer))
            self.assertEqual(*answers, name)

    def test_links(self):
        for name in ("sub/symlink",):
            theirs, ours = (os.readlink(path) for path in self.both(name))
            self.assertEqual(ours, theirs)


class Data(SeeingCase):
    NAMES = ("hello", "data", "clone", "sparse", "unwritten", "fragments")

    def test_content_is_the_kernels(self):
        for name in self.NAMES:
            self.assertEqual(run("cmp", *self.both(name)).returncode, 0, name)

    def test_content_read_directly_and_in_odd_pieces(self):
        for name in self.NAMES:
            theirs, ours = self.both(name)
            size = os.stat(theirs).st_size
            with open(theirs, "rb") as one, open(ours, "rb") as two:
                for at in (0, 1, 4095, 4096, 70000, (1 << 20) - 3,
                           (10 << 20) - 1, size - 10, size, size + 4096):
                    for length in (1, 17, 4097, 300000):
                        at = max(0, at)
                        self.assertEqual(
                            os.pread(two.fileno(), length, at),
                            os.pread(one.fileno(), length, at),
                            "%s %d+%d" % (name, at, length))
            done = run("dd", "if=" + ours, "iflag=direct", "bs=64k",
                       "of=" + self.work + "/copy", "status=none")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(run("cmp", theirs, self.work + "/copy")
                             .returncode, 0)
            os.unlink(self.work + "/copy")

    def test_holes(self):
        # The kernel takes unwritten blocks whose zeros it has in memory for
        # data, so it must not remember any.
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as drop:
            drop.write("3\n")
        for name in self.NAMES:
            answers = []
            for path in self.both(name):
                with open(path, "rb") as file:
                    fd, at, found = file.fileno(), 0, []
                    while True:
                        try:
                            data = os.lseek(fd, at, os.SEEK_DATA)
                        except OSError as error:
                            found.append(errno.errorcode[error.errno])
                            break
                        at = os.lseek(fd, data, os.SEEK_HOLE)
                        found.append((data, at))
                    answers.append(found)
            self.assertEqual(*answers, name)

    def test_fiemap(self):
        for name in self.NAMES:
            theirs, ours = self.both(name)
            with open(theirs, "rb") as one, open(ours, "rb") as two:
                self.assertEqual(driver.fiemap(two.fileno()),
                                 ioctls.fiemap(one.fileno()), name)

    def test_fiemap_of_a_directory_is_refused_as_by_the_kernel(self):
        for path, call in zip(self.both("big"),
                              (ioctls.fiemap, driver.fiemap)):
            fd = os.open(path, os.O_RDONLY)
            with self.assertRaises(OSError) as caught:
                call(fd)
            os.close(fd)
            self.assertEqual(caught.exception.errno, errno.EOPNOTSUPP)

    def test_fiemap_from_behind_the_largest_file_is_too_big(self):
        for start in ((1 << 63) - 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1):
            for length in (1, 1 << 62, (1 << 64) - 1):
                ours, theirs = bytearray(16328), bytearray(32 + 56)
                struct.pack_into("=QQII", ours, 0, start, length, 1, 0)
                struct.pack_into("=QQII", theirs, 0, start, length, 0, 0)
                struct.pack_into("=I", theirs, 24, 1)
                answers = []
                for path, command, buffer in zip(
                        self.both("data"), (0xC020660B, 0xFFC8FA01),
                        (theirs, ours)):
                    with open(path, "rb") as file:
                        with self.assertRaises(OSError) as caught:
                            fcntl.ioctl(file, command, buffer)
                    answers.append(errno.errorcode[caught.exception.errno])
                self.assertEqual(answers, ["EFBIG", "EFBIG"],
                                 "%d+%d" % (start, length))

    def test_fiemap_ioctl_refuses_what_it_does_not_know(self):
        full, small = 0xFFC8FA01, 0xC000FA01 | (32 + 56) << 16
        with open(self.ours + "/hello", "rb") as file:
            def ask(command, version=1, flags=0, length=1 << 60):
                buffer = bytearray(16328)
                struct.pack_into("=QQII", buffer, 0, 0, length, version, flags)
                try:
                    fcntl.ioctl(file, command, buffer)
                except OSError as error:
                    return errno.errorcode[error.errno]
                return struct.unpack_from("=II", buffer, 24)

            self.assertEqual(ask(full), (1, 0))
            self.assertEqual(ask(small), (1, 0))
            self.assertEqual(ask(full, version=2), "ENOTSUP")
            self.assertEqual(ask(full, flags=1 << 30), "ENOTSUP")
            self.assertEqual(ask(full, length=0), "EINVAL")
            self.assertEqual(ask(0xC000FA01 | 40 << 16), "EINVAL")
            self.assertEqual(ask(0xFFC8FA02), "ENOTTY")

    def test_small_calls_add_up_to_the_whole(self):
        small = 0xC000FA01 | (32 + 56 * 3) << 16
        with open(self.ours + "/fragments", "rb") as file:
            start, found = 0, []
            while True:
                buffer = bytearray(32 + 56 * 3)
                struct.pack_into("=QQII", buffer, 0, start, 1 << 60, 1, 0)
                fcntl.ioctl(file, small, buffer)
                count, more = struct.unpack_from("=II", buffer, 24)
                for i in range(count):
                    at, place, size = struct.unpack_from("=QQQ", buffer,
                                                         32 + 56 * i)
                    flags, = struct.unpack_from("=I", buffer, 72 + 56 * i)
                    found.append([at, place, size, flags])
                if not more:
                    break
                start = found[-1][0] + found[-1][2]
            self.assertEqual(found, driver.fiemap(file.fileno()))
            self.assertGreater(len(found), 2 * 291)


class Control(SeeingCase):
    CTL = driver.program("fusexfs-ctl")

    def test_fiemap_is_what_filefrag_prints(self):
        for name in ("hello", "data", "clone", "unwritten", "fragments",
                     "shreds"):
            theirs = run("filefrag", "-v", name, cwd=self.kernel).stdout
            ours = run(self.CTL, "fiemap", name, cwd=self.ours)
            self.assertEqual(ours.returncode, 0, ours.stderr)
            tidy = [line.rstrip() for line in theirs.splitlines()
                    if not line.startswith("Filesystem type")]
            self.assertEqual([line.rstrip() for line in
                              ours.stdout.splitlines()], tidy)

    def test_parents(self):
        done = run(self.CTL, "parents", self.ours + "/hello",
                   self.ours + "/sub/symlink", self.ours + "/fifo",
                   self.ours + "/wide/d01", self.ours)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "/hello\n/sub/linked\n/sub/symlink\n"
                         "/fifo\n/wide/d01\n/\n")

    def test_fiemap_follows_a_link_into_the_mount(self):
        link = self.ours + ".link"
        os.symlink(self.ours + "/data", link)
        self.addCleanup(os.unlink, link)
        done = run(self.CTL, "fiemap", link)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        straight = run(self.CTL, "fiemap", self.ours + "/data").stdout
        self.assertEqual(done.stdout, straight.replace(self.ours + "/data",
                                                       link))

    def test_files_that_are_not_ours(self):
        for command in ("fiemap", "parents"):
            for path in (self.kernel + "/hello", "/proc/version", "/"):
                done = run(self.CTL, command, path)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, "fusexfs-ctl: %s: not on a"
                                 " fusexfs mount\n" % path)
            done = run(self.CTL, command, self.ours + "/nothing")
            self.assertIn("No such file", done.stderr)
        done = run(self.CTL, "fiemap", self.ours + "/fifo")
        self.assertIn("neither a file nor a directory", done.stderr)
        self.assertEqual(run(self.CTL).returncode, 2)
        self.assertEqual(run(self.CTL, "frobnicate").returncode, 2)


class AtOnce(SeeingCase):
    def test_many_walks_and_an_archive(self):
        walks = [subprocess.Popen(
            ["find", self.ours, "-printf", "%P %i %s %m %n %U %G %T@\n"],
            stdout=subprocess.PIPE) for _ in range(6)]
        tar = ["tar", "-C", self.ours, "--xattrs", "--acls", "--sort=name",
               "-cf", "-", "."]
        archives = [subprocess.Popen(tar, stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL)
                    for _ in range(2)]
        results = {}

        def collect(process, key):
            results[key] = process.communicate(timeout=300)[0]

        threads = [threading.Thread(target=collect, args=(process, key))
                   for key, process in enumerate(walks + archives)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        walked = run("find", self.kernel, "-printf",
                     "%P %i %s %m %n %U %G %T@\n", timeout=300).stdout
        wanted = sorted(walked.encode().splitlines())
        for key in range(6):
            self.assertEqual(sorted(results[key].splitlines()), wanted)
        # The two archives are the same to the byte, and the kernel's too.
        tar[2] = self.kernel
        theirs = subprocess.run(tar, capture_output=True, timeout=300).stdout
        for key in (6, 7):
            self.assertEqual(len(results[key]), len(theirs))
            self.assertTrue(results[key] == theirs)

    def test_reads_lookups_and_forgets_race(self):
        stop = threading.Event()
        wrong = []

        def read(seed):
            i = seed
            while not stop.is_set():
                i = (i * 1103515245 + 12345) & 0x7fffffff
                a, b = i % sample_image.WIDE_TREE, i // 64 % \
                    sample_image.WIDE_TREE
                path = "%s/wide/d%02d/f%02d" % (self.ours, a, b)
                with open(path, "rb") as file:
                    if file.read() != (b"%d.%d " % (a, b)) * (b * 40):
                        wrong.append(path)

        def forget():
            while not stop.wait(0.2):
                with open("/proc/sys/vm/drop_caches", "w",
                          encoding="ascii") as drop:
                    drop.write("3\n")

        threads = [threading.Thread(target=read, args=(i,))
                   for i in range(8)] + [threading.Thread(target=forget)]
        for thread in threads:
            thread.start()
        stop.wait(5)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
