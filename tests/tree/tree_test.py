"""The source tree keeps its own promises: rooms use only the rooms above them,
golden images are small and have recipes, and what README and docs/features.md
name exists."""
import os
import re
import subprocess
import sys
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests/support/python"))

from xfsjudge import driver  # noqa: E402

# From the ground up; "." is fusexfs/ itself, the front door.
ROOMS = ["trace", "device", "cache", "journal", "btree", "space", "inode",
         "names", "file", ".", "fuse", "tools"]


def read(*words):
    with open(os.path.join(SOURCE, *words), encoding="utf-8") as f:
        return f.read()


def sources(directory):
    for path, _, names in os.walk(os.path.join(SOURCE, directory)):
        for name in names:
            if name.endswith((".h", ".cc")):
                yield os.path.relpath(os.path.join(path, name), SOURCE)


def includes(path):
    return re.findall(r'(?m)^#include "([^"]+)"', read(path))


class RoomsTest(unittest.TestCase):
    def test_a_room_uses_only_rooms_above_it(self):
        wrong = []
        for path in sources("fusexfs"):
            words = path.split("/")
            room = ROOMS.index(words[1] if len(words) > 2 else ".")
            for used in includes(path):
                parts = used.split("/")
                if parts[0] != "fusexfs":
                    continue
                other = parts[1] if len(parts) > 2 else "."
                # The public interface for programs belongs to nobody.
                if used != "fusexfs/ioctl.h" and ROOMS.index(other) > room:
                    wrong.append("%s includes %s" % (path, used))
        self.assertEqual(wrong, [])

    def test_the_format_library_uses_no_room(self):
        self.assertEqual([], [
            (path, used) for path in sources("libondisk")
            for used in includes(path) if used.startswith("fusexfs/")])

    def test_sources_are_readable_in_one_sitting(self):
        large = [path for room in ("libondisk", "fusexfs")
                 for path in sources(room)
                 if os.path.getsize(os.path.join(SOURCE, path)) > 20480]
        self.assertEqual(large, [])


class GoldenTest(unittest.TestCase):
    GOLDEN = os.path.join(SOURCE, "images/golden")

    def test_all_together_are_small(self):
        self.assertLess(sum(os.path.getsize(os.path.join(self.GOLDEN, n))
                            for n in os.listdir(self.GOLDEN)), 5 << 20)

    def test_each_has_a_recipe_versions_and_a_manifest(self):
        for name in os.listdir(self.GOLDEN):
            if name.endswith(".img.zst"):
                name = name[:-len(".img.zst")]
                self.assertTrue(read("images/recipes", name + ".sh"))
                self.assertIn("mkfs", read("images/golden",
                                           name + ".versions"))
                self.assertTrue(os.path.exists(os.path.join(
                    self.GOLDEN, name + ".manifest.jsonl.xz")))


def help_of(*words):
    return subprocess.run([driver.program(words[0]), *words[1:], "--help"],
                          capture_output=True, text=True, timeout=60,
                          check=True).stdout


class DocumentsTest(unittest.TestCase):
    def test_readme_is_finished(self):
        self.assertNotRegex(read("README.md"), r"@[A-Z]+@|TODO")

    def test_commands_of_the_readme_exist(self):
        text = read("README.md")
        for program in ("ondisk", "fusexfs-ctl"):
            commands = set(re.findall(r"(?m)[`$] ?%s ([a-z]+)" % program,
                                      text))
            self.assertTrue(commands, program)
            said = help_of(program)
            for command in commands:
                self.assertRegex(said, r"(?m)^\s+%s\b" % command)

    def test_mount_options_of_the_documents_exist(self):
        said = help_of("fusexfs")
        text = read("README.md") + read("docs/features.md")
        for option in ("offset=", "partition=", "cache=", "norecovery",
                       "refcount=", "pptr-fastpath"):
            if option in text:
                self.assertIn(option, said)

    def test_the_tests_that_the_features_name_exist(self):
        known = subprocess.run(
            ["ctest", "--test-dir", os.path.dirname(driver.BIN), "-N"],
            capture_output=True, text=True, timeout=120).stdout
        names = set(re.findall(r"Test\s+#\d+: (\S+)", known))
        if not names:
            self.fail("ctest knows no tests in " + os.path.dirname(driver.BIN))
        for name in set(re.findall(r"`((?:oracle|mounted|hostile)\.[\w*-]+)`",
                                   read("docs/features.md"))):
            pattern = re.escape(name).replace(r"\*", ".*")
            self.assertTrue(any(re.fullmatch(pattern, n) for n in names),
                            "no such test: " + name)


if __name__ == "__main__":
    unittest.main()
