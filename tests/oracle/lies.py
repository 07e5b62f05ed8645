# SPDX-License-Identifier: GPL-2.0-or-later
"""The lies that hostile.py tells, each a list of xfs_db commands whose writes
keep the checksums valid.

A lie names its victims (paths) and the fields of theirs that may show it, since
nothing on disk contradicts them; all else must be right or EUCLEAN.
`must_refuse`: the kernel refuses such an image at mount, and so do we.
`must_mount`: one file is damaged, the others must stay readable.
`damaged` says where EUCLEAN is an answer: {path: fields} (ANY: all fields), and
whatever is below these paths; EVERYWHERE in place of a path stands for each;
None: no limit.
"""
import collections
import os

Lie = collections.namedtuple(
    "Lie",
    "name commands victims may_change must_refuse must_mount damaged",
    defaults=(None,))
EVERYWHERE = "*"


class _Any:
    """Every field may be unreadable: the inode itself is damaged."""

    def __contains__(self, field):
        return True


ANY = _Any()


class Inodes(dict):
    """{path} in a command becomes the inode number of /path."""

    def __missing__(self, path):
        raise KeyError("no such victim: " + path)


def fill(point, contents):
    """A tree with a victim of each form, at paths without a slash."""
    for family, scale in (("links", 1), ("special_files", 1), ("shared", 1)):
        os.mkdir(os.path.join(point, family))
        contents.FAMILIES[family](os.path.join(point, family), scale)

    def join(*words):
        return os.path.join(point, *words)

    def write(name, data, offset=0):
        with open(join(name), "r+b" if os.path.exists(join(name)) else
                  "wb") as f:
            f.seek(offset)
            f.write(data)
    write("file", bytes(range(256)) * 80)
    os.setxattr(join("file"), "user.a", b"value")
    for i in range(0, 60, 2):
        write("btree", b"%04d" % i * 1024, i * 4096)
        os.sync() if i == 30 else None
    os.symlink("short", join("symlink"))
    os.symlink("r" * 500, join("remote"))
    for name, count in (("sf", 3), ("block", 40), ("leaf", 300),
                        ("node", 800)):
        os.mkdir(join(name))
        for i in range(count):
            os.mknod(join(name, "%s%d" % (name[0], i)), 0o100644)
    os.unlink(join("block", "b4"))
    os.unlink(join("leaf", "l30"))
    for name, count, size in (("aleaf", 20, 40), ("anode", 300, 60),
                              ("aremote", 3, 9000)):
        write(name, b"x")
        for i in range(count):
            os.setxattr(join(name), "user.n%03d" % i, b"v" * size)


class _All:
    """Every path is a victim."""

    def __contains__(self, path):
        return True

    def __iter__(self):
        return iter(())


_ALL = _All()


def _group(*lies):
    return list(lies)


def _refused(prefix, address, pairs):
    """One lie for each (field, values...): refused at mount."""
    for field, *values in pairs:
        for value in values:
            yield Lie("%s.%s=%s" % (prefix, field, value),
                      [address, "write -d %s %s" % (field, value)],
                      frozenset(), frozenset(), True, False)


def _any(prefix, address, pairs, may_change=(), unreadable=()):
    for field, *values in pairs:
        for value in values:
            yield Lie("%s.%s=%s" % (prefix, field, value),
                      address + ["write -d %s %s" % (field, value)],
                      _ALL, frozenset(may_change), False, False,
                      {EVERYWHERE: unreadable})


def _victim(path, address, pairs, may_change=(), mounts=True, also=(),
            unreadable=ANY):
    for field, *values in pairs:
        for value in values:
            yield Lie("%s.%s=%s" % (path, field, value),
                      ["inode {%s}" % path] + address +
                      ["write -d %s %s" % (field, value)],
                      frozenset([path, *also]), frozenset(may_change), False,
                      mounts,
                      None if unreadable is None else {path: unreadable})


_HUGE32 = "0xffffffff"

# What cannot be read, if not the inode itself is damaged.
_SHARED_FLAG = ("fiemap",)  # asks the refcount btree
_MAPPED_DATA = ("fiemap", "segments", "sha256", "crc32")

