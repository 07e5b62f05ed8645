# SPDX-License-Identifier: GPL-2.0-or-later
"""An image that the kernel has mounted too: beside a mount that only reads we
read; what a mount writes to we leave alone, and `ondisk` warns."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import frame
from daemon_case import NOBODY, is_mounted, run
from frame import driver
from xfsjudge import oracle

MIB = 1 << 20


class KernelMountsTest(frame.ImageTest):
    """Two images in one disk: as they are, and as its partitions."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.chmod(cls.directory, 0o755)
        os.chmod(cls.image, 0o644)
        cls.size = -(-os.path.getsize(cls.image) // MIB) * MIB
        cls.disk = os.path.join(cls.directory, "disk.img")
        starts = cls.starts = [MIB, 2 * MIB + cls.size]
        with open(cls.disk, "wb") as disk:
            disk.truncate(starts[1] + cls.size + MIB)
            for start in starts:
                disk.seek(start)
                with open(cls.image, "rb") as image:
                    shutil.copyfileobj(image, disk)
        subprocess.run(
            ["sfdisk", "--quiet", cls.disk], check=True, text=True,
            capture_output=True,
            input="label: gpt\n" + "".join(
                "start=%d, size=%d\n" % (start // 512, cls.size // 512)
                for start in starts))

    def point(self):
        path = tempfile.mkdtemp(prefix="point.", dir=self.directory)
        self.addCleanup(self._remove, path)
        return path

    @staticmethod
    def _remove(path):
        if is_mounted(path):
            oracle.unmount(path)
        os.rmdir(path)

    def kernel_mount(self, source, options):
        path = self.point()
        oracle.attach(["mount", "-t", "xfs", "-o", "nouuid," + options, source,
                       path])
        return path

    def attached(self, *arguments):
        device = oracle.attach(["losetup", "--find", "--show", *arguments])
        self.addCleanup(run, "losetup", "-d", device)
        return device

    def refused(self, kernel, image, *options):
        """By root, and by a user who may not ask the loop device (who, if it
        is the image, may not read it either)."""
        for user in (None,) if image.startswith("/dev/") else (None, NOBODY):
            path = self.point()
            if user is not None:
                os.chown(path, user, user)
            done = run(driver.program("fusexfs"), image, path, "-o",
                       ",".join(("ro",) + options), user=user)
            self.assertEqual(done.returncode, 32, done.stderr)
            self.assertIn("is mounted read-write on " + kernel, done.stderr)
            self.assertRegex(done.stderr, r"xfs on /dev/loop\d+")
            self.assertFalse(is_mounted(path))
        return done.stderr

    def accepted(self, image, *options):
        path = self.point()
        driver.mount(image, path, ",".join(("ro",) + options))
        self.assertTrue(os.listdir(path))
        driver.unmount(path)

    def test_written_image_is_refused_and_ondisk_warns(self):
        kernel = self.kernel_mount(self.image, "loop")
        self.refused(kernel, self.image)
        _, said, warning = driver.ondisk("ls", self.image, "/", check=False)
        self.assertIn("mounted read-write on " + kernel, warning)
        self.assertIn("half old, half new", warning)
        self.assertTrue(said)
        oracle.unmount(kernel)
        self.accepted(self.image)
        self.assertEqual(driver.ondisk("ls", self.image, "/", check=False),
                         (0, said, ""))

    def test_another_name_of_the_written_image_is_the_same_image(self):
        other = os.path.join(self.directory, "other name")
        os.link(self.image, other)
        self.addCleanup(os.unlink, other)
        self.refused(self.kernel_mount(self.image, "loop"), other)

    def test_image_that_is_only_read_or_only_attached_is_fine(self):
        self.attached(self.image)
        self.accepted(self.image)
        self.kernel_mount(self.image, "loop,ro")
        self.accepted(self.image)
        self.assertEqual(
            driver.ondisk("ls", self.image, "/", check=False)[2], "")

    def test_neighbour_of_a_written_window_is_fine(self):
        kernel = self.kernel_mount(
            self.disk, "loop,offset=%d,sizelimit=%d" % (self.starts[0],
                                                        self.size))
        self.refused(kernel, self.disk, "offset=%d" % self.starts[0])
        self.refused(kernel, self.disk, "partition=1")
        self.accepted(self.disk, "offset=%d" % self.starts[1])
        self.accepted(self.disk, "partition=2")
        _, _, warning = driver.ondisk(
            "ls", "--partition", "1", self.disk, "/", check=False)
        self.assertIn("mounted read-write on " + kernel, warning)

    def test_neighbour_of_a_written_partition_is_fine(self):
        device = self.attached("--partscan", self.disk)
        part = device + "p2"
        if not os.path.exists(part):  # a kernel that cannot read this table
            subprocess.run(["partx", "--add", device], check=True)
        kernel = self.kernel_mount(part, "rw")
        for image in (self.disk, device):
            options = "partition=2", "offset=%d" % self.starts[1]
            for option in options:
                done = self.refused(kernel, image, option)
                self.assertIn("(xfs on %s)" % part, done)
            self.accepted(image, "partition=1")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
