# SPDX-License-Identifier: GPL-2.0-or-later
"""What the daemon's tests share: the sample image, and a directory to work in
that other users may enter."""
import atexit
import contextlib
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../support/python"))

from xfsjudge import driver  # noqa: E402
from xfsjudge import oracle  # noqa: E402
import sample_image  # noqa: E402

NOBODY = 65534


def _new_directory(prefix):
    path = oracle.scratch(prefix)
    os.chmod(path, 0o755)
    return path


@functools.cache
def _sample():
    """One for all classes of a program: no test changes it."""
    directory = _new_directory("sample")
    atexit.register(shutil.rmtree, directory)
    return sample_image.make(directory)


class DaemonCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        oracle.require()
        cls.scratch = _new_directory("daemon")
        cls.image = os.environ.get("FUSEXFS_SAMPLE_IMAGE") or _sample()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="fusexfs-daemon.")
        os.chmod(self.work, 0o755)
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def copy_of_image(self, name):
        """A copy to change, with the image's holes; removed in the end."""
        path = os.path.join(self.scratch, name)
        self.addCleanup(os.unlink, path)
        subprocess.run(["cp", "--sparse=always", self.image, path], check=True)
        return path

    def point(self, name="mnt", owner=None):
        """A new mount point; unmounted and removed in the end."""
        path = os.path.join(self.work, name)
        os.mkdir(path)
        if owner is not None:
            os.chown(path, owner, owner)
        self.addCleanup(self._remove, path)
        return path

    def _remove(self, path):
        while is_mounted(path):
            subprocess.run(["umount", "-l", path], check=False)
        os.rmdir(path)

    def mount(self, *options, image=None, name="mnt"):
        path = self.point(name)
        driver.mount(image or self.image, path,
                     ",".join(("ro",) + options))
        return path


@contextlib.contextmanager
def open_fuse_device():
    """Without udev, /dev/fuse may be root's own; elsewhere it is everybody's."""
    mode = os.stat("/dev/fuse").st_mode & 0o777
    os.chmod("/dev/fuse", 0o666)
    try:
        yield
    finally:
        os.chmod("/dev/fuse", mode)


def run(*command, user=None, **keywords):
    """Runs a program, as root or as another user; never raises."""
    if user is not None:
        command = ("setpriv", "--reuid=%d" % user, "--regid=%d" % user,
                   "--clear-groups") + command
    return subprocess.run(command, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True,
                          timeout=keywords.pop("timeout", 60), **keywords)


def mount_line(path):
    """(source, type, options) from /proc/mounts, or None."""
    with open("/proc/mounts", encoding="utf-8") as mounts:
        for line in mounts:
            words = line.split()
            if words[1] == path:
                return words[0], words[2], words[3].split(",")
    return None


def is_mounted(path):
    return mount_line(path) is not None


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def daemons_of(image):
    """Process ids of the daemons that have `image` open."""
    found = []
    for pid in os.listdir("/proc"):
        if not pid.isdigit():
            continue
        try:
            if os.readlink("/proc/%s/exe" % pid) != os.path.realpath(
                    driver.program("fusexfs")):
                continue
            for fd in os.listdir("/proc/%s/fd" % pid):
                if os.readlink("/proc/%s/fd/%s" % (pid, fd)) == image:
                    found.append(int(pid))
                    break
        except OSError:
            continue
    return found
