# SPDX-License-Identifier: GPL-2.0-or-later
"""Which form xfs_db finds a thing in: so that a test which means to judge, say,
node directories fails when its image has none.

  directory   empty, short, short-8 (8-byte inode numbers), block, leaf,
              node.LEVEL, with "+free" behind when it has several blocks of
              the free index
  data        local, extents, btree.LEVELS    the data fork of anything else
  attributes  none, short, leaf, node.LEVEL

and "+btree" behind when a btree maps a directory's or the attributes' blocks.
LEVEL counts the levels of nodes above the leaves, LEVELS all levels of a btree
with its root in the inode.
"""
import re

from . import db_view

_LEAF_SPACE = 1 << 35  # bytes into a directory: its hash tree
_FREE_SPACE = 1 << 36  # its free-space blocks
_NODE_MAGICS = ("0x3ebe", "0xfebe")


def fits(expected, found):
    """Whether `of`'s answer is the form: "leaf", "attributes node.1", "node+free"
    and the like. What is not asked for (a level, a "+") may be anything."""
    kind, _, form = expected.rpartition(" ")
    kind = kind or ("directory" if "directory" in found else "data")
    have = found[kind].split("+")
    for part in form.split("+"):
        if not any(h == part or h.startswith(part + ".") for h in have):
            return False
    return True


class Forms:
    """Answers for one image."""

    def __init__(self, image):
        self._db = db_view.Db(image)
        sb = self._values("sb 0", "p blocksize dirblklog")
        self._block = int(sb["blocksize"])
        self._directory_block = self._block << int(sb["dirblklog"])

    def close(self):
        self._db.close()

    def _values(self, *commands):
        return dict(line.split(" = ", 1) for line in
                    self._db.ask(*commands).splitlines() if " = " in line)

    def _node_level(self, kind, block):
        """Of the hash tree's root block; 0 where that is a leaf."""
        v = self._values("%sblock %d" % (kind, block), "p")
        magic = next(value for name, value in v.items()
                     if name.endswith(("info.magic", "info.hdr.magic")))
        if magic not in _NODE_MAGICS:
            return 0
        return int(next(value for name, value in v.items()
                        if name.endswith("hdr.level")))

    def of(self, path):
        """{"directory" or "data": form, "attributes": form}"""
        inode = "path /" + path
        v = self._values(inode, "p")
        if "core.format" not in v:
            raise KeyError("no such path in the image: " + path)
        local, btree = (v["core.format"].startswith(n) for n in "13")
        answer = {}
        if v["core.mode"].startswith("04"):
            answer["directory"] = self._directory(inode, v, local, btree)
        else:
            answer["data"] = "local" if local else "extents"
            if btree:
                level = next(value for name, value in v.items()
                             if re.fullmatch(r"u3?\.bmbt\.level", name))
                answer["data"] = "btree.%d" % (int(level) + 1)
        answer["attributes"] = self._attributes(inode, v)
        return answer

    def _directory(self, inode, v, local, btree):
        if local:
            wide = next(value for name, value in v.items()
                        if name.endswith("hdr.i8count"))
            return "short-8" if int(wide) else "short"
        extents = [(int(offset) * self._block, int(count) * self._block)
                   for offset, count in re.findall(
                       r"offset (\d+) startblock \S+ \S+ count (\d+)",
                       self._db.ask(inode, "bmap -d"))]
        free = sum(size for offset, size in extents if offset >= _FREE_SPACE)
        if free:
            self._db.ask(inode)
            form = "node.%d" % self._node_level(
                "d", _LEAF_SPACE // self._block)
            if free > self._directory_block:
                form += "+free"
        elif extents and extents[-1][0] >= _LEAF_SPACE:
            form = "leaf"
        else:
            form = "block" if extents else "empty"
        return form + ("+btree" if btree else "")

    def _attributes(self, inode, v):
        kind = v["core.aformat"][0]
        if v["core.forkoff"] == "0":
            return "none"
        if kind == "1":
            return "short"
        if v["core.naextents"].startswith("0"):
            return "none"
        self._db.ask(inode)
        level = self._node_level("a", 0)
        form = "node.%d" % level if level else "leaf"
        return form + ("+btree" if kind == "3" else "")
