# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the image of one case of the matrix, and judges: the kernel's view
against that of a fusexfs mount, FIEMAP of sub-ranges, the paths that parent
pointers give, and `ondisk`'s view of the same image.

  run_case.py NAME          exit 0 if all agree
  run_case.py --list [--long]
  run_case.py --kernel-only NAME    judge the kernel against itself: proves
                            that a case can be built, and that the judge works
"""
import argparse
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../support/python"))

from xfsjudge import compare  # noqa: E402
from xfsjudge import contents  # noqa: E402
from xfsjudge import db_view  # noqa: E402
from xfsjudge import directory_stream  # noqa: E402
from xfsjudge import driver  # noqa: E402
from xfsjudge import forms  # noqa: E402
from xfsjudge import ioctls  # noqa: E402
from xfsjudge import manifest  # noqa: E402
from xfsjudge import oracle  # noqa: E402
from xfsjudge import v4  # noqa: E402
import matrix  # noqa: E402
import ondisk_view  # noqa: E402


class Report:
    def __init__(self, limit=25):
        self.limit = limit
        self.count = 0

    def add(self, lines):
        for line in lines:
            self.count += 1
            if self.count <= self.limit:
                print("DIFFERS " + line)

    def check(self, condition, message):
        if not condition:
            self.add([message])


def build(case, directory):
    image = os.path.join(directory, "image")
    log = None
    options = case.options
    if case.external_log:
        log = os.path.join(directory, "log")
        with open(log, "wb") as new:
            new.truncate(case.external_log)
        options = [o.replace("EXTERNAL", log) for o in options]
    oracle.mkfs(image, case.size, *options)
    with oracle.kernel_mount(image, "noatime", log=log) as point:
        contents.fill(point, *case.contents)
    if case.db:
        oracle.db(image, *case.db, write=True)
    clean, text = oracle.repair_is_clean(
        image, *(["-l", log] if log else []))
    if not clean:
        raise RuntimeError("xfs_repair finds damage in what the kernel wrote:"
                           "\n" + text)
    return image, log


def judge_forms(report, name, image):
    """The image has the forms that the case is there for."""
    wanted = matrix.FORMS.get(name, {})
    asked = forms.Forms(image)
    try:
        for path, form in wanted.items():
            found = asked.of(path)
            report.check(forms.fits(form, found), "%s: expected the form %s,"
                         " xfs_db finds %s" % (path, form, found))
    finally:
        asked.close()
    return len(wanted)


def judge_ranges(report, records, kernel, ours, our_fiemap):
    """FIEMAP of parts of files; hard links once; at most 300 files."""
    seen = set()
    for record in records:
        if "fiemap" not in record or record["ino"] in seen or len(seen) > 300:
            continue
        if not record["fiemap"] and record["size"] == 0:
            continue
        seen.add(record["ino"])
        path = manifest.unquote(record["path"])
        a = os.open(os.path.join(os.fsencode(kernel), path), os.O_RDONLY)
        b = os.open(os.path.join(os.fsencode(ours), path), os.O_RDONLY)
        try:
            for start, length in compare.ranges(record):
                expected = ioctls.fiemap(a, start, length)
                found = our_fiemap(b, start, length)
                if expected != found:
                    report.add(["%s: FIEMAP of %d bytes from %d: expected %s, "
                                "found %s" % (record["path"], length, start,
                                              expected[:3], found[:3])])
                    break
        finally:
            os.close(a)
            os.close(b)
    return len(seen)


def judge_seeking(report, records, ours):
    """In directories of 1000 names and more: no two places have one cookie, and
    from each of some thousands seekdir goes on as the first reading did."""
    chance = random.Random(1)
    sought = 0
    for record in records:
        if len(record.get("entries", ())) < 1000:
            continue
        path = manifest.unquote(record["path"])
        stream = directory_stream.Directory(os.path.join(os.fsencode(ours),
                                                         path))
        cookies = [stream.tell()]
        entries = []
        for entry in iter(stream.next, None):
            entries.append(entry)
            cookies.append(stream.tell())
        report.check(len(set(cookies)) == len(cookies),
                     "%s: %d cookies are not unique" % (
                         record["path"], len(cookies) - len(set(cookies))))
        places = chance.sample(range(len(entries)), min(3000, len(entries)))
        for count, place in enumerate(places + [len(entries)]):
            stream.seek(cookies[place])
            wanted = entries[place:place + (400 if count % 100 == 0 else 2)]
            found = [stream.next() for _ in wanted or [None]]
            report.check(found == (wanted or [None]),
                         "%s: after seekdir to entry %d: expected %s, found %s"
                         % (record["path"], place, wanted[:2], found[:2]))
            sought += 1
        stream.close()
    return sought


def judge_paths(report, records, ours, has_parents):
    """Parent pointers must give just the paths that the walk found."""
    by_inode = {}
    for record in records:
        if "ino" in record:
            by_inode.setdefault(record["ino"], []).append(
                manifest.unquote(record["path"]))
    checked = 0
    for ino, expected in by_inode.items():
        path = os.path.join(os.fsencode(ours), expected[0])
        found = driver.paths(path)
        if not has_parents:
            report.check(found is None, "%s: paths without parent pointers"
                         % manifest.quote(expected[0]))
            return 1
        expected = sorted(b"" if p == b"." else p for p in expected)
        report.check(found is not None and sorted(found) == expected,
                     "inode %d: paths: expected %s, found %s" % (
                         ino, expected[:3], (found or ["none"])[:3]))
        checked += 1
        if checked == 3000:
            break
    return checked


def judge(case, directory, kernel_only):
    report = Report()
    image, log = build(case, directory)
    formed = judge_forms(report, case.name, image)
    # SEEK_DATA counts unwritten blocks as data once their pages are cached,
    # so each view is taken on a mount of its own.
    with oracle.kernel_mount(image, "ro", log=log) as kernel:
        expected = manifest.view(kernel)
    if kernel_only:
        with oracle.kernel_mount(image, "ro", log=log) as kernel:
            report.add(compare.differences(expected, manifest.view(kernel)))
            judge_ranges(report, expected, kernel, kernel, ioctls.fiemap)
        print("%s: %d paths, the kernel against itself" % (
            case.name, len(expected) - 1))
        return report
    with oracle.kernel_mount(image, "ro", log=log) as kernel:
        with driver.mounted(image, log=log) as ours:
            found = driver.view(ours)
            report.add(compare.differences(expected, found,
                                           ignore=compare.NOT_OVER_FUSE))
            files = judge_ranges(report, expected, kernel, ours, driver.fiemap)
            sought = judge_seeking(report, expected, ours)
            has_parents = any("parents" in r for r in expected)
            paths = judge_paths(report, expected, ours, has_parents)
    offline = ondisk_view.judge(report, image, log, expected)
    print("%s: %d forms, %d paths through the mount, FIEMAP ranges of %d files,"
          " paths of %d inodes, %d seekdirs, %s" % (
              case.name, formed, len(expected) - 1, files, paths, sought,
              offline))
    return report


def judge_v4(name, options, scale, directory, kernel_only):
    report = Report()
    image = os.path.join(directory, "image")
    xattrs = v4.build(image, 64 << 20, *options.split(), scale=scale)
    clean, text = oracle.repair_is_clean(image)
    report.check(clean, "xfs_repair finds damage: " + text)
    judge_forms(report, name, image)
    expected = list(db_view.view(image, xattrs))
    if kernel_only:
        print("%s: %d paths in xfs_db's view" % (name, len(expected)))
        return report
    with driver.mounted(image) as ours:
        found = driver.view(ours)
        report.add(compare.differences(compare.as_mounted(expected),
                                       found, only_expected=True))
    offline = ondisk_view.judge(report, image, None, expected)
    print("%s: %d paths against xfs_db, %s" % (name, len(expected), offline))
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--kernel-only", action="store_true")
    parser.add_argument("name", nargs="?")
    wanted = parser.parse_args()
    if wanted.list:
        for case in matrix.CASES:
            if case.long == wanted.long:
                print(case.name)
        for name, _, _ in [] if wanted.long else matrix.V4_CASES:
            print(name)
        return 0
    if wanted.name is None:
        parser.error("which case? --list and --list --long tell their names")
    oracle.require()
    os.umask(0o022)
    directory = oracle.scratch("case-" + wanted.name)
    try:
        for name, options, scale in matrix.V4_CASES:
            if name == wanted.name:
                report = judge_v4(name, options, scale, directory,
                                  wanted.kernel_only)
                break
        else:
            report = judge(matrix.find(wanted.name), directory,
                           wanted.kernel_only)
    finally:
        if "FUSEXFS_KEEP_IMAGES" in os.environ:
            print("kept: " + directory)
        else:
            shutil.rmtree(directory)
    if report.count:
        print("%s: %d differences" % (wanted.name, report.count))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
