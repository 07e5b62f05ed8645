# SPDX-License-Identifier: GPL-2.0-or-later
"""The frame of the tests over a mount: unpacks a golden image, mounts it with
fusexfs, and unmounts by its own path whatever happens.

    class Something(frame.MountedTest):
        image_name = "tiny-v5"

        def test_it(self):
            os.listdir(self.mount)          # bytes and str paths both work
            self.kernel["links/one/name"]   # the kernel's record (manifest.py)
"""
import json
import lzma
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
GOLDEN = os.path.join(SOURCE, "images/golden")
sys.path.insert(0, os.path.join(SOURCE, "tests/support/python"))

from xfsjudge import compare  # noqa: E402,F401
from xfsjudge import driver  # noqa: E402
from xfsjudge import manifest  # noqa: E402


def unpack(name, directory):
    image = os.path.join(directory, name + ".img")
    subprocess.run(["zstd", "-q", "-d", "-f",
                    os.path.join(GOLDEN, name + ".img.zst"), "-o", image],
                   check=True)
    return image


def read_manifest(name):
    with lzma.open(os.path.join(GOLDEN, name + ".manifest.jsonl.xz"),
                   "rt") as lines:
        return [json.loads(line) for line in lines]


def kernel_view(name):
    """path (bytes) -> record"""
    return {manifest.unquote(r["path"]): r for r in read_manifest(name)
            if "path" in r}


class ImageTest(unittest.TestCase):
    """An unpacked golden image, not mounted."""
    image_name = "tiny-v5"

    @classmethod
    def setUpClass(cls):
        if not os.path.exists("/dev/fuse"):
            raise RuntimeError("/dev/fuse is missing: nothing can be mounted")
        cls._directory = tempfile.TemporaryDirectory(prefix="fusexfs-test.")
        cls.directory = cls._directory.name
        cls.addClassCleanup(cls._directory.cleanup)
        cls.image = unpack(cls.image_name, cls.directory)
        cls.kernel = kernel_view(cls.image_name)


class MountedTest(ImageTest):
    """A golden image, mounted once for all tests of the class."""
    mount_options = "ro"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.mount = os.path.join(cls.directory, "mnt")
        os.mkdir(cls.mount)
        driver.mount(cls.image, cls.mount, cls.mount_options)
        cls.addClassCleanup(driver.unmount, cls.mount)

    def path(self, relative):
        return os.path.join(os.fsencode(self.mount), relative)
