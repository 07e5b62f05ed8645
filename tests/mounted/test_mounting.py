# SPDX-License-Identifier: GPL-2.0-or-later
"""How a mount comes into being and goes: as root, as a user, by mount(8), on
block devices, many at once; what is said when it does not."""
import errno
import os
import shutil
import signal
import subprocess
import sys
import unittest

from daemon_case import (DaemonCase, NOBODY, daemons_of, driver, is_mounted,
                         mount_line, open_fuse_device, oracle, run,
                         wait_until)
from xfsjudge import ioctls

FUSEXFS = driver.program("fusexfs")


class AsRoot(DaemonCase):
    def test_shows_up_as_fuse_with_the_image_as_source(self):
        source, kind, options = mount_line(self.mount())
        self.assertEqual(source, self.image)
        self.assertEqual(kind, "fuse")
        self.assertIn("ro", options)

    def test_is_in_the_background_and_holds_nothing(self):
        path = self.point()
        # If the daemon kept an end of the pipes, this would not return.
        done = run(FUSEXFS, self.image, path, "-o", "ro", timeout=30)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "", ""))
        self.assertTrue(os.path.exists(path + "/hello"))
        # The fusermount3 that waits for the daemon's end holds nothing either.
        path = self.point("second")
        done = run(FUSEXFS, self.image, path, "-o", "ro,auto_unmount",
                   timeout=30)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "", ""))
        self.assertTrue(os.path.exists(path + "/hello"))

    def test_a_limit_of_reads_is_agreed_with_the_kernel(self):
        path = self.mount("max_read=65536")
        self.assertIn("max_read=65536", mount_line(path)[2])
        plain = self.mount(name="plain")
        self.assertEqual(run("cmp", path + "/data", plain + "/data")
                         .returncode, 0)

    def test_says_so_when_read_only_was_not_asked_for(self):
        for name, options in (("plain", []), ("rw", ["-o", "rw"])):
            path = self.point(name)
            done = run(FUSEXFS, self.image, path, *options)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(
                done.stderr,
                "fusexfs: mounted read-only: this version does not write\n")
            self.assertIn("ro", mount_line(path)[2])

    def test_accepts_pptr_fastpath_and_says_what_it_does(self):
        done = run(FUSEXFS, self.image, self.point(), "-o",
                   "ro,pptr-fastpath")
        self.assertEqual(done.returncode, 0)
        self.assertIn("pptr-fastpath has no effect on a read-only mount",
                      done.stderr)

    def test_nothing_can_be_changed(self):
        path = self.mount()
        for change in (lambda: open(path + "/new", "w"),
                       lambda: open(path + "/hello", "a"),
                       lambda: os.unlink(path + "/hello"),
                       lambda: os.mkdir(path + "/d"),
                       lambda: os.chmod(path + "/hello", 0o777),
                       lambda: os.utime(path + "/hello"),
                       lambda: os.setxattr(path + "/hello", "user.a", b"1"),
                       lambda: os.rename(path + "/hello", path + "/x")):
            with self.assertRaises(OSError) as caught:
                change()
            self.assertEqual(caught.exception.errno, 30)  # EROFS

    def test_relative_image_is_found_again_from_the_root(self):
        path = self.point()
        done = run(FUSEXFS, os.path.basename(self.image), path, "-o", "ro",
                   cwd=os.path.dirname(self.image))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(mount_line(path)[0], self.image)

    def test_image_with_a_comma_and_a_blank_in_its_name(self):
        odd = self.scratch + "/a,b c\\d.img"
        os.link(self.image, odd)
        self.addCleanup(os.unlink, odd)
        path = self.point()
        done = run(FUSEXFS, odd, path, "-o", "ro")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(mount_line(path)[0],
                         self.scratch + "/a,b\\040c\\134d.img")

    def test_names_and_types_can_be_chosen(self):
        path = self.mount("fsname=my,subtype=xfs")
        self.assertEqual(mount_line(path)[:2], ("my", "fuse.xfs"))

    def test_flags_of_mount_reach_the_kernel(self):
        options = mount_line(self.mount("noexec,noatime"))[2]
        for word in ("noexec", "noatime", "nosuid", "nodev"):
            self.assertIn(word, options)
        options = mount_line(self.mount("dev,suid", name="second"))[2]
        self.assertNotIn("nosuid", options)
        self.assertNotIn("nodev", options)

    def test_permissions_of_files_hold_for_other_users(self):
        path = self.mount("allow_other")
        self.assertEqual(run("cat", path + "/hello", user=NOBODY).stdout,
                         "hello\n")
        self.assertIn("Permission denied",
                      run("cat", path + "/secret", user=NOBODY).stderr)
        # The ACL lets nobody read; another user has no entry.
        self.assertEqual(run("cat", path + "/acl", user=NOBODY).stdout,
                         "for nobody\n")
        self.assertIn("Permission denied",
                      run("cat", path + "/acl", user=12345).stderr)

    def test_without_allow_other_nobody_else_enters(self):
        self.assertIn("Permission denied",
                      run("ls", self.mount(), user=NOBODY).stderr)

    def test_single_threaded_and_small_cache(self):
        path = self.point()
        done = run(FUSEXFS, "-s", self.image, path, "-o", "ro,cache=1M")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(os.listdir(path + "/wide")), 40)


