"""The ways to mount an image, and what is refused."""
import os
import re
import shutil
import struct
import subprocess
import unittest

import frame
from frame import driver

PATH = driver.BIN + ":" + os.environ["PATH"]


def say(*words, **keywords):
    done = subprocess.run(words, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=60,
                          env={**os.environ, "PATH": PATH}, **keywords)
    return done.returncode, done.stdout


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

    def fstype(self, point=None):
        with open("/proc/self/mountinfo", encoding="utf-8") as lines:
            for line in lines:
                words = line.split()
                if words[4] == (point or self.point):
                    return words[words.index("-") + 1]
        return None


class OptionsTest(Mounting):
    def test_read_only_and_standard_options_pass(self):
        driver.mount(self.image, self.point,
                     "ro,nosuid,nodev,noexec,noatime,allow_other")
        self.looks_right()
        self.assertEqual(self.fstype(), "fuse.fusexfs")

    def test_pptr_fastpath_is_accepted_and_said_to_be_for_writing(self):
        driver.mount(self.image, self.point, "pptr-fastpath")
        self.looks_right()
        self.assertTrue(os.statvfs(self.point).f_flag & os.ST_RDONLY)

    def test_a_cache_limit(self):
        driver.mount(self.image, self.point, "ro,cache=4M")
        self.looks_right()

    def test_a_bad_cache_limit_is_refused(self):
        self.refused("ro", "cache=much", why="cache")

    def test_an_unknown_option_is_refused_by_name(self):
        self.refused("ro", "frobnicate=3", why="frobnicate")

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

    def test_help_and_version(self):
        code, text = say("fusexfs", "--help")
        self.assertEqual(code, 0)
        for option in ("offset=", "logdev=", "partition=", "cache=",
                       "norecovery", "pptr-fastpath", "ro"):
            self.assertIn(option, text)
        code, text = say("fusexfs", "--version")
        self.assertEqual(code, 0)
        self.assertRegex(text, r"\d+\.\d+")

    def test_foreground(self):
        process = subprocess.Popen([driver.program("fusexfs"), "-f", "-o",
                                    "ro", self.image, self.point],
                                   stdin=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.ismount(self.point):
                break
            self.assertIsNone(process.poll())
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
        self.looks_right()
        driver.unmount(self.point)
        self.assertEqual(process.wait(30), 0)


class WaysTest(Mounting):
    def test_mount_t_fuse_fusexfs(self):
        code, text = say("mount", "-t", "fuse.fusexfs", "-o", "ro", self.image,
                         self.point)
        self.assertEqual(code, 0, text)
        self.looks_right()

    def test_fstab(self):
        fstab = os.path.join(self.directory, "fstab")
        with open(fstab, "w", encoding="utf-8") as out:
            out.write("%s %s fuse.fusexfs ro,nosuid 0 0\n" % (self.image,
                                                             self.point))
        code, text = say("mount", "-T", fstab, self.point)
        self.assertEqual(code, 0, text)
        self.looks_right()

    def test_a_normal_user_with_read_permission_only(self):
        os.chmod(self.directory, 0o755)
        os.chmod(self.image, 0o444)
        point = os.path.join(self.directory, "user")
        os.mkdir(point)
        os.chown(point, 65534, 65534)
        as_user = ["setpriv", "--reuid=65534", "--regid=65534",
                   "--clear-groups"]
        before = os.stat(self.image).st_mtime_ns
        code, text = say(*as_user, driver.program("fusexfs"), "-o", "ro",
                         self.image, point)
        self.assertEqual(code, 0, text)
        try:
            code, text = say(*as_user, "cat", point + "/links/one/name")
            self.assertEqual((code, text), (0, "a file of four names\n"))
        finally:
            code, text = say(*as_user, "fusermount3", "-u", point)
        self.assertEqual(code, 0, text)
        self.assertEqual(os.stat(self.image).st_mtime_ns, before)

    def test_many_read_only_mounts_of_one_image_and_of_a_clone(self):
        clone = os.path.join(self.directory, "clone")
        shutil.copyfile(self.image, clone)
        points = []
        try:
            for i, image in enumerate([self.image] * 3 + [clone] * 2):
                point = os.path.join(self.directory, "many%d" % i)
                os.mkdir(point)
                driver.mount(image, point, "ro")
                points.append(point)
            for point in points:
                self.looks_right(point)
        finally:
            for point in points:
                driver.unmount(point)

    def test_a_block_device_mounts_as_fuseblk(self):
        device = subprocess.run(
            ["losetup", "--find", "--show", "--read-only", self.image],
            check=True, capture_output=True, text=True).stdout.strip()
        try:
            driver.mount(device, self.point, "ro")
            self.assertEqual(self.fstype(), "fuseblk")
            self.looks_right()
            subprocess.run(["umount", self.point], check=True)
        finally:
            subprocess.run(["losetup", "-d", device], check=True)

    def test_the_image_is_not_changed_by_a_byte(self):
        def digest():
            return subprocess.run(["sha256sum", self.image], check=True,
                                  capture_output=True).stdout
        before = digest()
        driver.mount(self.image, self.point, "ro")
        driver.view(self.point)
        driver.unmount(self.point)
        self.assertEqual(digest(), before)


class RefusedTest(Mounting):
    def test_what_is_no_image(self):
        for name, data, why in (("empty", b"", "(?i)empty|too small|short|xfs"),
                                ("text", b"hello\n" * 1000, "(?i)xfs"),
                                ("zeros", b"\0" * (1 << 20), "(?i)xfs")):
            path = os.path.join(self.directory, name)
            with open(path, "wb") as out:
                out.write(data)
            self.refused("ro", image=path, why=why)

    def test_an_absent_image_and_an_absent_directory(self):
        self.refused("ro", image="/nonexistent/image", why="/nonexistent")
        code, text = say("fusexfs", self.image, "/nonexistent/mnt")
        self.assertNotEqual(code, 0)
        self.assertIn("/nonexistent/mnt", text)

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
        with open(os.path.join(self.point, "links/one/name"), "rb") as f:
            self.assertEqual(f.read(), b"a file of four names\n")
        self.assertFalse(os.path.exists(os.path.join(self.point, "after")))


class V4Test(Mounting):
    image_name = "tiny-v4"

    def test_it_is_read_only(self):
        driver.mount(self.image, self.point, "ro")
        with open(os.path.join(self.point, "files/small"), "rb") as f:
            self.assertEqual(f.read(), b"a small file\n")


class ToolsTest(frame.MountedTest):
    def test_fiemap(self):
        code, text = say("fusexfs-ctl", "fiemap", self.mount +
                         "/shared/broken")
        self.assertEqual(code, 0, text)
        extents = self.kernel[b"shared/broken"]["fiemap"]
        self.assertEqual(len(re.findall(r"(?m)^\s*\d+:", text)),
                         len(extents), text)
        self.assertEqual(text.count("shared"),
                         sum(bool(e[3] & 0x2000) for e in extents), text)

    def test_parents(self):
        code, text = say("fusexfs-ctl", "parents", self.mount +
                         "/links/two/other-name")
        self.assertEqual(code, 0, text)
        for path in ("links/one/name", "links/two/other-name",
                     "links/one/deep/name"):
            self.assertIn(path, text)

    def test_a_file_that_is_not_on_a_mount(self):
        code, text = say("fusexfs-ctl", "fiemap", "/etc/passwd")
        self.assertNotEqual(code, 0)
        self.assertIn("/etc/passwd", text)


if __name__ == "__main__":
    unittest.main()
