# SPDX-License-Identifier: GPL-2.0-or-later
"""`ondisk explain` against xfs_db: the same structures of one image, field by
field. xfs_db decodes the bytes by itself, so a field that we read at a wrong
place, with a wrong size or with a wrong name differs.

  ondisk_values.py [--keep]
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../support/python"))

from xfsjudge import driver  # noqa: E402
from xfsjudge import oracle  # noqa: E402

# xfs_db's names for fields that we call as the kernel's structures do.
_NAMES = {"bno": "blkno"}
_INODE_NAMES = {"nlinkv2": "nlink", "naextents": "anextents",
                "change_count": "changecount", "inumber": "ino"}
_TREES = {"bnobt": "agf", "cntbt": "agf", "rmapbt": "agf",
          "refcountbt": "agf", "inobt": "agi", "finobt": "agi"}
_DB_TYPES = {"refcountbt": "refcntbt"}
_ROOTS = {"bnobt": "bnoroot", "cntbt": "cntroot", "rmapbt": "rmaproot",
          "refcountbt": "refcntroot", "inobt": "root", "finobt": "free_root"}


class Comparison:
    def __init__(self, image):
        self.image = image
        self.differences = []
        self.compared = 0

    def db(self, *commands):
        return oracle.db(self.image, *commands)

    def explain(self, *what):
        code, out, error = driver.ondisk("explain", "--json", self.image,
                                         *map(str, what), check=False)
        if code != 0:
            self.differences.append("explain %s: exit %d: %s" % (
                " ".join(map(str, what)), code, error))
        return json.loads(out)

    def check(self, what, name, expected, found):
        self.compared += 1
        if expected != found:
            self.differences.append("%s: %s: xfs_db has %r, we have %r" % (
                what, name, expected, found))

    def fields(self, what, text, explanation, least, names=None):
        """Compares fields of one name; at least `least` of them."""
        ours = our_fields(explanation)
        before = self.compared
        for name, value in db_fields(text).items():
            name = (names or {}).get(name, name)
            if name in ours and value is not None:
                self.check(what, name, value, our_value(ours[name], value))
        if self.compared - before < least:
            self.differences.append(
                "%s: only %d fields have the name that xfs_db gives them; it "
                "has %s, we have %s" % (what, self.compared - before,
                                        sorted(db_fields(text))[:40],
                                        sorted(ours)[:40]))


def db_fields(text):
    """"core.size = 15" -> {"size": 15}; values that are no number, text or
    UUID are None."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"([\w.\[\]]+) = (.*)$", line)
        if not match:
            continue
        name, value = match.groups()
        while re.match(r"(core|v3|u3|a|[bdlfn]?hdr|info|btail|sfdir3|sfattr)"
                       r"\.", name):
            name = name.split(".", 1)[1]
        name = re.sub(r"^du\[", "bu[", name)
        name = re.sub(r"^[lfn](ents|bests|btree)\[", r"\1[", name)
        found[_NAMES.get(name, name)] = db_value(value.strip())
    return found


def our_fields(explanation):
    """By name. Entries of a directory block, which we call by their place
    ("entry at 64: inumber"), are numbered as xfs_db does ("bu[0].inumber")."""
    ours = {}
    entries = []
    for field in explanation["fields"]:
        entry = re.match(r"(?:unused )?entry at (\w+): (\w+)", field["name"])
        name = field["name"]
        if entry:
            if entry.group(1) not in entries:
                entries.append(entry.group(1))
            name = "bu[%d].%s" % (len(entries) - 1, entry.group(2))
        ours.setdefault(name, field)
    return ours


def db_value(text):
    if text == "null":
        return "null"
    if re.fullmatch(r"0[0-7]+", text):
        return int(text, 8)
    match = re.match(r"(0x[0-9a-f]+|-?\d+)( \(.*\))?$", text)
    if match:
        return int(match.group(1), 0)
    if re.fullmatch(r'"[\w. -]{1,64}"', text):
        return text.strip('"')
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text):
        return text
    return None