class Refusals(DaemonCase):
    def refused(self, *arguments, code=32):
        done = run(FUSEXFS, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertTrue(done.stderr.startswith("fusexfs: "), done.stderr)
        return done.stderr

    def test_command_line(self):
        self.assertIn("which image", self.refused(code=1))
        self.assertIn("where", self.refused(self.image, code=1))
        path = self.point()
        for options, word in (("ro,frobnicate", "frobnicate"),
                              ("cache=lots", "cache=lots"),
                              ("partition=0", "partition=0"),
                              ("offset=4096,partition=1", "offset="),
                              ("remount", "remount"),
                              ("refcount=rcu2", "refcount=")):
            said = self.refused(self.image, path, "-o", options, code=1)
            self.assertIn(word, said)
            self.assertFalse(is_mounted(path))
        self.assertIn("--frob", self.refused("--frob", self.image, path,
                                             code=1))

    def test_mount_point(self):
        self.assertIn("No such file", self.refused(
            self.image, self.work + "/nowhere"))
        plain = self.work + "/plain"
        open(plain, "w").close()
        self.addCleanup(os.unlink, plain)
        self.assertIn("not a directory", self.refused(self.image, plain))

    def test_what_is_no_xfs_image(self):
        path = self.point()
        junk = self.scratch + "/junk"
        self.addCleanup(os.unlink, junk)
        for content in (b"", b"\0" * 512, b"XFSB", os.urandom(1 << 20)):
            with open(junk, "wb") as new:
                new.write(content)
            self.refused(junk, path)
            self.assertFalse(is_mounted(path))
        self.assertIn("No such file", self.refused("/no/such/image", path))
        self.refused("/dev/null", path)
        self.refused(self.work, path)
        self.assertIn("partition", self.refused(self.image, path, "-o",
                                                "partition=1"))
        self.refused(self.image, path, "-o", "offset=1M")

    def test_block_device_options_on_a_file(self):
        self.assertIn("no block device", self.refused(
            self.image, self.point(), "-o", "blkdev"))

    def test_dead_mount_in_the_way(self):
        path = self.mount()
        for pid in daemons_of(self.image):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not daemons_of(self.image))
        self.assertIn("fusermount3 -u", self.refused(self.image, path))


