# SPDX-License-Identifier: GPL-2.0-or-later
"""What the kernel asks the daemon for, and how the daemon answers: seen in the
requests that `fusexfs -d` prints, and in the daemon's counts of bytes."""
import collections
import os
import re
import subprocess
import time
import unittest

import frame
from frame import driver


class Requests(frame.ImageTest):
    def setUp(self):
        self.point = os.path.join(self.directory, "mnt")
        os.makedirs(self.point, exist_ok=True)
        self.said = os.path.join(self.directory, "requests")
        with open(self.said, "wb") as said:
            self.daemon = subprocess.Popen(
                [driver.program("fusexfs"), "-d", "-o", "ro", self.image,
                 self.point], stderr=said, stdout=subprocess.DEVNULL)
        self.addCleanup(self.end)
        while not os.path.ismount(self.point):
            self.assertIsNone(self.daemon.poll())
            time.sleep(0.02)

    def end(self):
        if os.path.ismount(self.point):
            driver.unmount(self.point)
        self.daemon.wait(60)

    def requests(self):
        """Those about names and attributes, so far; whoever looks at the list of
        mounts meanwhile may cause others."""
        with open(self.said, "rb") as said:
            return collections.Counter(re.findall(
                rb"opcode: (LOOKUP|GETATTR|READDIRPLUS|READDIR)\b",
                said.read()))

    def counts(self):
        with open("/proc/%d/io" % self.daemon.pid, encoding="ascii") as lines:
            return {name: int(count) for name, count in
                    (line.split(": ") for line in lines)}

    def test_readdirplus_brings_attributes_of_many_names(self):
        fd = os.open(self.point + "/directories/node", os.O_RDONLY)
        self.addCleanup(os.close, fd)
        names = os.listdir(fd)
        # The kernel goes on with READDIRPLUS where it sees the attributes asked
        # for; the first buffers always bring them.
        before = self.requests()
        self.assertGreater(before[b"READDIRPLUS"], 0)
        for name in names[:20]:
            os.stat(name, dir_fd=fd)
        self.assertEqual(self.requests() - before, {})

    def test_what_was_seen_once_is_not_asked_for_again(self):
        paths = [self.point + "/files/text", self.point + "/links/one"]
        nothing = self.point + "/files/nothing"
        for path in paths:
            os.stat(path)
        self.assertFalse(os.path.exists(nothing))
        before = self.requests()
        self.assertGreater(before[b"LOOKUP"], 2)
        time.sleep(1.5)  # libfuse's own default would be one second
        for path in paths:
            os.stat(path)
        self.assertFalse(os.path.exists(nothing))
        self.assertEqual(self.requests() - before, {})

    def test_data_is_spliced_not_copied(self):
        unwritten = 0x800  # FIEMAP_EXTENT_UNWRITTEN: zeros of the daemon's own
        record = max((r for r in self.kernel.values() if r.get("fiemap") and
                      not any(e[3] & unwritten for e in r["fiemap"])),
                     key=lambda r: sum(e[2] for e in r["fiemap"]))
        path = os.path.join(self.point, record["path"])
        os.stat(path)
        before = self.counts()
        with open(path, "rb", buffering=0) as file:
            size = 0
            for start, _, length, _ in record["fiemap"]:
                size += len(os.pread(file.fileno(), length, start))
        after = self.counts()
        self.assertGreater(size, 250000)
        for name in ("rchar", "wchar"):
            self.assertLess(after[name] - before[name], size // 2, name)


if __name__ == "__main__":
    unittest.main()
