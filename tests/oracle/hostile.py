# SPDX-License-Identifier: GPL-2.0-or-later
"""Images that lie.  Whatever an image says, the mount is refused with a
message, or every single answer is right data or EUCLEAN: no crash, no hang, no
unbounded memory, and what the lie does not concern stays readable.

  hostile.py --list
  hostile.py GROUP [--only NAME] [--count N] [--every N]

The groups of lies.py are written by xfs_db with valid checksums (`write -d`);
`flips` changes single bytes of metadata and leaves the checksums; `shapes` are
files that are cut, padded, empty, or no XFS at all; `v4` changes bytes of an
image without checksums.
"""
import argparse
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../support/python"))

from xfsjudge import contents  # noqa: E402
from xfsjudge import driver  # noqa: E402
from xfsjudge import manifest  # noqa: E402
from xfsjudge import oracle  # noqa: E402
from xfsjudge import v4  # noqa: E402
import lies  # noqa: E402

EUCLEAN = {"error": errno.EUCLEAN}
MEMORY_LIMIT = 600 << 20
# A hang is a minute of computing (SIGXCPU ends it), or a wait without any.
CPU_LIMIT = 60  # seconds
PATIENCE = 300  # seconds of wall time


def build_base(directory):
    image = os.path.join(directory, "base")
    oracle.mkfs(image, 60 << 20, "-d", "agsize=20m", "-n", "parent=1", "-i",
                "exchange=1,nrext64=1", "-m",
                "reflink=1,rmapbt=1,bigtime=1,inobtcount=1")
    with oracle.kernel_mount(image, "noatime") as point:
        lies.fill(point, contents)
    with oracle.kernel_mount(image, "ro") as point:
        records = manifest.view(point)
    return image, records


def daemon_memory(point):
    """Resident bytes of the daemon that serves `point`, by its arguments."""
    for pid in os.listdir("/proc"):
        if not pid.isdigit():
            continue
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                words = f.read().split(b"\0")
            if os.fsencode(point) in words:
                with open("/proc/%s/statm" % pid, encoding="ascii") as f:
                    return int(f.read().split()[1]) * 4096
        except (FileNotFoundError, ProcessLookupError):
            pass
    return None


def may_be_unreadable(lie, path, field):
    """Whether EUCLEAN is an answer: see `damaged` in lies.py."""
    if lie.damaged is None:
        return True
    return any(field in lie.damaged.get(p, ())
               for p in (path, lies.EVERYWHERE)) or any(
        path.startswith(d + "/") for d in lie.damaged)


def judge_view(records, found, lie):
    """Right data, or EUCLEAN where the lie allows it, field by field.  A lie
    about a field that nothing can check (an owner, a time) may show, for its
    victims only; a damaged directory hides what is below it."""
    wrong = []
    victims, may_change = lie.victims, lie.may_change
    by_path = {r.get("path"): r for r in found}
    damaged_directories = [
        r["path"] for r in found if "path" in r and any(
            r.get(name) == EUCLEAN and may_be_unreadable(lie, r["path"], name)
            for name in ("entries", "open", "stat"))]
    for record in records:
        path = record.get("path")
        if path is None:
            continue
        ours = by_path.pop(path, None)
        if ours is None:
            if not any(d == "." or path.startswith(d + "/")
                       for d in damaged_directories):
                wrong.append("%s: is missing, and its directory does not say"
                             " that it is damaged" % path)
            continue
        unreadable = [name for name, value in ours.items() if value == EUCLEAN
                      and name not in ("btime", "parents")
                      and not may_be_unreadable(lie, path, name)]
        if unreadable:
            wrong.append("%s: EUCLEAN in %s, which the lie does not concern"
                         % (path, ", ".join(unreadable)))
        if ours.get("stat") == EUCLEAN:
            continue
        if "lookup" in may_change and os.path.dirname(path) in victims and \
                ours.get("stat") == {"error": errno.ENOENT}:
            continue
        for name, expected in record.items():
            if name in ("btime", "parents"):
                continue
            value = ours.get(name)
            if value == expected or value == EUCLEAN:
                continue
            if value is None and ours.get("open") == EUCLEAN:
                continue
            if path in victims and name in may_change:
                continue
            wrong.append("%s: %s: expected %.120r or EUCLEAN, found %.120r"
                         % (path, name, expected, value))
    for path in by_path:
        if path is not None and not ("entries" in may_change and any(
                path.startswith(v) for v in victims)):
            wrong.append("%s: does not exist" % path)
    return wrong