class AsUser(DaemonCase):
    """Needs fusermount3 (setuid) and a /dev/fuse that users may open, as every
    distribution has them."""

    def setUp(self):
        super().setUp()
        device = open_fuse_device()
        device.__enter__()
        self.addCleanup(device.__exit__, None, None, None)

    def test_mounts_reads_everything_and_unmounts(self):
        path = self.point(owner=NOBODY)
        done = run(FUSEXFS, self.image, path, "-o", "ro", user=NOBODY)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(mount_line(path)[1], "fuse")
        # It is the user's own view of an image that they can read anyway.
        self.assertEqual(run("cat", path + "/secret", user=NOBODY).stdout,
                         "only root\n")
        walk = run("find", path + "/wide", "-type", "f", user=NOBODY)
        self.assertEqual(walk.stdout.count("\n"), 1600)
        # trusted.* is for root.
        names = run("getfattr", "-m", "-", path + "/hello", user=NOBODY)
        self.assertIn("user.colour", names.stdout)
        self.assertNotIn("trusted", names.stdout)
        # Others, even root, stay out.
        with self.assertRaises(PermissionError):
            os.listdir(path)
        parents = run(driver.program("fusexfs-ctl"), "parents",
                      path + "/hello", user=NOBODY)
        self.assertEqual(parents.stdout, "/hello\n/sub/linked\n")
        done = run("fusermount3", "-u", path, user=NOBODY)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(wait_until(lambda: not daemons_of(self.image)))

    def test_default_permissions_can_be_asked_for(self):
        path = self.point(owner=NOBODY)
        done = run(FUSEXFS, self.image, path, "-o", "ro,default_permissions",
                   user=NOBODY)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Permission denied",
                      run("cat", path + "/secret", user=NOBODY).stderr)

    def test_image_that_the_user_may_not_read(self):
        private = self.copy_of_image("private.img")
        os.chmod(private, 0o600)
        path = self.point(owner=NOBODY)
        done = run(FUSEXFS, private, path, "-o", "ro", user=NOBODY)
        self.assertEqual(done.returncode, 32)
        self.assertIn("Permission denied", done.stderr)


class ByMount(DaemonCase):
    """mount(8) calls mount.fuse3, which finds the program in the usual places;
    so it is put into one of them, in a mount namespace of our own."""

    def in_namespace(self, script, user=None):
        as_user = "" if user is None else \
            "setpriv --reuid=%d --regid=%d --clear-groups " % (user, user)
        return run("unshare", "--mount", "sh", "-c", """
            mount -t tmpfs none /usr/local/sbin
            ln -s "$1" /usr/local/sbin/fusexfs
            touch "$3" && mount --bind "$3" /etc/fstab
            """ + as_user + """ sh -c '""" + script + """' sh "$2" "$4"
            """, "sh", FUSEXFS, self.image, self.fstab, self.mnt)

    def setUp(self):
        super().setUp()
        self.mnt = self.point()
        self.fstab = self.scratch + "/fstab"
        self.write_fstab("")
        self.addCleanup(os.unlink, self.fstab)

    def write_fstab(self, options):
        with open(self.fstab, "w", encoding="utf-8") as new:
            new.write("%s %s fuse.fusexfs %s 0 0\n" % (
                self.image, self.mnt, options or "noauto"))

    def test_mount_t(self):
        done = self.in_namespace("""mount -t fuse.fusexfs -o ro,noexec $1 $2 &&
            grep " $2 " /proc/mounts && cat $2/hello && umount $2""")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, "^%s %s fuse ro,.*noexec.*\nhello\n$" % (
            self.image, self.mnt))

    def test_failure_reaches_the_caller(self):
        done = self.in_namespace("mount -t fuse.fusexfs /no/such/image $2")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("No such file", done.stderr)
        done = self.in_namespace("mount -t fuse.fusexfs -o ro,frob $1 $2")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("frob: unknown", done.stderr)

    def test_fstab(self):
        self.write_fstab("defaults,ro,noauto,nofail,_netdev,relatime,"
                         "x-systemd.requires=/,allow_other,cache=32M")
        done = self.in_namespace("""mount $2 && grep " $2 " /proc/mounts &&
            setpriv --reuid=65534 cat $2/hello && umount $2""")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("allow_other", done.stdout)
        self.assertIn("hello\n", done.stdout)

    def test_mount_all_does_not_mount_twice(self):
        self.write_fstab("ro")
        done = self.in_namespace("""mount -a -t fuse.fusexfs &&
            mount -a -t fuse.fusexfs && grep -c " $2 " /proc/mounts
            umount $2""")
        self.assertEqual((done.stdout, done.stderr), ("1\n", ""))

    def test_user_mounts_from_fstab(self):
        os.chown(self.mnt, NOBODY, NOBODY)
        self.write_fstab("ro,noauto,user")
        with open_fuse_device():
            done = self.in_namespace(
                "mount $2 && cat $2/hello && fusermount3 -u $2", user=NOBODY)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "hello\n", ""))

    def test_called_as_a_mount_helper(self):
        helper = self.scratch + "/mount.fusexfs"
        os.symlink(FUSEXFS, helper)
        self.addCleanup(os.unlink, helper)
        path = self.mnt
        done = run(helper, self.image, path, "-s", "-n", "-v", "-o", "ro")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(is_mounted(path))