def our_value(field, like):
    raw = bytes.fromhex(field["raw"].replace("...", ""))
    if like == "null":
        return "null" if raw == b"\xff" * len(raw) else field["value"]
    if isinstance(like, str):
        return field["value"].strip('"')
    return int.from_bytes(raw, "big")  # checksums too: xfs_db has it so


def db_records(text, kind):
    """"recs[1-2] = [a,b]\\n1:[5,6] 2:[7,8]" -> [{"a": 5, "b": 6}, ...]."""
    match = re.search(kind + r"\[1(?:-\d+)?\] = \[([\w,]+)\]\s*(.*?)"
                      r"(?=\n\w+\[|\Z)", text, re.S)
    if not match:
        return []
    names = match.group(1).split(",")
    return [dict(zip(names, (int(v, 0) for v in values.split(","))))
            for values in re.findall(r"\d+:\[([^\]]*)\]", match.group(2))]


def our_words(text):
    """"startblock 5 blockcount 6" -> {"startblock": 5, "blockcount": 6}."""
    return {name: int(value, 0) for name, value in
            re.findall(r"(\w+) (0x[0-9a-f]+|\d+)", text)}


def headers(compare, ag_count):
    for ag in (0, ag_count - 1):
        compare.fields("sb %d" % ag, compare.db("sb %d" % ag, "print"),
                       compare.explain("sb", ag)[0], 45)
        compare.fields("agf %d" % ag, compare.db("agf %d" % ag, "print"),
                       compare.explain("agf", ag)[0], 22)
        text = compare.db("agi %d" % ag, "print")
        compare.fields("agi %d" % ag, text, compare.explain("agi", ag)[0], 15)
        text = compare.db("agfl %d" % ag, "print")
        ours = compare.explain("agfl", ag)[0]
        compare.fields("agfl %d" % ag, text, ours, 4)
        slots = [b for _, b in re.findall(r"(\d+):(null|\d+)", text)]
        found = [f["value"].replace("none", "null") for f in ours["fields"]
                 if re.match(r"bno\[\d+\]", f["name"])]
        compare.check("agfl %d" % ag, "slots", slots, found)


def tree(compare, name, ag):
    """The root and the leftmost block of every level."""
    header = db_fields(compare.db("%s %d" % (_TREES[name], ag), "print"))
    at = header[_ROOTS[name]]
    blocks = compare.explain("btree", name, ag)
    by_block = {}
    for block in blocks:
        found = re.search(r"AG \d+ block (\d+)", block["where"])
        by_block[int(found.group(1))] = block
    levels = 0
    while True:
        levels += 1
        what = "%s of AG %d, block %d" % (name, ag, at)
        text = compare.db("convert agno %d agbno %d fsb" % (ag, at))
        fsb = re.search(r"0x([0-9a-f]+)", text).group(0)
        text = compare.db("fsblock " + str(int(fsb, 16)), "type " + _DB_TYPES.get(name, name), "print")
        ours = by_block[at]
        compare.fields(what, text, ours, 10)
        records = [our_words(f["value"]) for f in ours["fields"]
                   if re.match(r"recs\[", f["name"])]
        expected = db_records(text, "recs")
        compare.check(what, "number of records", len(expected), len(records))
        for i, (a, b) in enumerate(zip(expected, records)):
            same = set(a) & set(b)
            if name == "rmapbt" and b.get("owner") is None:
                same.discard("owner")  # we name the owner in words
            compare.check(what, "record %d" % i, {n: a[n] for n in same},
                          {n: b[n] for n in same})
            if len(same) < 2:
                compare.differences.append("%s: record %d: %s, %s" % (
                    what, i, a, b))
        pointers = [int(f["value"]) for f in ours["fields"]
                    if re.match(r"ptrs\[", f["name"])]
        match = re.search(r"ptrs\[1(?:-\d+)?\] = (.*)$", text, re.M)
        if not match:
            return levels
        expected = [int(v) for _, v in
                    re.findall(r"(\d+):(\d+)", match.group(1))]
        compare.check(what, "pointers", expected, pointers)
        at = expected[0]


