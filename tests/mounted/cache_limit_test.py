# SPDX-License-Identifier: GPL-2.0-or-later
"""`cache=SIZE` limits the memory that the daemon keeps blocks and inodes in."""
import os
import re
import shutil
import subprocess
import unittest

from daemon_case import daemons_of, driver, oracle, wait_until

FILES = 20000
MIB = 1024  # in the kB of /proc


class CacheLimit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        oracle.require()
        scratch = oracle.scratch("cache-limit")
        cls.addClassCleanup(shutil.rmtree, scratch)
        cls.image = os.path.join(scratch, "image")
        oracle.mkfs(cls.image, 320 << 20, "-i", "size=512")
        with oracle.kernel_mount(cls.image) as root:
            for i in range(FILES):
                if i % 1000 == 0:
                    os.mkdir("%s/%d" % (root, i // 1000))
                os.mknod("%s/%d/%d" % (root, i // 1000, i))

    def growth(self, limit):
        """kB that the daemon's own memory grows by while all inodes are read."""
        with driver.mounted(self.image, "cache=" + limit) as point:
            # The process that was started may not have ended yet.
            wait_until(lambda: len(daemons_of(self.image)) == 1)
            pid, = daemons_of(self.image)

            def used():
                with open("/proc/%d/status" % pid, encoding="ascii") as status:
                    return int(re.search(r"RssAnon:\s+(\d+)",
                                         status.read())[1])
            before = used()
            found = subprocess.run(
                ["find", point, "-type", "f", "-size", "0", "-printf", "x"],
                stdout=subprocess.PIPE, check=True, timeout=300)
            self.assertEqual(len(found.stdout), FILES)
            return used() - before

    def test_a_small_limit_holds_and_a_large_one_is_used(self):
        # The inodes alone are 10 MiB of the image.
        self.assertGreater(self.growth("256M"), 12 * MIB)
        self.assertLess(self.growth("4M"), 8 * MIB)
        self.assertLess(self.growth("1M"), 5 * MIB)


if __name__ == "__main__":
    unittest.main()
