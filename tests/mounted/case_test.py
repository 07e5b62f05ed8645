# SPDX-License-Identifier: GPL-2.0-or-later
"""Case-insensitive directories (mkfs.xfs -n version=ci). Kernels from 6.18 on
may lack them, so mkfs.xfs puts the names in by a protofile, and xfs_db, which
looks names up by the kernel's rules, is the judge."""
import os
import re
import shutil
import unittest

from daemon_case import driver, oracle

# Of the last ones, no byte is a letter to XFS, though each looks like the
# neighbour of one: '@[`{' around the letters, and the signs of multiplication
# and division among Latin-1's letters. Upper and lower eth are letters.
NAMES = (b"ReadMe", b"UPPER", b"lower", b"MiXeD-123.Txt", b"\xc9t\xe9",
         b"\xd0-\xfe", b"\xd7-\xdf", b"x@[`{y")
ABSENT = (b"READ-ME", b"uppe", b"\xf7-\xdf", b"\xd7-\xff", b"x`[`{y",
          b"x@{`{y")
DIRECTORIES = {b"Short": 0, b"Block": 40, b"Leaf": 300, b"Node": 2500}


def other_cases(name):
    """The name in capitals, in small letters, and with each letter's case
    turned, as Latin-1 has letters."""
    upper = bytes(b - 32 if 97 <= b <= 122 or 224 <= b <= 254 and b != 247
                  else b for b in name)
    lower = bytes(b + 32 if 65 <= b <= 90 or 192 <= b <= 222 and b != 215
                  else b for b in name)
    turned = bytes(u if b == l else l
                   for b, u, l in zip(name, upper, lower))
    return {name, upper, lower, turned}


class CaseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        oracle.require()
        cls.directory = oracle.scratch("case")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.image = os.path.join(cls.directory, "image")
        nothing = os.path.join(cls.directory, "nothing")
        with open(nothing, "wb"):
            pass
        file = b" ---644 0 0 " + os.fsencode(nothing[len(oracle.ROOT):])
        lines = [b"/stand/diskboot", b"0 0", b"d--755 0 0"]
        for directory, count in DIRECTORIES.items():
            lines.append(directory + b" d--755 0 0")
            lines += [name + file for name in NAMES]
            lines += [b"Entry-%05d-Of" % i + file for i in range(count)]
            lines.append(b"$")
        proto = os.path.join(cls.directory, "proto")
        with open(proto, "wb") as out:
            out.write(b"\n".join(lines + [b"$", b""]))
        oracle.mkfs(cls.image, 64 << 20, "-n", "version=ci", "-p", proto)
        mount = driver.mounted(cls.image)
        cls.mount = os.fsencode(mount.__enter__())
        cls.addClassCleanup(mount.__exit__, None, None, None)

    def numbers_in_db(self, paths):
        """{path: the inode that xfs_db finds, None where it finds none}"""
        commands = []
        for path in paths:
            for each in ("path /", "path /" + os.fsdecode(path), "inode"):
                commands += ["-c", each]
        _, said = oracle.run("xfs_db", "-r", *commands, self.image, check=False)
        found = [int(n) for n in re.findall(
            r"current inode number is (\d+)", said)]
        self.assertEqual(len(found), len(paths))
        root = os.stat(self.mount).st_ino  # where a failing path leaves it
        return {path: None if n == root else n
                for path, n in zip(paths, found)}

    def number_here(self, path):
        try:
            return os.lstat(os.path.join(self.mount, path)).st_ino
        except FileNotFoundError:
            return None

    def test_names_keep_their_case(self):
        self.assertEqual(set(os.listdir(self.mount)), set(DIRECTORIES))
        for directory, count in DIRECTORIES.items():
            self.assertEqual(
                sorted(os.listdir(os.path.join(self.mount, directory))),
                sorted(NAMES + tuple(b"Entry-%05d-Of" % i
                                     for i in range(count))))

    def test_any_case_finds_the_entry(self):
        cases = {}
        for directory, count in DIRECTORIES.items():
            names = NAMES + tuple(b"Entry-%05d-Of" % i
                                  for i in range(0, count, 97))
            for name in names:
                for each in other_cases(name):
                    cases[directory.swapcase() + b"/" + each] = \
                        directory + b"/" + name
        expected = self.numbers_in_db(list(cases))
        original = self.numbers_in_db(sorted(set(cases.values())))
        self.assertEqual(len(set(original.values())), len(original))
        for path, name in cases.items():
            self.assertIsNotNone(expected[path], path)
            self.assertEqual(expected[path], original[name], path)
            self.assertEqual(self.number_here(path), expected[path], path)

    def test_what_is_no_letter_has_no_case(self):
        paths = [directory + b"/" + name for directory in DIRECTORIES
                 for name in ABSENT]
        for path, number in self.numbers_in_db(paths).items():
            self.assertIsNone(number, path)
            self.assertIsNone(self.number_here(path), path)

    def test_ondisk_finds_any_case_too(self):
        names = [directory + b"/ReadMe" for directory in DIRECTORIES]
        for name, wanted in self.numbers_in_db(names).items():
            found = driver.ondisk("stat", "--json", self.image,
                                  b"/" + name.swapcase())
            number = re.search(r'"inode": ?(\d+)', found).group(1)
            self.assertEqual(int(number), wanted)


if __name__ == "__main__":
    unittest.main()
