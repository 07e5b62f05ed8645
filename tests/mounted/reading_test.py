# SPDX-License-Identifier: GPL-2.0-or-later
"""What programs ask of a mounted image: directories, attributes, errors."""
import ctypes
import errno
import os
import threading
import unittest

import frame
from frame import driver
from frame import manifest
from xfsjudge.directory_stream import Directory  # noqa: E402


_libc = ctypes.CDLL(None, use_errno=True)


class DirectoriesTest(frame.MountedTest):
    FORMS = (b"directories/short", b"directories/block", b"directories/leaf",
             b"directories/node", b"directories/holes", b"collided/node",
             b"names", b".")

    def test_dots_come_first_with_their_inodes(self):
        for path in self.FORMS:
            directory = Directory(self.path(path))
            self.assertEqual([directory.next()[:2], directory.next()[:2]], [
                (b".", self.kernel[path]["ino"]),
                (b"..", self.kernel[os.path.dirname(path) or b"."]["ino"])])
            directory.close()

    def test_each_cookie_leads_to_the_entry_behind_it(self):
        for path in self.FORMS:
            directory = Directory(self.path(path))
            cookies = []
            names = []
            while True:
                cookies.append(directory.tell())
                entry = directory.next()
                if entry is None:
                    break
                names.append(entry)
            self.assertEqual(len(set(names)), len(names), path)
            self.assertEqual(len(set(cookies)), len(cookies), path)
            for at in {0, 1, 2, len(names) // 3, len(names) // 2,
                       len(names) - 1, len(names)}:
                directory.seek(cookies[at])
                self.assertEqual(directory.rest(), names[at:],
                                 "%r from entry %d" % (path, at))
            directory.close()

    def test_cookies_outlive_the_handle(self):
        path = self.path(b"directories/node")
        first = Directory(path)
        for _ in range(1234):
            first.next()
        cookie = first.tell()
        expected = first.rest()
        first.close()
        second = Directory(path)
        second.next()
        second.seek(cookie)
        self.assertEqual(second.rest(), expected)
        second.close()

    def test_absent_names_are_absent(self):
        for path in self.FORMS:
            for name in (b"nosuch", b"b" * 20, b"entry-00000", b"x" * 255):
                full = self.path(path + b"/" + name)
                if path + b"/" + name in self.kernel:
                    continue
                with self.assertRaises(FileNotFoundError):
                    os.lstat(full)

    def test_a_name_of_256_bytes_is_too_long(self):
        with self.assertRaises(OSError) as caught:
            os.lstat(self.path(b"n" * 256))
        self.assertEqual(caught.exception.errno, errno.ENAMETOOLONG)

    def test_equal_hash_names_lead_to_their_own_files(self):
        for path, record in self.kernel.items():
            if path.startswith(b"collided/"):
                s = os.lstat(self.path(path))
                self.assertEqual(s.st_ino, record["ino"], path)


class AttributesTest(frame.MountedTest):
    def test_size_probe_then_value(self):
        path = self.path(b"attributes/largest")
        self.assertEqual(_libc.getxattr(path, b"user.largest", None, 0), 65536)
        buffer = ctypes.create_string_buffer(65535)
        self.assertEqual(_libc.getxattr(path, b"user.largest", buffer, 65535),
                         -1)
        self.assertEqual(ctypes.get_errno(), errno.ERANGE)

    def test_list_probe_and_range(self):
        path = self.path(b"attributes/short")
        size = _libc.listxattr(path, None, 0)
        expected = sum(len(n) + 1 for n in
                       self.kernel[b"attributes/short"]["xattrs"])
        self.assertEqual(size, expected)
        buffer = ctypes.create_string_buffer(size - 1)
        self.assertEqual(_libc.listxattr(path, buffer, size - 1), -1)
        self.assertEqual(ctypes.get_errno(), errno.ERANGE)

    def test_absent_attribute(self):
        for name in ("user.nosuch", "trusted.nosuch", "security.nosuch",
                     "user." + "x" * 250):
            with self.assertRaises(OSError) as caught:
                os.getxattr(self.path(b"attributes/node"), name)
            self.assertEqual(caught.exception.errno, errno.ENODATA, name)

    def test_virtual_attributes_answer_and_are_not_listed(self):
        path = self.path(b"links/one/name")
        for name in ("user.fusexfs.fiemap", "user.fusexfs.paths"):
            self.assertTrue(os.getxattr(path, name))
            self.assertNotIn(name, os.listxattr(path))

    def test_paths_of_a_file_of_four_names(self):
        self.assertEqual(
            sorted(driver.paths(self.path(b"links/one/name"))),
            sorted([b"links/one/name", b"links/two/other-name",
                    b"links/three/" + b"long-name-" * 20,
                    b"links/one/deep/name"]))

    def test_fiemap_attribute_tells_the_shared_extent(self):
        kernel = self.kernel[b"shared/whole"]["fiemap"]
        text = os.getxattr(self.path(b"shared/whole"),
                           "user.fusexfs.fiemap").decode()
        lines = [line.split() for line in text.splitlines()]
        self.assertEqual([[int(w) for w in line[:3]] for line in lines],
                         [e[:3] for e in kernel])
        self.assertIn("shared", lines[0][3])
        self.assertIn("last", lines[-1][3])


class AccessTest(frame.MountedTest):
    def test_writing_is_refused_as_read_only(self):
        attempts = (
            lambda: os.open(self.path(b"files/text"), os.O_WRONLY),
            lambda: os.mkdir(self.path(b"new")),
            lambda: os.unlink(self.path(b"files/text")),
            lambda: os.chmod(self.path(b"files/text"), 0o600),
            lambda: os.setxattr(self.path(b"files/text"), "user.a", b""),
            lambda: os.truncate(self.path(b"files/text"), 0),
            lambda: os.rename(self.path(b"files/text"), self.path(b"x")),
            lambda: os.link(self.path(b"files/text"), self.path(b"y")),
            lambda: os.symlink("x", self.path(b"z")))
        for attempt in attempts:
            with self.assertRaises(OSError) as caught:
                attempt()
            self.assertEqual(caught.exception.errno, errno.EROFS)

    def test_reading_beyond_the_end_gives_nothing(self):
        fd = os.open(self.path(b"files/text"), os.O_RDONLY)
        self.assertEqual(os.pread(fd, 100, 70001), b"")
        self.assertEqual(os.pread(fd, 100, 1 << 62), b"")
        self.assertEqual(len(os.pread(fd, 100, 69990)), 11)
        os.close(fd)

    def test_seek_beyond_the_end_is_enxio(self):
        fd = os.open(self.path(b"files/text"), os.O_RDONLY)
        for whence in (os.SEEK_DATA, os.SEEK_HOLE):
            with self.assertRaises(OSError) as caught:
                os.lseek(fd, 70001, whence)
            self.assertEqual(caught.exception.errno, errno.ENXIO)
        os.close(fd)

    def test_eight_threads_read_the_same_tree(self):
        errors = []

        def look():
            try:
                found = {manifest.unquote(r["path"]): r
                         for r in driver.view(self.mount) if "path" in r}
                for path in (b"shared/broken", b"attributes/mixed",
                             b"directories/node", b"files/many-extents"):
                    for name in ("xattrs", "fiemap", "sha256", "entries"):
                        if found[path].get(name) != \
                                self.kernel[path].get(name):
                            errors.append((path, name))
            except Exception as error:  # noqa: BLE001  told by the assert
                errors.append(error)
        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])


if __name__ == "__main__":
    unittest.main()