SUPERBLOCK = _group(
    *_refused("sb", "sb 0", [
        ("inopblock", 0, 512), ("inopblog", 0, 9), ("blocklog", 0, 16),
        ("blocksize", 0, 100, 131072), ("agblklog", 0, 3, 31),
        ("agblocks", 0, 1, _HUGE32), ("agcount", 0, _HUGE32),
        ("dblocks", 0, 1, "#3fffffffffffff", "#ffffffffffffffff"),
        ("dirblklog", 30, 200), ("inodesize", 0, 128, 3000), ("inodelog", 31),
        ("rootino", 0, 1, "#ffffffffffffff"), ("logstart", 0),
        ("logblocks", 0, "0x7fffffff"), ("logsunit", 3), ("logsectlog", 40),
        ("sectlog", 0, 40), ("sectsize", 0, 100), ("inprogress", 1),
        ("imax_pct", 101), ("spino_align", 7), ("inoalignmt", 0),
        # Features of the future: an incompat bit refuses, whoever asks.
        ("features_incompat", "0x800000eb"), ("versionnum", "0xb4a6")]),
    # An unknown ro-compat bit only forbids writing.
    Lie("sb.features_ro_compat=0x8000000f",
        ["sb 0", "write -d features_ro_compat 0x8000000f"], frozenset(),
        frozenset(), False, True, {}),
    *_any("sb", ["sb 0"], [("icount", "#ffffffffffffff"),
                           ("fdblocks", "#ffffffffffffff")]))

AG_HEADERS = _group(
    *_any("agf", ["agf 0"], [
        ("refcntlevel", 0, 32), ("bnolevel", 0, 32), ("cntlevel", 0, 99),
        ("rmaplevel", 0, 32), ("bnoroot", 0, "0x7ffffff"),
        ("refcntroot", 0, 2, "0x7ffffff"), ("length", 0, "0x7fffffff"),
        ("seqno", 1), ("freeblks", "0x7fffffff"), ("longest", "0x7fffffff"),
        ("flfirst", 500), ("fllast", 5000), ("flcount", 200),
        ("versionnum", 2)], unreadable=_SHARED_FLAG),
    *_any("agfl", ["agfl 0"], [("bno[0]", 0, "0xfffffff")]),
    *_any("agi", ["agi 0"], [
        ("level", 0, 20), ("free_level", 0, 20), ("root", 0, "0x7ffffff"),
        ("count", "0x7fffffff"), ("freecount", "0x7fffffff"),
        ("unlinked[0]", 128), ("unlinked[5]", "0xfffff00"),
        ("newino", "0x1234567"), ("length", 5), ("seqno", 7)]),
    *_any("bnobt", ["agf 0", "addr bnoroot"], [
        ("recs[1].startblock", 0), ("recs[1].blockcount", "0x7ffffff"),
        ("numrecs", 0, 60000), ("level", 1, 99)]),
    *_any("refcountbt", ["agf 0", "addr refcntroot"], [
        ("numrecs", 60000), ("level", 1, 60), ("leftsib", 5),
        ("recs[1].startblock", 0, "0x7ffffff"),
        ("recs[1].blockcount", 0, "0x7ffffff"),
        ("recs[1].refcount", 0, 1)], unreadable=_SHARED_FLAG),
    # An empty tree is a sound one: it says that nothing is shared.
    *_any("refcountbt", ["agf 0", "addr refcntroot"], [("numrecs", 0)],
          may_change=("fiemap",)),
    *_any("inobt", ["agi 0", "addr root"], [
        ("numrecs", 0, 60000), ("level", 1, 60), ("rightsib", 1),
        ("recs[1].startino", 1, "0x7fffffff"),
        ("recs[1].freecount", 255), ("recs[1].holemask", "0xffff")]))

