# SPDX-License-Identifier: GPL-2.0-or-later
"""Images that are not a plain file of a clean V5 filesystem: within a larger
file or a disk, cut, with a dirty log, of version 4."""
import os
import shutil
import struct
import subprocess
import unittest

import frame
from frame import compare
from frame import driver


class Mounting(frame.ImageTest):
    def setUp(self):
        self.point = os.path.join(self.directory, "mnt")
        os.makedirs(self.point, exist_ok=True)
        self.addCleanup(self.unmount_all)

    def unmount_all(self):
        while os.path.ismount(self.point):
            driver.unmount(self.point)

    def looks_right(self, point=None):
        point = point or self.point
        with open(os.path.join(point, "links/one/name"), "rb") as f:
            self.assertEqual(f.read(), b"a file of four names\n")
        self.assertEqual(len(os.listdir(os.path.join(point,
                                                     "directories/node"))),
                         2500)

    def refused(self, *options, image=None, why=""):
        with self.assertRaises(driver.MountRefused) as caught:
            driver.mount(image or self.image, self.point, ",".join(options))
        self.assertRegex(str(caught.exception), why)


class PlaceTest(Mounting):
    def test_a_cache_limit(self):
        driver.mount(self.image, self.point, "ro,cache=4M")
        self.looks_right()

    def test_a_bad_cache_limit_is_refused(self):
        self.refused("ro", "cache=much", why="cache")

    def test_an_offset_into_a_larger_file(self):
        larger = os.path.join(self.directory, "larger")
        with open(larger, "wb") as out:
            out.write(b"\xab" * 12345)
            out.truncate(1 << 20)
            out.seek(1 << 20)
            with open(self.image, "rb") as image:
                shutil.copyfileobj(image, out)
        self.refused("ro", image=larger, why="(?i)xfs")
        driver.mount(larger, self.point, "ro,offset=1048576")
        self.looks_right()

    def test_a_partition_of_a_disk_image(self):
        disk = os.path.join(self.directory, "disk")
        sectors = os.path.getsize(self.image) // 512
        with open(disk, "wb") as out:
            table = b"".join(
                struct.pack("<B3xB3xLL", 0, 0x83, start, size)
                for start, size in ((2048, 64), (4096, sectors)))
            out.write(b"\0" * 446 + table.ljust(64, b"\0") + b"\x55\xaa")
            out.seek(4096 * 512)
            with open(self.image, "rb") as image:
                shutil.copyfileobj(image, out)
            out.truncate((4096 + sectors + 100) * 512)
        driver.mount(disk, self.point, "ro,partition=2")
        self.looks_right()
        driver.unmount(self.point)
        self.refused("ro", "partition=7", image=disk, why="partition")
        self.refused("ro", "partition=1", image=disk, why="(?i)xfs")


class UntouchedTest(Mounting):
    def test_the_image_is_not_changed_by_a_byte(self):
        def digest():
            return subprocess.run(["sha256sum", self.image], check=True,
                                  capture_output=True).stdout
        before = digest()
        driver.mount(self.image, self.point, "ro")
        driver.view(self.point)
        driver.unmount(self.point)
        self.assertEqual(digest(), before)


class CutTest(Mounting):
    def test_a_cut_image(self):
        path = os.path.join(self.directory, "cut")
        shutil.copyfile(self.image, path)
        os.truncate(path, os.path.getsize(path) - 4096)
        self.refused("ro", image=path, why=r"\d")


class DirtyLogTest(Mounting):
    image_name = "dirty-log"

    def test_it_is_refused_unless_norecovery(self):
        self.refused("ro", why="(?i)log")
        driver.mount(self.image, self.point, "ro,norecovery")
        # What the kernel shows under norecovery, without the log's changes.
        kernel = frame.read_manifest("dirty-log.norecovery")
        self.assertEqual(list(compare.differences(
            kernel, driver.view(self.point),
            ignore=compare.NOT_OVER_FUSE)), [])


class V4Test(Mounting):
    image_name = "tiny-v4"

    def test_it_is_read_as_xfs_db_reads_it(self):
        driver.mount(self.image, self.point, "ro")
        self.assertEqual(list(compare.differences(
            compare.as_mounted(frame.read_manifest(self.image_name)),
            driver.view(self.point), only_expected=True)), [])


if __name__ == "__main__":
    unittest.main()
