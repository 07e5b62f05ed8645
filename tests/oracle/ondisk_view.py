# SPDX-License-Identifier: GPL-2.0-or-later
"""What `ondisk` says of an image, against the manifest that the kernel (or, of
V4 images, xfs_db) gave of it, and against xfs_info.

Every directory is listed; of files a sample is read, in the order of their
paths and spread over all of them; everything is exported and unpacked again;
every header, every tree and a sample of inodes must be explained without a
check that fails.
"""
import json
import os
import shutil
import subprocess
import zlib

from xfsjudge import compare
from xfsjudge import driver
from xfsjudge import manifest
from xfsjudge import oracle

_FILES = 8  # of each kind of question
_DIRECTORIES = 16


def _sample(items, count):
    items = list(items)
    step = max(1, len(items) // count)
    return items[::step][:count]


class _Judge:
    def __init__(self, report, image, log, expected):
        self.report = report
        self.image = image
        self.options = ["--logdev", log] if log else []
        self.log = log
        self.records = {manifest.unquote(r["path"]): r for r in expected
                        if "path" in r}
        self.files = [p for p, r in self.records.items() if "sha256" in r]

    def ondisk(self, command, *arguments, **keywords):
        return driver.ondisk(command, *self.options, self.image, *arguments,
                             **keywords)

    def json(self, command, *arguments):
        return json.loads(self.ondisk(command, "--json", *arguments)
                          .encode("latin1"))

    # ---- the geometry ----
    def info(self):
        options = ["-l", self.log] if self.log else []
        expected = oracle.db(self.image, "info", options=options)
        found = self.ondisk("info")
        inside = self.image[len(oracle.ROOT):]
        name = "%-22s" % inside
        ours = "%-22s" % self.image
        lines = found.replace(ours, name, 1).splitlines()
        if self.log:
            lines = [l.replace("%-22s" % self.log,
                               "%-22s" % self.log[len(oracle.ROOT):])
                     for l in lines]
        if "zoned=" not in expected:  # xfsprogs before 6.15
            lines = [l for l in lines if "zoned=" not in l]
        self.report.check(lines == expected.splitlines(),
                          "ondisk info: expected\n%s\nfound\n%s" % (
                              expected, "\n".join(lines)))

    # ---- names and attributes ----
    def _attributes(self, path, found, expected):
        ours = {"ino": found["inode"], "mode": "%06o" % found["mode"],
                "nlink": found["links"], "uid": found["uid"],
                "gid": found["gid"], "size": found["size"],
                "blocks": found["blocks_512"],
                "generation": found["generation"]}
        # What is expected must be there: a missing time is a KeyError.
        for name in ("atime", "mtime", "ctime", "btime"):
            if name in expected:
                ours[name] = [found[name]["seconds"],
                              found[name]["nanoseconds"]]
        if "rdev" in expected:
            ours["rdev"] = [found["device_major"], found["device_minor"]]
        for name, value in ours.items():
            if name in expected and expected[name] != value:
                self.report.add(["ondisk: %s: %s: expected %s, found %s" % (
                    path, name, expected[name], value)])

    def list(self):
        directories = [p for p, r in self.records.items() if "entries" in r]
        for path in _sample(directories, _DIRECTORIES):
            record = self.records[path]
            names = {}
            for entry in self.json("ls", "-a", b"/" + path):
                name = bytes.fromhex(entry["name_hex"]) if (
                    "name_hex" in entry) else entry["name"].encode()
                names[name] = entry
            names.pop(b".", None)
            names.pop(b"..", None)
            expected = {manifest.unquote(n): ino
                        for n, ino, *_ in record["entries"]}
            if {n: e["inode"] for n, e in names.items()} != expected:
                self.report.add(["ondisk ls %s: names differ" % path])
                continue
            for name, entry in names.items():
                child = path + b"/" + name if path != b"." else name
                if child in self.records:
                    self._attributes(child, entry, self.records[child])
        return len(directories)

    def symlinks(self):
        links = [p for p, r in self.records.items() if "target" in r]
        for path in _sample(links, _FILES):
            found = self.json("stat", b"/" + path)
            target = bytes.fromhex(found["target_hex"]) if (
                "target_hex" in found) else found["target"].encode()
            self.report.check(
                manifest.quote(target) == self.records[path]["target"],
                "ondisk stat %s: target" % path)

    def xattrs(self):
        with_names = [p for p, r in self.records.items()
                      if r.get("xattrs")]
        for path in _sample(with_names, _FILES):
            found = self.json("stat", b"/" + path)
            names = set()
            for name in found["xattrs"]:
                raw = bytes.fromhex(name["name_hex"]) if (
                    "name_hex" in name) else name["name"].encode()
                names.add(manifest.quote(raw))
            self.report.check(
                names == set(self.records[path]["xattrs"]) - {
                    manifest.TOO_LONG_TO_LIST},
                "ondisk stat %s: names of extended attributes" % path)

    # ---- data ----
    def contents(self):
        small = [p for p in self.files
                 if self.records[p]["size"] <= 64 << 20]
        for path in _sample(small, _FILES):
            data = self.ondisk("cat", b"/" + path, binary=True)
            record = self.records[path]
            self.report.check(
                len(data) == record["size"] and
                ("crc32" not in record or zlib.crc32(data) == record["crc32"]),
                "ondisk cat %s: %d bytes" % (path, len(data)))

    def fiemap(self):
        names = {"last": 1, "unwritten": 0x800, "shared": 0x2000,
                 "not_aligned": 0x100, "inline": 0x200, "merged": 0x1000}
        mapped = [p for p in self.files if self.records[p].get("fiemap")]
        for path in _sample(mapped, _FILES):
            for option, field in (([], "fiemap"), (["-x"], "fiemap_attribute")):
                found = [[e["logical"], e["physical"], e["length"],
                          sum(names[f] for f in e["flags"])]
                         for e in self.json("fiemap", *option, b"/" + path)]
                self.report.check(found == self.records[path][field],
                                  "ondisk fiemap %s %s" % (option, path))

    def parents(self):
        by_inode = {}
        for path, record in self.records.items():
            if "parents" in record:
                by_inode.setdefault(record["ino"], []).append(path)
        for ino in _sample(by_inode, _FILES):
            record = self.records[by_inode[ino][0]]
            found = self.json("parents", str(ino))
            pairs = sorted([p["inode"], p["generation"], manifest.quote(
                bytes.fromhex(p["name_hex"]) if "name_hex" in p
                else p["name"].encode())] for p in found["parents"])
            self.report.check(pairs == sorted(record["parents"]),
                              "ondisk parents %d: expected %s, found %s" % (
                                  ino, record["parents"][:2], pairs[:2]))
        if not by_inode:
            code, _, error = self.ondisk("parents", "/", check=False)
            self.report.check(code == 1 and "parent" in error,
                              "ondisk parents without the feature")

    # ---- every structure, explained ----
    def explain(self):
        geometry = self.json("info")
        wanted = [["sb"], ["log"]]
        for ag in sorted({0, 1, geometry["ag_count"] - 1}):
            if ag >= geometry["ag_count"]:
                continue
            wanted += [[what, str(ag)] for what in ("sb", "agf", "agi",
                                                    "agfl")]
            trees = ["bnobt", "cntbt", "inobt"] + [
                tree for tree, feature in (("finobt", "finobt"),
                                           ("rmapbt", "rmapbt"),
                                           ("refcountbt", "reflink"))
                if geometry["features"][feature]]
            wanted += [["btree", tree, str(ag)] for tree in trees]
        for path in _sample(self.records, _FILES):
            wanted.append(["inode", str(self.records[path]["ino"])])
        for path in _sample((p for p, r in self.records.items()
                             if "entries" in r), _FILES):
            wanted.append(["dir", b"/" + path])
        for path in _sample((p for p, r in self.records.items()
                             if r.get("xattrs")), _FILES):
            wanted.append(["attr", b"/" + path])
        for what in wanted:
            code, out, error = self.ondisk("explain", "--json", *what,
                                           check=False)
            if code != 0:
                self.report.add(["ondisk explain %s: exit %d: %s" % (
                    what, code, error)])
                continue
            found = json.loads(out.encode("latin1"))
            self.report.check(found and all(e["ok"] for e in found),
                              "ondisk explain %s: not ok" % what)
        return len(wanted)

    # ---- everything in a tar, and out again ----
    def export(self):
        directory = oracle.scratch("export")
        try:
            target = os.path.join(directory, "target")
            oracle.mkfs(target, 4 << 30, "-m", "reflink=0,rmapbt=0")
            with oracle.kernel_mount(target) as point:
                self._unpack(point)
                found = manifest.view(point)
            self._compare_unpacked(found)
        finally:
            shutil.rmtree(directory)
        return "export"

    def _unpack(self, point):
        error = os.path.join(os.path.dirname(self.image), "export.err")
        with open(error, "wb") as err:
            writer = subprocess.Popen(
                [driver.program("ondisk"), "export", *self.options, self.image,
                 "/"], stdout=subprocess.PIPE, stderr=err)
            reader = subprocess.run(
                ["tar", "--xattrs", "--xattrs-include=*", "--acls", "-xpf",
                 "-", "--numeric-owner", "-C", point],
                stdin=writer.stdout, capture_output=True, check=False)
            writer.stdout.close()
            code = writer.wait()
        with open(error, encoding="utf-8", errors="replace") as err:
            self.report.check(code == 0, "ondisk export: exit %d: %s" % (
                code, err.read()))
        self.report.check(reader.returncode == 0,
                          "tar of the export: exit %d: %s" % (
                              reader.returncode,
                              reader.stderr.decode("utf-8", "replace")))

    def _compare_unpacked(self, found):
        same = ("mode", "uid", "gid", "mtime", "rdev", "target", "sha256",
                "crc32")
        unpacked = {manifest.unquote(r["path"]): r for r in found
                    if "path" in r}
        for path, record in self.records.items():
            if record["mode"].startswith("14"):  # no tar holds a socket
                continue
            ours = unpacked.get(path)
            if ours is None:
                self.report.add(["ondisk export: %s: missing" % path])
                continue
            fields = {n: (record[n], ours.get(n)) for n in same if n in record}
            if "entries" in record:
                fields["entries"] = tuple(
                    sorted(n for n, _, kind in r["entries"] if kind != "s")
                    for r in (record, ours))
            else:
                fields["nlink"] = record["nlink"], ours["nlink"]
                fields["size"] = record["size"], ours["size"]
            if record["mtime"][0] == -1:  # see AsDecimal in tar_writer.cc
                fields["mtime"] = [-1, 0], ours["mtime"]
            if "xattrs" in record:
                fields["xattrs"] = (self._unpackable(record["xattrs"]),
                                    self._unpackable(ours["xattrs"]))
            for name, (expected, value) in fields.items():
                self.report.check(
                    expected == value, "ondisk export: %s: %s: expected %s, "
                    "found %s" % (path, name, str(expected)[:200],
                                  str(value)[:200]))
        extra = set(unpacked) - set(self.records)
        self.report.check(not extra, "ondisk export: not expected: %s" %
                          sorted(extra)[:3])

    @staticmethod
    def _unpackable(xattrs):
        return {n: v for n, v in xattrs.items()
                if not n.startswith("trusted.xfs")}


def judge(report, image, log, expected):
    judge_of = _Judge(report, image, log, expected)
    judge_of.info()
    directories = judge_of.list()
    judge_of.symlinks()
    judge_of.xattrs()
    judge_of.contents()
    judge_of.fiemap()
    judge_of.parents()
    structures = judge_of.explain()
    export = judge_of.export()
    return "ondisk: %d directories, %d structures explained, %s" % (
        directories, structures, export)
