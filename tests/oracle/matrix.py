# SPDX-License-Identifier: GPL-2.0-or-later
"""The images that the kernel and fusexfs must see alike.

Each case: the image's size, mkfs.xfs's options, what to fill it with, and the
xfs_db commands that then change it.
`DEFAULTS` are what mkfs.xfs 7.2 has on by default, so that the xfsprogs 6.13
of Debian 13 makes the same; a case's own options win, since they come later
and replace the default of the same name.
"""
import collections

Case = collections.namedtuple(
    "Case", "name size options contents external_log long db",
    defaults=(0, False, ()))

M = 1 << 20
G = 1 << 30

DEFAULTS = {
    "-n": {"parent": "1"},
    "-i": {"exchange": "1", "nrext64": "1", "sparse": "1"},
    "-m": {"reflink": "1", "rmapbt": "1", "finobt": "1", "bigtime": "1",
           "inobtcount": "1"},
    "-d": {"agcount": "4"},
    "-l": {"size": "32m"},
}

ALL = ["directories", "collided", "names", "special_files", "times",
       ("symlinks", 2), "links", "attributes", "files", "huge", "shared", "flags",
       ("inodes", 0.5)]
SMALL = [("directories", 0.5), "special_files", "times", "symlinks", "links",
         ("attributes", 0.4), "files", "shared", "flags"]
NO_ATTRIBUTES = [c for c in SMALL if c[0] != "attributes"]
NO_SHARED = [c for c in SMALL if c != "shared"]


def _options(text):
    """"-m reflink=0,rmapbt=0 -b size=1024" over the defaults."""
    merged = {flag: dict(values) for flag, values in DEFAULTS.items()}
    words = text.split()
    for flag, pairs in zip(words[::2], words[1::2]):
        for pair in pairs.split(","):
            key, _, value = pair.partition("=")
            merged.setdefault(flag, {})[key] = value
    if "agsize" in merged["-d"]:
        del merged["-d"]["agcount"]
    if "logdev" in merged["-l"]:
        del merged["-l"]["size"]
    result = []
    for flag, values in merged.items():
        if values:
            result += [flag, ",".join(
                "%s=%s" % pair if pair[1] else pair[0]
                for pair in values.items())]
    return result


def _case(name, options="", contents=SMALL, size=320 * M, **more):
    return Case(name, size, _options(options), contents, **more)


CASES = [
    _case("defaults", contents=ALL + ["stale", "roots", "value_sizes"]),
    # Geometry.
    _case("block-1k", "-b size=1024",
          ALL + ["roots", "value_sizes", ("fragments", 1)]),
    _case("block-1k-dir-8k", "-b size=1024 -n size=8192",
          NO_ATTRIBUTES + [("attributes", 4), ("wide", 0.3)]),
    _case("block-2k", "-b size=2048", SMALL),
    _case("block-16k", "-b size=16384", ALL, size=1 * G),
    _case("block-64k", "-b size=65536 -l size=128m", SMALL, size=2 * G),
    _case("sector-4k", "-s size=4096", SMALL),
    _case("sector-4k-inode-2k", "-s size=4096 -i size=2048", SMALL),
    _case("inode-1k", "-i size=1024", SMALL),
    _case("inode-2k", "-i size=2048", SMALL + ["names"]),
    _case("dir-16k", "-n size=16384", SMALL + [("wide", 0.3)]),
    _case("dir-64k", "-n size=65536", ["directories", "names",
                                       ("collided", 1), ("wide", 2)]),
    _case("dir-64k-block-1k", "-b size=1024 -n size=65536",
          ["directories", ("collided", 0.5), ("wide", 0.4)]),
    _case("ag-1", "-d agcount=1", SMALL),
    _case("ag-32", "-d agcount=32 -l size=12m", SMALL, size=1 * G),
    _case("ag-37-short-last", "-d agsize=16m -l size=12m", SMALL + [("inodes", 2)],
          size=36 * 16 * M + 9 * M),
    _case("ag-odd", "-d agsize=99m,su=64k,sw=3 -s size=4096", SMALL,
          size=400 * M),
    _case("inodes-beyond-32-bits", "-d agcount=16", SMALL, size=15 << 40),
    # Features, each off once; then none but CRCs.
    _case("no-reflink", "-m reflink=0", NO_SHARED),
    _case("no-rmapbt", "-m rmapbt=0", SMALL),
    _case("no-finobt", "-m finobt=0,inobtcount=0", SMALL),
    _case("no-inobtcount", "-m inobtcount=0", SMALL),
    _case("no-bigtime", "-m bigtime=0", SMALL),
    _case("no-nrext64", "-i nrext64=0", SMALL + [("fragments", 0.3)]),
    _case("no-sparse", "-i sparse=0", SMALL),
    _case("no-parent", "-n parent=0", SMALL),
    _case("no-exchange", "-i exchange=0 -n parent=0", SMALL),
    _case("only-crc", "-m reflink=0,rmapbt=0,finobt=0,inobtcount=0,bigtime=0"
          " -i sparse=0,nrext64=0,exchange=0 -n parent=0", NO_SHARED),
    _case("external-log", "-l logdev=EXTERNAL", SMALL, external_log=64 * M),
    # States that a plain tree does not meet.
    _case("changed-uuid", "-n size=8192", SMALL, db=("uuid generate",)),
    _case("metadir", "-m metadir=1", SMALL),
    _case("removed-attributes", "-n parent=0", ["removed_attributes"]),
    _case("sparse-chunks", "-d agcount=2 -l size=9m",
          ["links", "sparse_chunks"], size=64 * M),
    # What takes minutes.
    _case("million-names", "", [("wide", 100), ("collided", 2)],
          size=4 * G, long=True),
    _case("million-names-1k", "-b size=1024", [("wide", 60)], size=4 * G,
          long=True),
    _case("hundred-thousand-extents", "-b size=1024",
          [("fragments", 10), ("attributes", 4), ("files", 40)], size=2 * G,
          long=True),
    _case("hundred-thousand-extents-4k", "",
          [("fragments", 10), ("attributes", 8), ("shared", 60)], size=2 * G,
          long=True),
    _case("attributes-large", "-i size=512",
          [("attributes", 10), ("collided", 1)], size=1 * G, long=True),
    _case("block-64k-full", "-b size=65536 -l size=128m", ALL, size=3 * G,
          long=True),
]
V4_CASES = [
    ("v4-attr2-ftype0", "-n ftype=0", 1),
    ("v4-attr2-ftype1", "-n ftype=1", 1),
    ("v4-attr1", "-n ftype=1 -i attr=1", 1),
    ("v4-attr1-1k", "-b size=1024 -n ftype=0 -i attr=1", 1),
    ("v4-1k-projid16", "-b size=1024 -i projid32bit=0", 2),
    ("v4-inode-2k-sector-4k", "-i size=2048 -s size=4096", 1),
    ("v4-dir-64k", "-n size=65536,ftype=1", 2),
    ("v4-lazy-count-off", "-l lazy-count=0 -n ftype=0", 1),
]

