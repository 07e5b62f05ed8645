# SPDX-License-Identifier: GPL-2.0-or-later
"""How `ondisk` behaves as a command: exit codes, messages, terminals, windows
of an image, images that are damaged or in use, and its text against that of
the tools it imitates on a mount (filefrag, find)."""
import fcntl
import json
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tarfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../support/python"))

from xfsjudge import driver  # noqa: E402
from xfsjudge import ioctls  # noqa: E402
from xfsjudge import oracle  # noqa: E402

MIB = 1 << 20
ACLS = ("system.posix_acl_access", "system.posix_acl_default")
NOBODY = (1 << 32) - 1  # the id of entries for nobody in particular


def ondisk(*arguments):
    """(exit code, standard output, standard error)."""
    return driver.ondisk(*arguments, check=False)


def on_terminal(*arguments, environment=None):
    """The same with a terminal as standard output; (exit code, output)."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [driver.program("ondisk"), *arguments], stdout=child,
        stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", **(environment or {})})
    os.close(child)
    output = b""
    while select.select([parent], [], [], 60)[0]:
        try:
            piece = os.read(parent, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        output += piece
    os.close(parent)
    return process.wait(), output.decode("utf-8", "replace")


def fill(point):
    for directory in ("dir/deep", "empty"):
        os.makedirs(os.path.join(point, directory))
    with open(os.path.join(point, "dir/file"), "wb") as new:
        new.write(b"content\n" * 1000)
    os.link(os.path.join(point, "dir/file"), os.path.join(point,
                                                          "dir/deep/again"))
    os.symlink("dir", os.path.join(point, "short"))
    os.symlink("/dir/deep/../file", os.path.join(point, "absolute"))
    os.symlink("../../../../short/file", os.path.join(point, "escape"))
    os.symlink("loop", os.path.join(point, "loop"))
    os.symlink("nowhere", os.path.join(point, "dangling"))
    with open(os.path.join(point.encode(), b"bad\xff\nname"), "wb"):
        pass
    with open(os.path.join(point, ".hidden"), "wb"):
        pass
    with open(os.path.join(point, "fragments"), "wb") as new:
        for i in range(40):
            new.seek(i * 3 << 14)
            new.write(b"f" * 8192)
    fd = os.open(os.path.join(point, "fragments"), os.O_RDWR)
    ioctls.fallocate(fd, 0, 5 * MIB, 1 * MIB)
    os.close(fd)
    os.sync()
    subprocess.run(["cp", "--reflink=always", os.path.join(point, "fragments"),
                    os.path.join(point, "clone")], check=True)
    with open(os.path.join(point, "clone"), "r+b") as old:
        old.seek(3 << 14)
        old.write(b"c" * 4096)
    with open(os.path.join(point, "huge"), "wb") as new:
        new.seek(1 << 40)
        new.write(b"end")
    with open(os.path.join(point, "endless"), "wb") as new:
        for at in (8192, 1 << 41, 1 << 62):
            new.seek(at)
            new.write(b"data")
        new.truncate((1 << 63) - 4097)
    os.sync()


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        oracle.require()
        cls.directory = oracle.scratch("ondisk-commands")
        cls.image = os.path.join(cls.directory, "image")
        oracle.mkfs(cls.image, 64 * MIB, "-n", "parent=1", "-m", "reflink=1",
                    "-d", "agsize=20m")
        with oracle.kernel_mount(cls.image) as point:
            fill(point)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def path(self, name):
        return os.path.join(self.directory, name)

    def assert_fails(self, code, *words, command):
        found, _, error = ondisk(*command)
        self.assertEqual(found, code, error)
        for word in words:
            self.assertIn(word, error)
        self.assertNotIn("terminate", error)

    # ---- usage ----
    def test_usage_errors_exit_2(self):
        for command in ([], ["nonsense"], ["ls"], ["ls", "--nonsense", "x"],
                        ["explain", self.image],
                        ["explain", self.image, "nonsense"],
                        ["explain", self.image, "agf"],
                        ["explain", self.image, "agf", "one"],
                        ["explain", self.image, "btree", "oak", "0"],
                        ["cat", "--json", self.image, "/dir/file"],
                        ["info", "--offset", "4X", self.image],
                        ["info", "--offset", "-1", self.image],
                        ["info", "--partition", "0", self.image],
                        ["info", "--offset", "1", "--partition", "1",
                         self.image]):
            with self.subTest(command=command):
                found, _, error = ondisk(*command)
                self.assertEqual(found, 2, error)
                self.assertNotEqual(error, "")

    def test_help_and_version_exit_0(self):
        code, out, _ = ondisk("--help")
        self.assertEqual(code, 0)
        for command in ("info", "ls", "cat", "tree", "stat", "fiemap",
                        "parents", "export", "explain"):
            self.assertIn(command, out)
        self.assertEqual(ondisk("--version")[0], 0)
        code, out, _ = ondisk("explain", "--help")
        self.assertEqual(code, 0)
        self.assertIn("btree NAME AG", out)

    # ---- errors name what and where ----
    def test_errors_exit_1_and_name_the_thing(self):
        for words, command in (
                (["/no/such", "No such file"], ["info", "/no/such"]),
                (["/nowhere"], ["stat", self.image, "/nowhere"]),
                (["/dir/file", "not a directory"],
                 ["cat", self.image, "/dir/file/below"]),
                (["dir", "directory"], ["cat", self.image, "/dir"]),
                (["loop", "symbolic links"], ["cat", self.image, "/loop"]),
                (["nowhere"], ["cat", self.image, "/dangling"]),
                (["99"], ["explain", self.image, "agf", "99"]),
                (["daddr"], ["explain", self.image, "daddr",
                             "99999999999999999"]),
                (["fsblock"], ["explain", self.image, "block",
                               str((1 << 64) - 1)]),
                (["inode 77777777"], ["explain", self.image, "inode",
                                      "77777777"]),
                (["not a directory"], ["explain", self.image, "dir",
                                       "/dir/file"])):
            with self.subTest(command=command):
                self.assert_fails(1, *words, command=command)

    def test_files_that_are_no_image(self):
        for name, content in (("empty", b""), ("zeros", bytes(MIB)),
                              ("short", b"XFSB"), ("text", b"hello" * 9999)):
            with open(self.path(name), "wb") as new:
                new.write(content)
            for command in (["info"], ["ls"], ["explain"]):
                with self.subTest(name=name, command=command):
                    arguments = command + [self.path(name)]
                    if command == ["explain"]:
                        arguments += ["sb"]
                    found, _, error = ondisk(*arguments)
                    self.assertEqual(found, 1, error)
                    self.assertNotEqual(error, "")

    def test_a_damaged_superblock_can_still_be_explained(self):
        damaged = self.path("damaged")
        shutil.copy(self.image, damaged)
        with open(damaged, "r+b") as image:
            image.seek(4)  # sb_blocksize
            image.write(struct.pack(">I", 12345))
        self.assert_fails(1, "superblock", "crc", command=["ls", damaged])
        code, out, error = ondisk("explain", "--json", damaged, "sb")
        self.assertEqual(code, 1, error)
        fields = {f["name"]: f for f in json.loads(out)[0]["fields"]}
        self.assertFalse(fields["blocksize"]["ok"])
        self.assertFalse(fields["crc"]["ok"])
        self.assertEqual(fields["blocksize"]["value"], "12345")
        self.assertTrue(fields["agcount"]["ok"])
        code, out, error = ondisk("explain", damaged, "sb")
        self.assertEqual(code, 1)
        self.assertIn("BAD", out)
        self.assertIn("not hold", error)

    def test_explaining_goes_by_a_copy_of_a_damaged_superblock(self):
        damaged = self.path("damaged")
        for name, at, data, copies in (
                ("geometry lost", 0, bytes(512), True),
                ("block size", 4, struct.pack(">I", 12345), True),
                ("checksum only", 108, b"label", True),
                ("no copy", 108, b"label", False)):
            shutil.copy(self.image, damaged)
            with open(damaged, "r+b") as image:
                image.seek(at)
                image.write(data)
                for copy in (1, 2, 3) if not copies else ():
                    image.seek(copy * 20 * MIB)
                    image.write(bytes(512))
            for what in (["agf", "0"], ["agi", "1"], ["daddr", "1"], ["log"],
                         ["btree", "rmapbt", "1"]) + (
                             (["sb", "1"],) if copies else ()):
                with self.subTest(name=name, what=what):
                    code, out, error = ondisk("explain", damaged, *what)
                    self.assertEqual(code, 0, error)
                    self.assertIn("copy in AG 1" if copies else "no copy holds",
                                  error)
                    if what != ["log"]:  # tells the name of the image
                        self.assertEqual(out, ondisk("explain", self.image,
                                                     *what)[1])

    def test_a_cut_image_can_be_explained_where_it_is(self):
        cut = self.path("cut")
        shutil.copy(self.image, cut)
        os.truncate(cut, 21 * MIB)
        for what in (["agf", "0"], ["agi", "1"], ["daddr", "1"]):
            code, out, error = ondisk("explain", cut, *what)
            self.assertEqual(code, 0, error)
            self.assertIn("cut off: %d of" % (21 * MIB), error)
            self.assertEqual(out, ondisk("explain", self.image, *what)[1])
        self.assert_fails(1, "not within the image",
                          command=["explain", cut, "agf", "2"])
        self.assert_fails(1, "cut off", command=["ls", cut])

    def test_explaining_names_the_field_that_is_wrong(self):
        short = self.path("short-image")
        shutil.copy(self.image, short)
        os.truncate(short, 6)
        code, out, error = ondisk("explain", short, "sb")
        self.assertEqual(code, 1, error)
        self.assertIn("size is 6 bytes", out)
        self.assertNotIn("magicnum does not hold", out)

    # ---- terminals ----
    def test_colours_on_a_terminal_only(self):
        code, out = on_terminal("explain", self.image, "sb")
        self.assertEqual(code, 0, out)
        self.assertIn("\x1b[", out)
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            code, out = on_terminal("explain", self.image, "sb",
                                    environment=environment)
            self.assertEqual(code, 0, out)
            self.assertNotIn("\x1b[", out)
        self.assertNotIn("\x1b[", ondisk("explain", self.image, "sb")[1])

    def test_names_cannot_command_the_terminal(self):
        code, out = on_terminal("ls", self.image, "/")
        self.assertEqual(code, 0, out)
        self.assertIn("bad\\xff\\nname", out)
        raw = driver.ondisk("ls", self.image, "/", binary=True)
        self.assertIn(b"bad\xff\nname\n", raw)

    def test_export_refuses_a_terminal(self):
        code, out = on_terminal("export", self.image, "/")
        self.assertEqual(code, 2, out)
        self.assertIn("terminal", out)

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "wb") as full:
            for command in (["explain", self.image, "sb"],
                            ["cat", self.image, "/dir/file"],
                            ["export", self.image, "/"]):
                with self.subTest(command=command):
                    done = subprocess.run(
                        [driver.program("ondisk"), *command], stdout=full,
                        stderr=subprocess.PIPE, check=False)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn(b"No space", done.stderr)

    # ---- paths ----
    def test_symlinks_are_followed_inside_the_image(self):
        for path in ("/dir/file", "dir/file", "/short/file", "/absolute",
                     "/escape", "//dir/./deep/../file"):
            with self.subTest(path=path):
                self.assertEqual(ondisk("cat", self.image, path)[1],
                                 "content\n" * 1000)
        inode = json.loads(ondisk("stat", "--json", self.image, "dir/file")[1])
        self.assertEqual(ondisk("cat", self.image, str(inode["inode"]))[1],
                         "content\n" * 1000)
        link = json.loads(ondisk("stat", "--json", self.image, "/short")[1])
        self.assertEqual(link["target"], "dir")

    def test_ls_shows_hidden_names_on_demand(self):
        self.assertNotIn(".hidden", ondisk("ls", self.image)[1])
        lines = ondisk("ls", "-a", self.image)[1].splitlines()
        self.assertEqual(lines[:3], [".", "..", ".hidden"])
        lines = ondisk("ls", "-l", self.image, "/short")[1].splitlines()
        self.assertEqual(len(lines), 1)
        self.assertIn("-> dir", lines[0])

    def test_tree_draws_what_find_finds(self):
        code, out, error = ondisk("tree", "--json", self.image)
        self.assertEqual(code, 0, error)
        found = {bytes.fromhex(e["path_hex"]) if "path_hex" in e
                 else e["path"].encode() for e in json.loads(
                     out.encode("latin1"))}
        with oracle.kernel_mount(self.image, "ro") as point:
            paths = subprocess.run(
                ["find", ".", "-mindepth", "1", "-print0"], cwd=point,
                check=True, capture_output=True).stdout.split(b"\0")[:-1]
        self.assertEqual(found, {p[1:] for p in paths})
        text = ondisk("tree", self.image, "/dir")[1].encode("latin1").decode()
        self.assertEqual(text, "/dir\n├── deep\n│   └── again\n└── file\n\n"
                         "1 directory, 2 files\n")

    # ---- as on a mount ----
    def test_fiemap_prints_what_filefrag_prints(self):
        with oracle.kernel_mount(self.image, "ro") as point:
            for name in ("dir/file", "fragments", "clone", "huge", ".hidden"):
                expected = subprocess.run(
                    ["filefrag", "-v", name], cwd=point, check=True,
                    capture_output=True, text=True).stdout.splitlines()
                found = ondisk("fiemap", self.image, name)[1].splitlines()
                with self.subTest(name=name):
                    self.assertEqual([l.rstrip() for l in expected[1:]], found)

    def test_parents_prints_what_find_finds(self):
        with oracle.kernel_mount(self.image, "ro") as point:
            inode = os.lstat(os.path.join(point, "dir/file")).st_ino
            expected = subprocess.run(
                ["find", ".", "-inum", str(inode)], cwd=point, check=True,
                capture_output=True, text=True).stdout.splitlines()
        for target in ("/dir/file", "/dir/deep/again", str(inode)):
            out = ondisk("parents", self.image, target)[1]
            self.assertEqual(sorted(out.splitlines()),
                             sorted(p[1:] for p in expected))

    def exported(self, image, what, status=0):
        """A tar of `what`, and what was said; ondisk ends with `status`."""
        tar = self.path("%s.tar" % (what.strip("/") or "all"))
        with open(tar, "wb") as new:
            done = subprocess.run(
                [driver.program("ondisk"), "export", image, what], stdout=new,
                stderr=subprocess.PIPE, text=True, timeout=30, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return tar, done.stderr

    def image_with_two_names(self):
        """An image whose one file is called "first" and "second"; the number of
        its inode."""
        target = self.path("target")
        oracle.mkfs(target, 300 * MIB)
        with oracle.kernel_mount(target) as point:
            path = os.path.join(point, "first")
            with open(path, "wb") as new:
                new.write(b"content")
            os.link(path, os.path.join(point, "second"))
            return target, os.stat(path).st_ino

    def test_holes_cost_a_tar_nothing(self):
        for name, size in (("huge", (1 << 40) + 3),
                           ("endless", (1 << 63) - 4097)):
            tar, _ = self.exported(self.image, name)
            self.assertLess(os.path.getsize(tar), MIB)
            listed = subprocess.run(["tar", "-tvf", tar], check=True,
                                    capture_output=True, text=True).stdout
            self.assertIn(" %d " % size, listed)

    def test_holes_come_out_of_a_tar_at_their_places(self):
        target = self.path("target")
        oracle.mkfs(target, 300 * MIB)
        with oracle.kernel_mount(target) as point:
            for name in ("fragments", "endless"):
                tar, _ = self.exported(self.image, name)
                subprocess.run(["tar", "-xf", tar, "-C", point], check=True,
                               timeout=60)
            for at in (8192, 1 << 41, 1 << 62):
                with open(os.path.join(point, "endless"), "rb") as file:
                    self.assertEqual(os.pread(file.fileno(), 6, at),
                                     b"data\0\0")
                    self.assertEqual(os.fstat(file.fileno()).st_size,
                                     (1 << 63) - 4097)
            with open(os.path.join(point, "fragments"), "rb") as file:
                self.assertEqual(file.read(), driver.ondisk(
                    "cat", self.image, "fragments", binary=True))

    def test_an_unreadable_attribute_costs_a_tar_nothing_else(self):
        target, _ = self.image_with_two_names()
        with oracle.kernel_mount(target) as point:
            path = os.path.join(point, "first")
            os.setxattr(path, "user.sound", b"value")
            os.setxattr(path, "trusted.SGI_ACL_FILE", b"no list")
        tar, said = self.exported(target, "/", status=1)
        self.assertIn("system.posix_acl_access", said)
        # Told of the file, not again of each name.
        self.assertFalse("first" in said and "second" in said, said)
        with tarfile.open(tar) as archive:
            members = {os.path.basename(m.name): m for m in archive
                       if not m.isdir()}
            self.assertEqual(sorted(members), ["first", "second"])
            (whole,) = [m for m in members.values() if m.isreg()]
            self.assertEqual(archive.extractfile(whole).read(), b"content")
            self.assertEqual(whole.pax_headers["SCHILY.xattr.user.sound"],
                             "value")

    def test_no_link_in_a_tar_leads_to_a_file_that_was_left_out(self):
        target, number = self.image_with_two_names()
        oracle.db(target, "inode %d" % number,
                  "write -d u3.bmx[0].startblock 4000000", write=True)
        tar, said = self.exported(target, "/", status=1)
        for name in ("first", "second"):
            self.assertIn(name, said)
        with tarfile.open(tar) as archive:
            self.assertEqual([m.name for m in archive if not m.isdir()], [])

    def test_access_lists_name_the_highest_ids(self):
        target = self.path("target")
        oracle.mkfs(target, 300 * MIB)
        entries = [(1, 6, NOBODY), (2, 4, 1000), (2, 6, (1 << 31) - 1),
                   (2, 6, 1 << 31), (2, 5, NOBODY - 1), (4, 4, NOBODY),
                   (8, 6, 3000000000), (16, 6, NOBODY), (32, 4, NOBODY)]
        acl = struct.pack("<I", 2) + b"".join(
            struct.pack("<HHI", *entry) for entry in entries)
        with oracle.kernel_mount(target) as point:
            path = os.path.join(point, "directory")
            os.mkdir(path)
            for name in ACLS:
                os.setxattr(path, name, acl)
        tar, _ = self.exported(target, "directory")
        with oracle.kernel_mount(target) as point:
            unpacked = os.path.join(point, "unpacked")
            os.mkdir(unpacked)
            subprocess.run(["tar", "--acls", "-xpf", tar, "-C", unpacked],
                           check=True, timeout=30)
            for name in ACLS:
                self.assertEqual(os.getxattr(
                    os.path.join(unpacked, "directory"), name), acl)

    # ---- where the filesystem is ----
    def test_offset_and_partition(self):
        disk = self.path("disk")
        with open(self.image, "rb") as image, open(disk, "wb") as new:
            new.truncate(80 * MIB)
            new.seek(4 * MIB)
            shutil.copyfileobj(image, new)
            # A DOS partition table: one entry of type 0x83, no CHS addresses.
            new.seek(446)
            new.write(struct.pack("<4sB3sII", b"\0\0\2\0", 0x83,
                                  b"\xff\xff\xff", 4 * MIB >> 9,
                                  64 * MIB >> 9))
            new.seek(510)
            new.write(b"\x55\xaa")
        expected = ondisk("ls", "-l", self.image)[1]
        self.assertEqual(ondisk("ls", "-l", "--partition", "1", disk)[1],
                         expected)
        for offset in (str(4 * MIB), "4096K", "4m"):
            self.assertEqual(
                ondisk("ls", "-l", "--offset", offset, disk)[1], expected)
        self.assert_fails(1, "partition",
                          command=["ls", "--partition", "7", disk])

    def test_it_tells_that_somebody_writes(self):
        with open(self.image, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            code, out, error = ondisk("ls", self.image)
        self.assertEqual(code, 0, error)
        self.assertIn("half old, half new", error)
        self.assertIn("dir", out)

    def test_a_dirty_log_is_told_and_nothing_is_changed(self):
        dirty = self.path("dirty")
        with oracle.kernel_mount(self.image) as point:
            os.mkdir(os.path.join(point, "new"))
            ioctls.shutdown(point)
        shutil.copy(self.image, dirty)
        with oracle.kernel_mount(self.image):  # clean for the other tests
            pass
        before = os.stat(dirty).st_mtime_ns
        code, out, error = ondisk("ls", dirty)
        self.assertEqual(code, 0, error)
        self.assertIn("log is dirty", error)
        self.assertEqual(len(error.splitlines()), 1)
        self.assertIn("dir", out)
        code, _, error = ondisk("explain", dirty, "log")
        self.assertEqual(code, 0, error)
        self.assertEqual(os.stat(dirty).st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
