# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the public cases of ../shared/cases (where that folder exists) against
our driver: the build steps go to the kernel, the looking to fusexfs.

  shared_cases.py --list CASES-DIRECTORY
  shared_cases.py CASES-DIRECTORY NAME

Class A: the EXPECT lines must be those in expected/. Class D: the scripts are
made to mount with fusexfs; nothing may hang, what the kernel refuses to mount
or calls corrupt we must not show as sound, and what it shows as sound we must
show too, but for the images of STRICTER and NEEDS_RECOVERY.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../support/python"))

from xfsjudge import driver  # noqa: E402
from xfsjudge import oracle  # noqa: E402

MOUNTER = """#!/bin/sh
# CMD IMAGE MOUNTPOINT [-o opts]
image=$1 point=$2
exec "%s" -o ro "$image" "$point"
"""


def expect_lines(text):
    found = {}
    for line in text.splitlines():
        if not line.startswith("EXPECT: "):
            continue
        line = line[len("EXPECT: "):]
        # Which features mkfs.xfs turns on by itself differs by its version.
        line = re.sub(r" incompat 0x[0-9a-f]+ 0x[0-9a-f]+", "", line).strip()
        word = re.sub(r"^\d+$", "N", re.split(r"[ :]", line, maxsplit=1)[0])
        number = sum(key.startswith(word + "#") for key in found)
        found["%s#%d" % (word, number)] = line
    return found


def run(cases, name, directory, by_us):
    work = os.path.join(directory, "work")
    scripts = os.path.join(directory, "scripts")
    shutil.copytree(cases, scripts, ignore=shutil.ignore_patterns(
        "img", "expected"))
    os.mkdir(work)
    mounter = os.path.join(directory, "mounter")
    with open(mounter, "w", encoding="ascii") as out:
        out.write(MOUNTER % driver.program("fusexfs"))
    os.chmod(mounter, 0o755)
    environment = {**os.environ, "SID": oracle.ROOT, "OUT": work}
    if by_us:
        environment["RO_MOUNTER"] = mounter
        if name.startswith("D"):
            library = os.path.join(scripts, "lib.sh")
            with open(library, encoding="utf-8") as f:
                text = f.read()
            text = re.sub(r'if kmount loop "\$OUT/\$n" ',
                          'if $RO_MOUNTER "$OUT/$n" "$MNT" >"$OUT/$n.err" ',
                          text)
            with open(library, "w", encoding="utf-8") as f:
                f.write(text)
            script = os.path.join(scripts, name + ".sh")
            with open(script, encoding="utf-8") as f:
                text = f.read()
            text = re.sub(r"mount -t xfs -o loop(?:,ro)? (\S+) \$MNT",
                          r'$RO_MOUNTER \1 "$MNT"', text)
            with open(script, "w", encoding="utf-8") as f:
                f.write(text)
    done = subprocess.run(["bash", os.path.join(scripts, name + ".sh")],
                          env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=1500)
    return done.stdout.decode("utf-8", "replace")


def judge_reading(name, expected, found, text):
    wrong = []
    for key, line in expected.items():
        ours = found.get(key)
        if ours == line:
            continue
        # The numbers of this case depend on mkfs.xfs's version.
        if name.startswith("A10") and ours is not None:
            counts = re.match(r"(\d+) files, all stat ok: (\d+)", ours)
            if counts and counts.group(1) == counts.group(2) != "0":
                continue
        if name.startswith("A21"):
            image = key.split("#")[0]
            if "%s: mkfs refused" % image in text:
                continue
        wrong.append("expected: %s\n     found: %s" % (line, ours))
    return wrong


# Here the kernel shows the damaged file as sound; we find it corrupt, as
# xfs_repair does: nanoseconds beyond a second, records of a leaf out of order.
STRICTER = {"D04.nsec_bad.img", "D04.leaf_unsorted.img"}

