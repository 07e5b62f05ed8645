# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges the judges: without this, a comparison that never fails would look
like an agreement.  Uses the kernel alone; needs root."""
import copy
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../support/python"))

from xfsjudge import collisions  # noqa: E402
from xfsjudge import compare  # noqa: E402
from xfsjudge import contents  # noqa: E402
from xfsjudge import forms  # noqa: E402
from xfsjudge import manifest  # noqa: E402
from xfsjudge import oracle  # noqa: E402
import hostile  # noqa: E402
import lies  # noqa: E402
import matrix  # noqa: E402


class JudgesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        oracle.require()
        cls.directory = oracle.scratch("judges")
        image = os.path.join(cls.directory, "image")
        oracle.mkfs(image, 64 << 20, "-n", "parent=1", "-m", "reflink=1")
        with oracle.kernel_mount(image, "noatime") as point:
            contents.fill(point, ("directories", 0.05), "special_files",
                          "symlinks", "links", ("attributes", 0.1), "files",
                          "shared", "times")
        with oracle.kernel_mount(image, "ro") as point:
            cls.first = manifest.view(point)
        with oracle.kernel_mount(image, "ro") as point:
            cls.second = manifest.view(point)
        os.unlink(image)
        os.rmdir(cls.directory)

    def test_the_kernel_agrees_with_itself(self):
        self.assertEqual(list(compare.differences(self.first, self.second)),
                         [])

    def alter(self, path, change):
        altered = copy.deepcopy(self.second)
        for record in altered:
            if record.get("path") == path:
                change(record)
                return list(compare.differences(self.first, altered))
        self.fail("no record of " + path)

    def test_each_altered_field_is_seen(self):
        text = "files/text"
        changes = {
            "mode": (text, lambda r: r.update(mode="100600")),
            "nanosecond": (text, lambda r: r["mtime"].__setitem__(
                1, r["mtime"][1] ^ 1)),
            "size": (text, lambda r: r.update(size=r["size"] + 1)),
            "blocks": (text, lambda r: r.update(blocks=r["blocks"] - 8)),
            "content": (text, lambda r: r.update(sha256="0" * 64)),
            "physical": (text, lambda r: r["fiemap"][0].__setitem__(
                1, r["fiemap"][0][1] + 4096)),
            "shared flag": ("shared/whole", lambda r: r["fiemap"][0]
                            .__setitem__(3, r["fiemap"][0][3] & ~0x2000)),
            "a lost extent": ("files/unwritten",
                              lambda r: r["fiemap"].pop()),
            "segment": ("files/twenty-extents", lambda r: r["segments"].pop()),
            "target": ("symlinks/length-1023",
                       lambda r: r.update(target=r["target"][:-1] + "Z")),
            "xattr value": ("attributes/short", lambda r: r["xattrs"]
                            ["user.a"].__setitem__(1, "0" * 64)),
            "xattr gone": ("attributes/short",
                           lambda r: r["xattrs"].pop("user.empty")),
            "device": ("special_files/char-large",
                       lambda r: r.update(rdev=[511, 262142])),
            "entry type": ("special_files",
                           lambda r: r["entries"][0].__setitem__(2, "?")),
            "entry order": ("directories/block",
                            lambda r: r["entries"].reverse()),
            "links": ("links/one/name", lambda r: r.update(nlink=3)),
        }
        for name, (path, change) in changes.items():
            with self.subTest(name):
                said = self.alter(path, change)
                self.assertTrue(said)
                self.assertIn(path, said[0])

    def test_a_missing_and_an_extra_path_are_seen(self):
        self.assertIn("files/text: missing", list(compare.differences(
            self.first, [r for r in self.second
                         if r.get("path") != "files/text"])))
        self.assertIn("extra: not expected", list(compare.differences(
            self.first, self.second + [{"path": "extra"}])))

    def test_statfs_is_compared(self):
        altered = copy.deepcopy(self.second)
        altered[0]["statfs"]["bfree"] += 1
        self.assertIn("bfree", list(compare.differences(
            self.first, altered))[0])

    def test_the_tree_holds_what_the_judges_want_to_see(self):
        flags = {f for r in self.first for e in r.get("fiemap", [])
                 for f in [e[3]]}
        self.assertTrue(any(f & 0x2000 for f in flags), "no shared extent")
        self.assertTrue(any(f & 0x800 for f in flags), "no unwritten extent")
        self.assertTrue(any(r.get("fiemap_attribute") for r in self.first))

    def test_equal_hash_names(self):
        for ascii_only in (True, False):
            names = collisions.names(300, 20, ascii_only)
            self.assertEqual(len(set(names)), 300)
            self.assertEqual(len({collisions.name_hash(n) for n in names}), 1)


    # ---- hostile.py ----
    def blinded(self, *paths, field=None):
        """The second view, with EUCLEAN for `field` of `paths`, or for all."""
        return [r if r.get("path") not in paths else
                {**r, field: hostile.EUCLEAN} if field else
                {"path": r["path"], "stat": hostile.EUCLEAN}
                for r in self.second]

    def test_euclean_for_everything_is_no_answer_to_a_lie(self):
        paths = [r["path"] for r in self.second if "path" in r]
        unlimited = set()
        for lie in (l for g in lies.GROUPS.values() for l in g
                    if not l.must_refuse):
            if lie.damaged is None:
                self.assertFalse(lie.must_mount, lie.name)
                unlimited.add(lie.name)
                continue
            for blind in (self.blinded(*paths), [
                    {"path": ".", "stat": hostile.EUCLEAN}]):
                self.assertTrue(hostile.judge_view(self.first, blind, lie),
                                lie.name)
        self.assertEqual(unlimited, {
            "file.core.version=1", "file.core.version=2",
            "file.core.version=4", "file.core.magic=0"})

    def test_euclean_is_an_answer_for_what_the_lie_damages_only(self):
        def judge(view, damaged):
            return hostile.judge_view(self.first, view, lies.Lie(
                "", [], frozenset(), frozenset(), False, True, damaged))
        text, other = "files/text", "files/twenty-extents"
        inode, contents_only = {text: lies.ANY}, {text: ("sha256",)}
        self.assertEqual(judge(self.second, {}), [])
        self.assertEqual(judge(self.blinded(text), inode), [])
        self.assertEqual(judge(self.blinded(text, field="sha256"),
                               contents_only), [])
        self.assertTrue(judge(self.blinded(text), contents_only))
        self.assertTrue(judge(self.blinded(text, field="xattrs"),
                              contents_only))
        self.assertTrue(judge(self.blinded(other), inode))
        self.assertTrue(judge(self.blinded(text, field="fiemap"), {}))
        self.assertEqual(judge(self.blinded(text, other, field="fiemap"), {
            lies.EVERYWHERE: ("fiemap",)}), [])

    def test_a_damaged_directory_hides_what_is_below_it_only(self):
        lie = lies.Lie("", [], frozenset(), frozenset(), False, True,
                       {"files": ("entries",)})
        blind = self.blinded("files", field="entries")
        without = [r for r in blind
                   if not r.get("path", "").startswith("files/")]
        self.assertEqual(hostile.judge_view(self.first, without, lie), [])
        self.assertTrue(hostile.judge_view(self.first, [
            r for r in without if r.get("path") != "links/one/name"], lie))


class FormsTest(unittest.TestCase):
    def test_the_default_run_meets_every_form(self):
        default = {case.name for case in matrix.CASES if not case.long} | {
            name for name, _, _ in matrix.V4_CASES}
        self.assertLessEqual(set(matrix.FORMS), default | {
            case.name for case in matrix.CASES})
        def met(cases):
            return {form for name, wanted in matrix.FORMS.items()
                    if name in cases for form in wanted.values()}
        self.assertLessEqual({
            "short", "short-8", "block", "leaf", "node.1", "local", "extents",
            "btree.2", "btree.3", "attributes none", "attributes short",
            "attributes leaf", "attributes node.1",
            "attributes node.2", "attributes node.1+btree"}, met(default))
        self.assertIn("node.2+free+btree", met(matrix.FORMS))

    def test_another_form_does_not_fit(self):
        found = {"directory": "node.1+btree", "attributes": "node.2"}
        for form in ("node.1", "node", "node+btree", "attributes node.2"):
            self.assertTrue(forms.fits(form, found), form)
        for form in ("leaf", "node.2", "node.1+free", "attributes node.1",
                     "attributes node.2+btree", "attributes leaf", "nod"):
            self.assertFalse(forms.fits(form, found), form)


class QuotingTest(unittest.TestCase):
    def test_all_bytes_survive(self):
        raw = bytes(range(1, 256))
        self.assertEqual(manifest.unquote(manifest.quote(raw)), raw)


if __name__ == "__main__":
    unittest.main()
