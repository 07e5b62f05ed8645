# SPDX-License-Identifier: GPL-2.0-or-later
"""fusexfs-bench read: three doors, the same answers, all cells in the report."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from frame import driver

OPERATIONS = [name + how for name in ("walk", "read", "random", "fiemap")
              for how in (" cold", " warm")]
SMALL = ["--runs", "2", "--random-reads", "50", "--fiemap-files", "120"]


class BenchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="bench-test.", dir="/var/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.image = os.path.join(cls.directory, "kept")
        built = cls.bench("image", cls.image, "--files", "120", "--big", "2MiB")
        assert built.returncode == 0, built.stderr

    @classmethod
    def bench(cls, *arguments):
        return subprocess.run([driver.program("fusexfs-bench"), *arguments],
                              capture_output=True, text=True, timeout=300)

    def read(self, *arguments):
        path = os.path.join(self.directory, "report.json")
        done = self.bench("read", "--image", self.image, "--json", path,
                          "--work", self.directory, *SMALL, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path, encoding="utf-8") as report:
            return json.load(report), done.stdout

    def test_three_doors_agree_and_fill_every_cell(self):
        report, table = self.read()
        cells = {(c["operation"], c["door"]): c for c in report["cells"]}
        self.assertEqual(
            set(cells), {(operation, door) for operation in OPERATIONS
                         for door in ("engine", "mount", "kernel")})
        for cell in cells.values():
            self.assertEqual(cell["errors"], 0, cell)
            self.assertEqual(len(cell["runs"]), 2)
            wall = cell["wall_ms"]
            self.assertLessEqual(wall["min"], wall["median"])
            self.assertLessEqual(wall["median"], wall["max"])
            self.assertGreater(cell["ratio_to_kernel"], 0)
            self.assertIn(cell["operation"], table)
        # tree, d000, d001, originals, big, fragments; 64 originals.
        self.assertEqual(cells["walk warm", "mount"]["items"], 120 + 64 + 6)
        self.assertEqual(cells["fiemap cold", "engine"]["items"], 120)
        self.assertIn("processor", report["machine"])
        self.assertEqual(report["options"]["runs"], 2)
        usage = subprocess.run(["mkfs.xfs"], capture_output=True,
                               text=True).stderr
        features = report["options"]["features"]
        for feature, word in (("reflink", "ro_compat"),
                              ("rmapbt", "ro_compat"),
                              ("bigtime", "incompat"),
                              ("nrext64", "incompat"),
                              ("exchange", "incompat"),
                              ("parent", "incompat")):
            self.assertEqual(feature + "=0|1" in usage,
                             feature + " (" in features[word], feature)
        self.assertEqual(set(os.listdir(self.directory)) - {"kept", "bad"},
                         {"report.json"})

    def test_the_engine_alone_has_no_ratio(self):
        report, _ = self.read("--doors", "engine", "--no-cold")
        self.assertEqual([c["operation"] for c in report["cells"]],
                         [name for name in OPERATIONS if "warm" in name])
        self.assertEqual({c["ratio_to_kernel"] for c in report["cells"]},
                         {None})

    def test_wrong_command_lines_are_refused(self):
        for arguments in (["read", "--nonsense"], [], ["read", "--doors", "x"],
                          ["read", "--runs", "0"],
                          ["read", "--image", self.image, "--files", "3"],
                          ["image", self.image]):
            done = self.bench(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stdout, "")

    def test_a_damaged_image_ends_with_1_and_says_why(self):
        bad = os.path.join(self.directory, "bad")
        with open(bad, "wb") as out:
            out.write(b"no image" * 1000)
        done = self.bench("read", "--image", bad, "--doors", "engine",
                          "--no-cold")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not an XFS image", done.stderr)


if __name__ == "__main__":
    unittest.main()