# The kernel mounts these by recovering the log, which we cannot yet: the mount
# is refused.
NEEDS_RECOVERY = {"D07.%s.img" % name for name in (
    "hsize0", "hsize512", "hsize_huge", "hsize_64k", "hsize_1g",
    "tail_hsize_16k")}


def mount_verdict(line):
    """Whether an image mounts, without the reasons, which differ in words."""
    return re.sub(r"mount refused.*", "mount refused",
                  re.sub(r"; op: .*| \| .*", "", line))


def operations(line):
    found = re.search(r"; op: (.*?)(?: \| repair|$)", line)
    return found.group(1) if found else ""


def judge_inode(kernel, line):
    """D04: size; bytes read; length of the link; number of attributes."""
    if mount_verdict(kernel) != mount_verdict(line):
        return False
    known = re.match(r"(\d+);(\d+);\d+;\d+;", operations(kernel))
    ours = operations(line)
    if not known:
        return "cleaning" in line or "mount refused" in line
    size, read = known.groups()
    if line.split(":")[0] in STRICTER:
        return not ours.startswith("%s;%s;" % (size, size))
    if read == size:
        return ours.startswith(known.group())
    # The file's end cannot be read; `read` counts the words of the error.
    return ours.startswith(size + ";") and not ours.startswith(
        "%s;%s;" % (size, size))


def judge_directory(kernel, line):
    """D05: errors of ls and the names listed; then the answer for a name that
    is not there."""
    known = re.match(r"(.*?)st=(\d);(No such|cleaning)?", operations(kernel))
    ours = re.match(r"(.*?)st=(\d);(No such|cleaning)?", operations(line))
    return mount_verdict(kernel) == mount_verdict(line) and (
        not known or (ours is not None and known.group(1, 3) ==
                      ours.group(1, 3) and
                      (known.group(2) != "0" or ours.group(2) == "0")))


def judge_damage(name, expected, found, text):
    wrong = []
    if len(found) < len(expected):
        wrong.append("only %d of %d images were tried; the last lines: %s" % (
            len(found), len(expected), text[-300:]))
    for key, line in found.items():
        kernel = expected.get(key, "")
        if "Killed" in line or "Transport endpoint" in line or \
                "not connected" in line:
            wrong.append("the daemon died: " + line)
        if name.startswith("D01") and "mount refused" not in line:
            wrong.append("expected: %s\n     found: %s" % (kernel, line))
        if name.startswith("D08") and "V4" not in line and \
                line.split(":")[-1].strip() != kernel.split(":")[-1].strip():
            wrong.append("expected: %s\n     found: %s" % (kernel, line))
        image = line.split(":")[0]
        right = True
        if name.startswith("D02"):
            right = mount_verdict(kernel) == mount_verdict(line)
        if name.startswith("D04"):
            right = judge_inode(kernel, line)
        if name.startswith("D05"):
            right = judge_directory(kernel, line)
        if name.startswith("D07"):
            right = mount_verdict(line) == (
                image + ": mount refused" if image in NEEDS_RECOVERY
                else mount_verdict(kernel))
        if not right:
            wrong.append("expected: %s\n     found: %s" % (kernel, line))
    return wrong


def main():
    if sys.argv[1] == "--list":
        names = sorted(n[:-3] for n in os.listdir(sys.argv[2])
                       if re.match(r"[AD]\d\d_.*\.sh$", n))
        print("\n".join(names))
        return 0
    cases, name = sys.argv[1:3]
    oracle.require()
    with open(os.path.join(cases, "expected", name + ".txt"),
              encoding="utf-8") as f:
        expected = expect_lines(f.read())
    directory = oracle.scratch("shared-" + name)
    try:
        text = run(cases, name, directory, by_us="--kernel" not in sys.argv)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    found = expect_lines(text)
    judge = judge_reading if name.startswith("A") else judge_damage
    wrong = judge(name, expected, found, text)
    for line in wrong:
        print("FAILS " + line)
    if wrong:
        print(text)
    print("%s: %d lines, %d wrong" % (name, len(found), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