# What is asked of an image, and of each victim of its lie.
ONDISK_IMAGE = (["info"], ["tree"], ["export", "/"], ["explain", "sb"],
                ["explain", "sb", "1"], ["explain", "log"],
                *(["explain", what, "0"] for what in ("agf", "agi", "agfl")),
                *(["explain", "btree", tree, "0"] for tree in (
                    "bnobt", "cntbt", "inobt", "finobt", "rmapbt",
                    "refcountbt")),
                ["explain", "block", "1"], ["explain", "daddr", "1"])
ONDISK_VICTIM = (*([command] for command in ("stat", "ls", "fiemap", "parents",
                                             "cat")),
                 *(["explain", what] for what in ("inode", "dir", "attr",
                                                  ("btree", "bmbt"))))
CAT_BYTES = 16 << 20


def ondisk_survives(image, victims=()):
    """`ondisk` ends by itself with 0 or 1, never by a signal."""
    questions = [([words[0], image, *words[1:]], None)
                 for words in ONDISK_IMAGE]
    for victim in sorted(victims):
        for command, *what in ONDISK_VICTIM:
            flat = [w for one in what
                    for w in ((one,) if isinstance(one, str) else one)]
            questions.append(([command, image, *flat, "/" + victim],
                              CAT_BYTES if command == "cat" else None))
    wrong = []
    for words, most in questions:
        name = "ondisk " + " ".join(w for w in words if w != image)
        process = subprocess.Popen(
            driver.limited([driver.program("ondisk"), *words], CPU_LIMIT),
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL if most is None else subprocess.PIPE)
        head = None
        if most is not None:
            head = subprocess.Popen(["head", "-c", str(most)],
                                    stdin=process.stdout,
                                    stdout=subprocess.DEVNULL)
            process.stdout.close()
            process.stdout = None
        try:
            error = process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            wrong.append(name + " hangs")
            continue
        finally:
            if head is not None:
                head.wait()
        code = process.returncode
        # `head` had enough.
        stopped = most is not None and code in (-signal.SIGPIPE,
                                                128 + signal.SIGPIPE)
        if code not in (0, 1) and not stopped:
            wrong.append("%s: exit %d: %r" % (name, code, error[-200:]))
        if code == 1 and not error.strip():
            wrong.append(name + ": exit 1 without a word")
    return wrong


