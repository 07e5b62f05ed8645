# SPDX-License-Identifier: GPL-2.0-or-later
"""The source tree keeps its own promises: rooms use only the rooms above them,
golden images are small and have recipes, and what README and docs/features.md
name exists."""
import fnmatch
import json
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


def everything():
    """Every file of the project, but what builds have made."""
    for path, directories, names in os.walk(SOURCE):
        directories[:] = [d for d in directories if d != ".git" and
                          not (path == SOURCE and d.startswith("build"))]
        for name in names:
            yield os.path.join(path, name)


class LicenceTest(unittest.TestCase):
    @staticmethod
    def first_line(path):
        """That which says something to people, and the mark of a comment; or
        two Nones if the file is no source."""
        with open(path, "rb") as file:
            line = file.readline(200)
            is_script = line.startswith(b"#!")
            if is_script:
                line = file.readline(200)
        name = os.path.basename(path)
        if name.endswith((".h", ".cc")):
            return line, b"//"
        if is_script or name == "CMakeLists.txt" or name.endswith(
                (".py", ".sh", ".cmake")):
            return line, b"#"
        return None, None

    def test_every_source_names_it_first(self):
        found = [(path, *self.first_line(path)) for path in everything()]
        sources_found = [f for f in found if f[1] is not None]
        self.assertGreater(len(sources_found), 400)
        self.assertEqual([], [
            os.path.relpath(path, SOURCE) for path, line, mark in sources_found
            if line != mark + b" SPDX-License-Identifier: GPL-2.0-or-later\n"])


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
                versions = read("images/golden", name + ".versions")
                self.assertIn("mkfs", versions)
                # No private suffix of whoever built the kernel.
                self.assertRegex(versions,
                                 r"(?m)^kernel: ([0-9.]+|none: .*)$")
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

    def test_each_feature_names_proofs_that_exist(self):
        known = subprocess.run(
            ["ctest", "--test-dir", os.path.dirname(driver.BIN), "-N"],
            capture_output=True, text=True, timeout=120).stdout
        names = re.findall(r"Test\s+#\d+: (\S+)", known)
        if not names:
            self.fail("ctest knows no tests in " + os.path.dirname(driver.BIN))
        names += [name[:-len(".cc")] for name in
                  os.listdir(os.path.join(SOURCE, "tests/fuzz"))
                  if name.endswith("_fuzz.cc")]
        names += ["preset " + preset["name"] for preset in json.loads(
            read("CMakePresets.json"))["configurePresets"]]
        wrong = wrong_proofs(read("docs/features.md"), names)
        self.assertEqual(wrong, [])

    def test_a_proof_that_does_not_exist_is_seen(self):
        head = "| feature | proved by |\n| --- | --- |\n"
        names = ["oracle.a-b", "Suite.Test", "preset tsan", "x_fuzz"]
        self.assertEqual(wrong_proofs(
            head + "| a | `oracle.*`, `Suite.*` (two) |\n"
            "| `not.one` | `x_fuzz`, preset `tsan` |\n", names), [])
        for proof in ("`oracle.b*`", "`Suite.Tes`", "`Suite.*`, `Suit.*`",
                      "preset `asan`", "`tsan`", "none", "Suite.Test"):
            self.assertEqual(len(wrong_proofs(
                head + "| a | " + proof + " |\n", names)), 1, proof)
        self.assertEqual(len(wrong_proofs("no table", names)), 1)


def wrong_proofs(text, names):
    """What is wrong in the columns "proved by" of the tables: names (or globs)
    that are none of `names`, and rows without any."""
    wrong, rows, column = [], 0, None
    for line in text.splitlines():
        if not line.startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if "proved by" in cells:
            column = cells.index("proved by")
        elif column is not None and not line.startswith("| ---"):
            rows += 1
            proofs = [preset + name for preset, name in re.findall(
                r"(preset )?`([^`]+)`", cells[column])]
            if not proofs:
                wrong.append("no proof: " + line)
            wrong += ["no such proof: " + proof for proof in proofs
                      if not fnmatch.filter(names, proof)]
    return wrong if rows else wrong + ["no table of features"]


if __name__ == "__main__":
    unittest.main()