# {case: {path: the form that xfs_db must find (forms.py)}}. Contents alone do
# not promise a form: it depends on the sizes of blocks and inodes.
_DIRECTORIES = {"directories/empty": "short", "directories/short": "short",
                "directories/block": "block", "directories/leaf": "leaf",
                "directories/node": "node.1", "directories/holes": "leaf"}
_V4 = {"directories/empty": "short", "directories/short": "short",
       "directories/block": "block", "directories/leaf": "leaf",
       "directories/node": "node.1", "files/large": "extents",
       "symlinks/length-40": "local", "symlinks/length-1000": "extents",
       "attributes/short": "attributes short",
       "attributes/leaf": "attributes leaf",
       "attributes/node": "attributes node.1",
       "attributes/none": "attributes none",
       "attributes/collided": "attributes node.1",
       "collided/block": "block", "collided/leaf": "leaf",
       "collided/node": "node.1"}
FORMS = {
    "defaults": {
        **_DIRECTORIES, "collided/block": "block", "collided/leaf": "leaf",
        "collided/node": "node.1", "names": "leaf",
        "symlinks/length-150": "local", "symlinks/length-1023": "extents",
        "files/text": "extents", "files/many-extents": "btree.2",
        "files/empty": "attributes short",
        "attributes/short": "attributes short",
        "attributes/leaf": "attributes leaf",
        "attributes/leaf-directory": "attributes leaf",
        "attributes/node": "attributes node.1",
        "attributes/remote": "attributes node.1",
        "attributes/collided": "attributes node.1"},
    "block-1k": {**_DIRECTORIES, "fragments/fragments": "btree.3",
                 "links/many/0": "attributes node.1"},
    "block-1k-dir-8k": {"attributes/node": "attributes node.2"},
    "dir-64k": {"wide/wide": "node.1", "directories/node": "leaf",
                "directories/leaf": "block"},
    "inodes-beyond-32-bits": {**_DIRECTORIES, "directories/short": "short-8",
                              "directories": "short-8"},
    "no-parent": {"files/empty": "attributes none"},
    "million-names": {"wide/wide": "node.2+free+btree",
                      "wide/mostly-removed": "node"},
    "hundred-thousand-extents": {"fragments/fragments": "btree.4",
                                 "attributes/node": "attributes node.2"},
    "v4-attr2-ftype0": _V4,
    "v4-attr2-ftype1": _V4,
    "v4-attr1": _V4,
    "v4-attr1-1k": {**_V4, "attributes/leaf": "attributes node.1",
                    "attributes/node": "attributes node.1+btree"},
    "v4-inode-2k-sector-4k": {"symlinks/length-1000": "local",
                              "directories/block": "short"},
    "v4-dir-64k": {"directories/node": "leaf"},
}


def find(name):
    for case in CASES:
        if case.name == name:
            return case
    raise KeyError(name)