# Fields of the answers that tell a lie which nothing on disk contradicts.
INODE = _group(
    # The whole inode cluster is refused, and the root directory is in it.
    *_victim("file", [], [
        ("core.version", 1, 2, 4), ("core.magic", 0)], mounts=False,
             unreadable=None),
    *_victim("file", [], [
        ("v3.inumber", 999), ("core.mode", "0170644"),
        ("core.size", "#ffffffffffffff00", "#7fffffffffffffff"),
        ("core.format", 0, 1, 3, 5), ("core.nextents", 100000,
                                      "#ffffffffffff"),
        ("core.forkoff", 1, 60, 200), ("core.aformat", 0, 3, 7),
        ("core.naextents", 40), ("core.nblocks", 0),
        ("u3.bmx[0].startblock", 0, 6000, "0xfffffffffff"),
        ("u3.bmx[0].blockcount", 0, "0x1fffff"),
        ("u3.bmx[0].startoff", "0x3fffffffffffff"),
        ("core.nlinkv2", 0),
        ("core.realtime", 1), ("v3.flags2", "0x8000000000000000"),
        ("core.extsize", "0x7fffffff"), ("v3.cowextsize", "0xffffffff")],
        may_change=("nlink", "fsx", "size", "segments", "mode", "fiemap",
                    "sha256", "crc32", "blocks", "generation", "target",
                    "rdev", "fiemap_attribute")),
    # Another type: its directory may then tell the one or the other.
    *_victim("file", [], [("core.mode", "040755", "0120777", "020600")],
             may_change=("mode", "entries", "target", "rdev", "size",
                         "blocks", "xattrs", "fiemap", "segments", "sha256",
                         "crc32", "fsx", "generation", "fiemap_attribute"),
             also=(".",)),
    *_victim("btree", [], [
        ("u3.bmbt.numrecs", 0, 4000), ("u3.bmbt.level", 0, 9, 60),
        ("u3.bmbt.ptrs[1]", 0, 1, "#ffffffffff"), ("core.nextents", 3)]),
    *_victim("btree", ["addr u3.bmbt.ptrs[1]"], [
        ("numrecs", 0, 1, 5000), ("owner", 131), ("level", 1, 5),
        ("leftsib", 0), ("rightsib", 77, "0xfffffff"), ("bno", 1),
        ("recs[2].startoff", 0, "0x3fffffffffffff"),
        ("recs[2].startblock", 0, "0xfffffffffff"),
        ("recs[2].blockcount", 0, "0x1fffff")],
        unreadable=_MAPPED_DATA),
    *_victim("symlink", [], [("core.size", 0, 300, 5000, "#7fffffffffffffff")]),
    *_victim("remote", [], [("core.size", 0, 1024, "#ffffffffffffffff")],
             may_change=("size",)),
    *_victim("remote", ["addr u3.bmx[0].startblock", "type symlink"], [
        ("bytes", 0, 4, 4000), ("owner", 77), ("offset", 8), ("bno", 9),
        ("magic", 0)], unreadable=("target",)),
    *_victim("sf", [], [("core.mode", "0100644"), ("v3.flags2", "0x1a")]),
)