def inodes(compare, point_inodes):
    for path, ino in point_inodes.items():
        text = compare.db("inode %d" % ino, "print")
        ours = compare.explain("inode", ino)[0]
        compare.fields("inode of " + path, text, ours, 20, _INODE_NAMES)
        extents = db_records(
            re.sub(r"u3.bmx\[0", "recs[1", text), "recs")
        found = []
        for part in ours["parts"]:
            if part["structure"].startswith("data fork: extent"):
                found = [our_words(f["value"]) for f in part["fields"]]
        for i, (a, b) in enumerate(zip(extents, found)):
            same = set(a) & set(b)
            compare.check("inode of " + path, "extent %d" % i,
                          {n: a[n] for n in same}, {n: b[n] for n in same})


def blocks(compare, what, ino, kind, count):
    """The first blocks of a directory's or attribute fork."""
    command = "dblock" if kind == "dir" else "ablock"
    ours = compare.explain(kind, ino)
    seen = 0
    for block in ours:
        at = re.search(r"fork block (\d+)", block["where"])
        if not at:
            continue
        text = compare.db("inode %d" % ino, "%s %s" % (command, at.group(1)),
                          "print")
        compare.fields("%s, fork block %s (%s)" % (what, at.group(1),
                                                   block["structure"]),
                       text, block, 8)
        seen += 1
        if seen == count:
            break
    compare.check(what, "has blocks", True, seen > 0)


def fill(point):
    def make(path, data=b""):
        with open(os.path.join(point, path), "wb") as new:
            new.write(data)

    for directory, count in (("block", 40), ("leaf", 200), ("node", 4000)):
        os.mkdir(os.path.join(point, directory))
        for i in range(count):
            make("%s/name-%05d" % (directory, i))
    make("small", b"text\n")
    os.symlink("small", os.path.join(point, "link"))
    os.symlink("x" * 900, os.path.join(point, "long-link"))
    make("attributes")
    for i in range(200):
        os.setxattr(os.path.join(point, "attributes"), "user.name%d" % i,
                    b"v" * (i % 50))
    os.setxattr(os.path.join(point, "attributes"), "user.remote", b"r" * 9000)
    make("few-attributes")
    for i in range(40):
        os.setxattr(os.path.join(point, "few-attributes"), "user.n%d" % i,
                    b"v" * 30)
    with open(os.path.join(point, "sparse"), "wb") as new:
        for i in range(5):
            new.seek(i << 20)
            new.write(b"data" * 1024)
    # Fragments, so that the trees of AG 0 grow beyond their roots.
    with open(os.path.join(point, "fragments"), "wb") as new:
        for i in range(3000):
            new.seek(i << 13)
            new.write(b"f" * 4096)
            if i % 100 == 0:
                new.flush()
    subprocess.run(["cp", "--reflink=always", os.path.join(point, "sparse"),
                    os.path.join(point, "shared")], check=True)
    os.sync()
    return {name: os.lstat(os.path.join(point, name)).st_ino
            for name in os.listdir(point)}


def main():
    oracle.require()
    directory = oracle.scratch("ondisk-values")
    image = os.path.join(directory, "image")
    try:
        oracle.mkfs(image, 320 << 20, "-d", "agcount=4", "-n", "parent=1",
                    "-i", "exchange=1,nrext64=1", "-m",
                    "reflink=1,rmapbt=1,bigtime=1,inobtcount=1")
        with oracle.kernel_mount(image, "noatime") as point:
            numbers = fill(point)
        compare = Comparison(image)
        headers(compare, 4)
        levels = 0
        for name in _TREES:
            for ag in (0, 3):
                levels = max(levels, tree(compare, name, ag))
        compare.check("trees", "one has more than a root", True, levels > 1)
        inodes(compare, numbers)
        for name in ("block", "leaf", "node"):
            blocks(compare, "directory " + name, numbers[name], "dir", 6)
        for name in ("attributes", "few-attributes"):
            blocks(compare, name, numbers[name], "attr", 6)
    finally:
        if "--keep" in sys.argv:
            print("kept: " + directory)
        else:
            shutil.rmtree(directory)
    for line in compare.differences[:40]:
        print("DIFFERS " + line)
    print("%d values compared with xfs_db, %d differ" % (
        compare.compared, len(compare.differences)))
    return 1 if compare.differences else 0


if __name__ == "__main__":
    sys.exit(main())