def judge_image(image, records, lie):
    """(verdict, [what is wrong])"""
    try:
        with driver.mounted(image, timeout=PATIENCE,
                            cpu_limit=CPU_LIMIT) as point:
            if lie.must_refuse:
                return "mounted", ["mounted, must be refused"]
            script = ("import sys, json; sys.path.insert(0, %r)\n"
                      "from xfsjudge import driver\n"
                      "json.dump(driver.view(%r, tolerant=True), sys.stdout)"
                      % (sys.path[0], point))
            try:
                done = subprocess.run(
                    driver.limited([sys.executable, "-B", "-c", script],
                                   CPU_LIMIT),
                    capture_output=True, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return "hang", ["hangs"]
            if done.returncode != 0:
                return "died", ["view: " + done.stderr.decode()[-300:]]
            memory = daemon_memory(point)
            found = json.loads(done.stdout)
            if memory is None:
                return "died", ["the daemon is gone: it crashed, or computed"
                                " for %d s" % CPU_LIMIT]
            wrong = judge_view(records, found, lie)
            if memory > MEMORY_LIMIT:
                wrong.append("the daemon holds %d MiB" % (memory >> 20))
            seen = sorted({name for r in found for name, v in r.items()
                           if v == EUCLEAN})
            return "mounts, EUCLEAN in %s" % (", ".join(seen) or
                                              "nothing"), wrong
    except driver.MountRefused as refused:
        text = str(refused)
        if text.startswith("exit -") or "Sanitizer" in text:
            return "crash", ["crashed: " + text[-300:]]
        wrong = []
        if len(text.split(":", 1)[1].strip()) < 10:
            wrong.append("refused without a message")
        if lie.must_mount:
            wrong.append("refused, must mount: " + text[-200:])
        return "refused: " + text[-160:].replace("\n", " "), wrong
    except subprocess.TimeoutExpired:
        return "hang", ["mounting hangs"]


def run_lies(group, directory, only, every):
    base, records = build_base(directory)
    inodes = {r["path"]: r["ino"] for r in records if "ino" in r}
    failures = 0
    count = 0
    for lie in lies.GROUPS[group][::every]:
        if only and lie.name != only:
            continue
        image = os.path.join(directory, "lie")
        subprocess.run(["cp", "--sparse=always", base, image], check=True)
        commands = [c.format_map(lies.Inodes(inodes)) for c in lie.commands]
        said = oracle.db(image, *commands, write=True)
        if subprocess.run(["cmp", "-s", base, image]).returncode == 0:
            print("FAILS %s: xfs_db wrote nothing: %s" % (lie.name,
                                                          said[-200:]))
            failures += 1
            continue
        verdict, wrong = judge_image(image, records, lie)
        wrong += ondisk_survives(image, lie.victims)
        count += 1
        if wrong:
            failures += 1
        print("%s %s: %s" % ("FAILS" if wrong else "ok", lie.name, verdict),
              flush=True)
        for line in wrong[:6]:
            print("      " + line)
    print("%s: %d lies, %d failures" % (group, count, failures))
    return failures == 0


def metadata_bytes(image, records):
    """Offsets of bytes other than zero that are no file's contents."""
    data = set()
    for r in records:
        for _, physical, length, _ in r.get("fiemap", []):
            data.update(range(physical // 512, (physical + length) // 512))
    log, log_end = log_range(image)
    chosen = []
    with open(image, "rb") as f:
        sector = 0
        while True:
            bytes_ = f.read(512)
            if not bytes_:
                return chosen
            at = sector * 512
            if sector not in data and not log <= at < log_end:
                if any(bytes_):
                    chosen += [at + i for i, b in enumerate(bytes_) if b]
            sector += 1


def run_flips(directory, count, seed):
    """Checksums cover all metadata of a V5 image, so a flipped byte of a block
    that is read at all must be noticed."""
    base, records = build_base(directory)
    offsets = metadata_bytes(base, records)
    chance = random.Random(seed)
    failures = 0
    refused = noticed = unseen = 0
    image = os.path.join(directory, "flip")
    subprocess.run(["cp", "--sparse=always", base, image], check=True)
    lie = lies.Lie("flip", [], frozenset(), frozenset(), False, False)
    for i in range(count):
        at = chance.choice(offsets)
        with open(image, "r+b") as f:
            f.seek(at)
            old = f.read(1)
            f.seek(at)
            f.write(bytes([old[0] ^ (1 << chance.randrange(8))]))
        verdict, wrong = judge_image(image, records, lie)
        if i % 10 == 0:
            wrong += ondisk_survives(image)
        refused += verdict.startswith("refused")
        noticed += verdict.startswith("mounts, EUCLEAN in ") and \
            not verdict.endswith("nothing")
        unseen += verdict.endswith("nothing")
        if wrong:
            failures += 1
            print("FAILS byte %d (block %d + %d): %s" % (
                at, at // 4096, at % 4096, verdict))
            for line in wrong[:6]:
                print("      " + line)
        with open(image, "r+b") as f:
            f.seek(at)
            f.write(old)
    print("flips: %d bytes: %d refused, %d answered by EUCLEAN, %d not met; "
          "%d failures (seed %d)" % (count, refused, noticed, unseen, failures,
                                     seed))
    return failures == 0


def run_v4(directory, count, seed):
    """No checksum covers a V4 image, so that a changed byte may show: only
    crashes, hangs and memory are judged, of images with 20 bytes changed."""
    base = os.path.join(directory, "base")
    v4.build(base, 64 << 20, "-n", "ftype=1")
    with driver.mounted(base) as point:
        records = driver.view(point)
    offsets = [at for at in metadata_bytes(base, records) if at >= 512]
    chance = random.Random(seed)
    anything = lies.Lie("", [], frozenset([""]), frozenset(["entries"]),
                        False, False)
    failures = 0
    image = os.path.join(directory, "lie")
    for i in range(count):
        subprocess.run(["cp", "--sparse=always", base, image], check=True)
        changed = sorted(chance.sample(offsets, 20))
        with open(image, "r+b") as f:
            for at in changed:
                f.seek(at)
                old = f.read(1)[0]
                f.seek(at)
                f.write(bytes([chance.choice((
                    0, 0xff, old ^ 1 << chance.randrange(8), old - 1))]))
        verdict, wrong = judge_image(image, [], anything)
        wrong += ondisk_survives(image, (
            "directories/node", "collided/leaf", "files/holes",
            "attributes/node"))
        failures += bool(wrong)
        print("%s image %d: %s" % ("FAILS" if wrong else "ok", i, verdict),
              flush=True)
        for line in wrong[:6]:
            print("      " + line)
        if wrong:
            print("      changed bytes: %s" % changed)
    print("v4: %d images of %d bytes of metadata, %d failures (seed %d)" % (
        count, len(offsets), failures, seed))
    return failures == 0


def run_shapes(directory):
    base, records = build_base(directory)
    size = os.path.getsize(base)
    refuse = lies.Lie("", [], frozenset(), frozenset(), True, False)
    accept = lies.Lie("", [], frozenset(), frozenset(), False, True, {})

    def cut(length):
        def change(path):
            os.truncate(path, length)
        return change

    def put(offset, data):
        def change(path):
            with open(path, "r+b") as f:
                f.seek(offset)
                f.write(data)
        return change
    shapes = [
        ("cut to 40 MiB", cut(40 << 20), refuse),
        ("last sector missing", cut(size - 512), refuse),
        ("larger than the filesystem", cut(size + (1 << 30) + 5), accept),
        ("empty", cut(0), refuse),
        ("one byte", cut(1), refuse),
        ("first sector only", cut(512), refuse),
        ("first sector zero", put(0, b"\0" * 512), refuse),
        ("a superblock byte changed", put(110, b"X"), refuse),
        ("text", put(0, b"#!/bin/sh\necho hello\n" * 400), refuse),
        ("ext4 magic", put(0, b"\0" * 1024 + b"\0" * 56 + b"\x53\xef"),
         refuse),
        ("a secondary superblock zero",
         put(20 << 20, b"\0" * 512), accept),
        # As the kernel: the superblock's LSN is ahead of such a log.
        ("log all zero", None, refuse),
    ]
    failures = 0
    for name, change, lie in shapes:
        image = os.path.join(directory, "shape")
        subprocess.run(["cp", "--sparse=always", base, image], check=True)
        if change is None:
            first, last = log_range(image)
            change = put(first, b"\0" * (last - first))
        change(image)
        verdict, wrong = judge_image(image, records, lie)
        wrong += ondisk_survives(image)
        failures += bool(wrong)
        print("%s %s: %s" % ("FAILS" if wrong else "ok", name, verdict))
        for line in wrong[:6]:
            print("      " + line)
    print("shapes: %d images, %d failures" % (len(shapes), failures))
    return failures == 0


def log_range(image):
    text = oracle.db(image, "sb 0",
                     "p logstart logblocks blocksize agblocks agblklog")
    v = {line.split(" = ")[0]: int(line.split(" = ")[1])
         for line in text.splitlines()}
    start = v["logstart"]
    first = ((start >> v["agblklog"]) * v["agblocks"] +
             (start & ((1 << v["agblklog"]) - 1))) * v["blocksize"]
    return first, first + v["logblocks"] * v["blocksize"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--every", type=int, default=1,
                        help="tell only each Nth lie of the group")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("group", nargs="?")
    wanted = parser.parse_args()
    if wanted.list:
        print("\n".join(list(lies.GROUPS) + ["flips", "v4", "shapes"]))
        return 0
    oracle.require()
    os.umask(0o022)
    directory = oracle.scratch("hostile-" + wanted.group)
    try:
        if wanted.group == "flips":
            good = run_flips(directory, wanted.count, wanted.seed)
        elif wanted.group == "v4":
            good = run_v4(directory, wanted.count // 8, wanted.seed)
        elif wanted.group == "shapes":
            good = run_shapes(directory)
        else:
            good = run_lies(wanted.group, directory, wanted.only,
                            wanted.every)
    finally:
        if "FUSEXFS_KEEP_IMAGES" in os.environ:
            print("kept: " + directory)
        else:
            shutil.rmtree(directory)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