class OnBlockDevices(DaemonCase):
    def loop(self, *arguments):
        device = oracle.attach(["losetup", "--find", "--show", *arguments])
        self.addCleanup(run, "losetup", "-d", device)
        return device

    def test_is_fuseblk_and_umount_waits_for_the_daemon(self):
        device = self.loop("--read-only", self.image)
        path = self.point()
        done = run(FUSEXFS, device, path, "-o", "ro")
        self.assertEqual(done.returncode, 0, done.stderr)
        source, kind, options = mount_line(path)
        self.assertEqual((source, kind), (device, "fuseblk"))
        self.assertIn("blksize=4096", options)
        self.assertTrue(os.path.exists(path + "/hello"))
        self.assertEqual(run("umount", path).returncode, 0)

    def test_second_mount_of_a_device_is_plain_fuse(self):
        device = self.loop("--read-only", self.image)
        first, second = self.point("first"), self.point("second")
        for path, kind in ((first, "fuseblk"), (second, "fuse")):
            done = run(FUSEXFS, device, path, "-o", "ro")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(mount_line(path)[1], kind)
        done = run(FUSEXFS, device, self.point("third"), "-o", "ro,blkdev")
        self.assertEqual(done.returncode, 32)
        self.assertIn("in use", done.stderr)
        self.assertEqual(run("umount", first).returncode, 0)
        with open(second + "/hello", "rb") as file:
            self.assertEqual(file.read(), b"hello\n")
        self.assertEqual(run("umount", second).returncode, 0)

    def test_sectors_of_4096_bytes(self):
        device = self.loop("--read-only", "--sector-size", "4096", self.image)
        path = self.point()
        done = run(FUSEXFS, device, path, "-o", "ro")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(mount_line(path)[1], "fuseblk")
        self.assertEqual(run("umount", path).returncode, 0)

    def test_an_offset_keeps_it_fuseblk_and_a_name_does_not(self):
        larger = self.copy_of_image("larger.img")
        run("fallocate", "--insert-range", "--offset", "0", "--length", "1M",
            larger)
        device = self.loop("--read-only", larger)
        for name, options, kind in (("a", "offset=1M", "fuseblk"),
                                    ("b", "offset=1M,fsname=x", "fuse")):
            path = self.point(name)
            done = run(FUSEXFS, device, path, "-o", "ro," + options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(mount_line(path)[1], kind)
            self.assertTrue(os.path.exists(path + "/hello"))
            self.assertEqual(run("umount", path).returncode, 0)
        done = run(FUSEXFS, device, self.point("c"), "-o",
                   "ro,offset=1M,blkdev,fsname=x")
        self.assertEqual(done.returncode, 1)

    def test_device_that_the_kernel_writes_to_is_refused(self):
        copy = self.copy_of_image("copy.img")
        device = self.loop(copy)
        kernel, path = self.point("kernel"), self.point()
        oracle.attach(["mount", "-t", "xfs", "-o", "nouuid", device, kernel])
        done = run(FUSEXFS, device, path, "-o", "ro")
        self.assertEqual(done.returncode, 32)
        self.assertIn("is mounted read-write on " + kernel, done.stderr)
        self.assertEqual(run("umount", kernel).returncode, 0)


class SideBySide(DaemonCase):
    def test_one_image_many_times_and_clones_with_its_uuid(self):
        clone = self.copy_of_image("clone.img")
        paths = [self.mount(name="a"), self.mount(name="b"),
                 self.mount(name="c", image=clone)]
        for path in paths:
            self.assertEqual(os.stat(path).st_ino,
                             os.stat(paths[0]).st_ino)
            with open(path + "/hello", "rb") as file:
                self.assertEqual(file.read(), b"hello\n")
        driver.unmount(paths[0])
        self.assertEqual(len(os.listdir(paths[1] + "/wide")), 40)

    def test_wait_returns_when_the_last_mount_has_gone(self):
        first, second = self.mount(name="a"), self.mount(name="b")
        with subprocess.Popen([driver.program("fusexfs-ctl"), "wait",
                               self.image]) as waiting:
            driver.unmount(first)
            with self.assertRaises(subprocess.TimeoutExpired):
                waiting.wait(0.5)
            driver.unmount(second)
            self.assertEqual(waiting.wait(20), 0)

    def test_writer_elsewhere_is_respected(self):
        path = self.point()
        with subprocess.Popen(["flock", "--exclusive", self.image, "sh", "-c",
                               "echo locked; read x"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as holder:
            self.assertEqual(holder.stdout.readline(), "locked\n")
            done = run(FUSEXFS, self.image, path, "-o", "ro")
            holder.communicate("\n")
        self.assertEqual(done.returncode, 32)
        self.assertFalse(is_mounted(path))


class ManyPaths(DaemonCase):
    def test_paths_beyond_64_kib_are_left_to_ondisk(self):
        image = os.path.join(self.scratch, "many-paths")
        oracle.mkfs(image, 64 << 20, "-n", "parent=1")
        self.addCleanup(os.unlink, image)
        names = ["%03d" % i + "n" * 249 for i in range(300)]
        with oracle.kernel_mount(image) as point:
            for count, name in ((253, "most"), (300, "more")):
                os.mkdir(os.path.join(point, name))
                first = os.path.join(point, name, names[0])
                with open(first, "wb"):
                    pass
                for other in names[1:count]:
                    os.link(first, os.path.join(point, name, other))
        path = self.mount(image=image)

        def parents(name):
            return run(driver.program("fusexfs-ctl"), "parents",
                       os.path.join(path, name, names[0]))
        # 253 lines of 6 + 252 + 1 bytes: 65,527 of the 65,536.
        most = parents("most")
        self.assertEqual(most.stdout.splitlines(),
                         ["/most/" + n for n in names[:253]])
        self.assertEqual(most.returncode, 0)
        more = parents("more")
        self.assertEqual(more.returncode, 1)
        inode = os.stat(os.path.join(path, "more", names[0])).st_ino
        self.assertIn("`ondisk parents IMAGE %d`" % inode, more.stderr)
        listed = driver.ondisk("parents", image, str(inode))
        self.assertEqual(listed.splitlines(), ["/more/" + n for n in names])


class Ending(DaemonCase):
    def test_signals_unmount(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            path = self.mount(name=str(int(number)))
            pids = daemons_of(self.image)
            self.assertEqual(len(pids), 1)
            os.kill(pids[0], number)
            self.assertTrue(wait_until(lambda: not is_mounted(path)))
            self.assertTrue(wait_until(lambda: not daemons_of(self.image)))

    def test_foreground_ends_with_success_when_unmounted(self):
        path = self.point()
        with subprocess.Popen([FUSEXFS, "-f", self.image, path, "-o", "ro"],
                              stderr=subprocess.PIPE, text=True) as daemon:
            self.assertTrue(wait_until(lambda: is_mounted(path)))
            driver.unmount(path)
            self.assertEqual(daemon.wait(20), 0)
            self.assertEqual(daemon.stderr.read(), "")

    def test_busy_mount_survives_an_attempt_to_unmount(self):
        path = self.mount()
        with open(path + "/hello", "rb") as file:
            self.assertNotEqual(run("umount", path).returncode, 0)
            self.assertEqual(file.read(), b"hello\n")
        self.assertEqual(run("umount", path).returncode, 0)


class ExternalLog(DaemonCase):
    """What speaks against a log that is elsewhere."""

    def setUp(self):
        super().setUp()
        self.made = [self.scratch + "/" + name
                     for name in ("ext.img", "ext.log", "other.img",
                                  "other.log", "short.log")]
        self.addCleanup(lambda: [os.unlink(path) for path in self.made
                                 if os.path.exists(path)])
        self.data, self.log, other, self.other_log, self.short = self.made
        for data, log in ((self.data, self.log), (other, self.other_log)):
            with open(log, "wb") as new:
                new.truncate(64 << 20)
            oracle.mkfs(data, 64 << 20, "-l", "logdev=" + log)
            with oracle.kernel_mount(data, log=log) as root:
                with open(root + "/hello", "wb") as new:
                    new.write(b"hello\n")
        shutil.copyfile(self.log, self.short)
        os.truncate(self.short, 1 << 20)
        self.path = self.point()

    def mount_with(self, *options):
        return run(FUSEXFS, self.data, self.path, "-o",
                   ",".join(("ro",) + options))

    def refused(self, why, *options):
        done = self.mount_with(*options)
        self.assertEqual(done.returncode, 32, done.stderr)
        self.assertRegex(done.stderr, why)
        self.assertFalse(is_mounted(self.path))

    def test_wrong_ones_are_refused_and_the_right_one_is_not(self):
        self.refused("name it with logdev=")
        self.refused("No such file", "logdev=" + self.made[0] + ".none")
        self.refused("logblocks", "logdev=" + self.short)
        self.refused("(?i)uuid", "logdev=" + self.other_log)
        done = self.mount_with("logdev=" + self.log)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(self.path + "/hello"))

    def test_dirty_one_is_refused_unless_norecovery(self):
        with oracle.kernel_mount(self.data, log=self.log) as root:
            os.mkdir(root + "/new")
            ioctls.shutdown(root)
        self.refused("not unmounted cleanly", "logdev=" + self.log)
        done = self.mount_with("norecovery", "logdev=" + self.log)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(self.path + "/hello"))


class UnknownRoCompat(DaemonCase):
    """A feature bit that allows reading only."""
    BIT = "bit 30 (0x40000000)"

    def setUp(self):
        super().setUp()
        self.copy = self.scratch + "/rocompat.img"
        oracle.mkfs(self.copy, 64 << 20)
        oracle.db(self.copy, "sb 0", "write -d features_ro_compat 0x4000000f",
                  write=True)
        self.addCleanup(os.unlink, self.copy)

    def test_is_named_when_reading(self):
        done = run(FUSEXFS, self.copy, self.point(), "-o", "ro")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(self.BIT, done.stderr)

    def test_refuses_all_but_ro(self):
        for name, options in (("rw", ("-o", "rw")), ("plain", ())):
            path = self.point(name)
            done = run(FUSEXFS, self.copy, path, *options)
            self.assertEqual(done.returncode, 32, name)
            self.assertIn(self.BIT, done.stderr)
            self.assertIn("mount with -o ro", done.stderr)
            self.assertFalse(is_mounted(path))


class ShortenedUnderTheMount(DaemonCase):
    def test_what_is_cut_off_is_an_error_and_never_zeros(self):
        copy = self.copy_of_image("cut.img")
        path = self.mount(image=copy)
        os.listdir(path)
        size = os.stat(path + "/data").st_size
        os.truncate(copy, 128 << 10)
        with self.assertRaises(OSError) as caught:
            with open(path + "/data", "rb") as file:
                file.seek(size // 2)
                file.read()
        self.assertEqual(caught.exception.errno, errno.EIO)
        self.assertEqual(run("umount", path).returncode, 0)


class Help(unittest.TestCase):
    def test_is_short_plain_and_complete(self):
        done = run(FUSEXFS, "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run(FUSEXFS, "-h").stdout, done.stdout)
        lines = done.stdout.splitlines()
        self.assertLess(len(lines), 60)
        self.assertLessEqual(max(map(len, lines)), 80)
        for word in ("offset=", "partition=", "logdev=", "norecovery",
                     "cache=", "refcount=", "pptr-fastpath", "allow_other",
                     "default_permissions", "blkdev", "fsname=", "subtype=",
                     "-f", "-d", "-s", "--version", "user.fusexfs.fiemap",
                     "user.fusexfs.paths"):
            self.assertIn(word, done.stdout)

    def test_version(self):
        self.assertRegex(run(FUSEXFS, "--version").stdout,
                         r"^fusexfs \d+\.\d+\.\d+ \(libfuse 3\.\d+.*\)\n$")
        self.assertRegex(
            run(driver.program("fusexfs-ctl"), "--version").stdout,
            r"^fusexfs-ctl \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