DIRECTORY = _group(
    *_victim("sf", [], [
        ("u3.sfdir3.hdr.count", 0, 2, 60), ("u3.sfdir3.hdr.i8count", 3),
        ("u3.sfdir3.list[0].namelen", 0, 200),
        ("u3.sfdir3.list[1].inumber.i4", 0),
        ("u3.sfdir3.list[1].offset", 16, 65000),
        ("u3.sfdir3.hdr.parent.i4", 0), ("core.size", 0, 6, 400),
        ("u3.sfdir3.list[1].name", '"s/"')]),
    # A wrong type or number of an existing inode is no contradiction.
    *_victim("sf", [], [("u3.sfdir3.list[1].filetype", 2, 99)],
             may_change=("entries",)),
    *_victim("block", ["dblock 0"], [
        ("bu[2].namelen", 0, 255), ("bu[3].tag", "0x7ff8"),
        ("bu[6].length", 0, 3, "0xfff8"), ("bu[2].inumber", "#ffffffffff"),
        ("bu[2].name", '"b/"'), ("btail.count", 0, 200, "0x7fffffff"),
        ("btail.stale", 100), ("bleaf[3].address", "0x7ffffff"),
        ("bleaf[3].hashval", 1), ("bhdr.hdr.owner", 999),
        ("bhdr.hdr.bno", 8), ("bhdr.hdr.magic", 0),
        ("bhdr.bestfree[0].length", 4000)],
             unreadable=("entries",)),
    *_victim("leaf", ["dblock 8388608"], [
        ("ltail.bestcount", 1, 5000), ("lhdr.count", 0, 5000),
        ("lhdr.stale", 400), ("lents[7].address", "0x7fffff"),
        ("lents[7].hashval", 1), ("lhdr.info.hdr.forw", 5),
        ("lhdr.info.owner", 131)],
             unreadable=("entries",)),
    *_victim("leaf", ["dblock 1"], [("dhdr.hdr.owner", 5),
                                    ("du[2].namelen", 0, 255)],
             unreadable=("entries",)),
    *_victim("node", ["dblock 8388608"], [
        ("nhdr.level", 0, 9), ("nhdr.count", 0, 60000),
        ("nbtree[0].before", 0, 8388608, 9000000)],
             unreadable=("entries",)),
    # Names may be sought where they are not; listing needs no hashes.
    *_victim("node", ["dblock 8388608"], [("nbtree[0].hashval", 0)],
             may_change=("lookup",), unreadable=("entries",)),
    *_victim("node", ["dblock 8388609"], [
        ("lhdr.info.hdr.forw", 8388609, 9000000),
        ("lhdr.info.hdr.back", 8388609), ("lhdr.count", 60000)],
             unreadable=("entries",)),
    *_victim("node", ["dblock 8388609"], [("lhdr.count", 0)],
             may_change=("lookup",), unreadable=("entries",)),
    *_victim("node", ["dblock 16777216"], [
        ("fhdr.nvalid", 60000), ("fhdr.firstdb", 7), ("fhdr.nused", 50000)],
             unreadable=("entries",)),
)

ATTRIBUTE = _group(
    *_victim("file", [], [
        ("a.sfattr.hdr.totsize", 0, 3, 4000), ("a.sfattr.hdr.count", 0, 1, 200),
        ("a.sfattr.list[0].namelen", 0, 250),
        ("a.sfattr.list[0].valuelen", 255)], may_change=("xattrs",)),
    *_victim("aleaf", ["ablock 0"], [
        ("hdr.count", 0, 1000), ("hdr.usedbytes", 0, 65000),
        ("hdr.firstused", 0, 8, 65000), ("entries[3].nameidx", 0, 65000),
        ("entries[3].hashval", 0), ("nvlist[3].namelen", 0, 255),
        ("nvlist[3].valuelen", 65000), ("hdr.info.owner", 131),
        ("hdr.freemap[0].size", 65000), ("hdr.freemap[0].base", 3),
        ("hdr.info.hdr.forw", 1)],
             may_change=("xattrs",), unreadable=("xattrs",)),
    *_victim("anode", ["ablock 0"], [
        ("hdr.level", 0, 9), ("hdr.count", 0, 60000),
        ("btree[0].before", 0, 77777), ("hdr.info.owner", 131)],
             unreadable=("xattrs",)),
    *_victim("anode", ["ablock 1"], [
        ("hdr.info.hdr.forw", 1, 99999), ("hdr.count", 0, 60000)],
        may_change=("xattrs",), unreadable=("xattrs",)),
    *_victim("aremote", ["ablock 0"], [
        ("nvlist[0].valueblk", 0, 2, 99999),
        ("nvlist[0].valuelen", 0, 8999, 65536, "0x7fffffff")],
        may_change=("xattrs",), unreadable=("xattrs",)),
    *_victim("aremote", ["ablock 1", "type attr3"], [
        ("hdr.bytes", 0, 4000), ("hdr.offset", 4040), ("hdr.owner", 131)],
             unreadable=("xattrs",)),
)

GROUPS = {"superblock": SUPERBLOCK, "ag-headers": AG_HEADERS, "inode": INODE,
          "directory": DIRECTORY, "attribute": ATTRIBUTE}
