# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares two manifests and tells the differences in words."""

# What a FUSE mount cannot carry: birth times need libfuse 3.18, and the
# parents' ioctl holds a pointer, so that paths are compared instead.
NOT_OVER_FUSE = frozenset(["btime", "parents"])


def _short(value):
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "..."


def _field(path, name, expected, found):
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield "%s: %s: %d items expected, %d found" % (
                path, name, len(expected), len(found))
        for i, (a, b) in enumerate(zip(expected, found)):
            if a != b:
                yield "%s: %s[%d]: expected %s, found %s" % (
                    path, name, i, _short(a), _short(b))
                return
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(set(expected) | set(found)):
            if expected.get(key) != found.get(key):
                yield "%s: %s.%s: expected %s, found %s" % (
                    path, name, key, _short(expected.get(key)),
                    _short(found.get(key)))
        return
    yield "%s: %s: expected %s, found %s" % (path, name, _short(expected),
                                              _short(found))


def differences(expected, found, ignore=frozenset(), only_expected=False):
    """Yields a line for each difference. With `only_expected`, fields that
    the expected record lacks are not looked at (xfs_db's view has fewer)."""
    def index(records):
        return {r.get("path", "statfs of"): r for r in records}
    left, right = index(expected), index(found)
    if len(left) != len(expected) or len(right) != len(found):
        yield "a path stands twice in a manifest"
    for path in left.keys() | right.keys():
        if path not in right:
            yield "%s: missing" % path
        elif path not in left:
            if not (only_expected and path == "statfs of"):
                yield "%s: not expected" % path
    for path in sorted(left.keys() & right.keys()):
        a, b = left[path], right[path]
        names = set(a) if only_expected else set(a) | set(b)
        for name in sorted(names - ignore):
            if name not in a:
                yield "%s: %s: not expected: %s" % (path, name,
                                                     _short(b[name]))
            elif name not in b:
                yield "%s: %s: missing, expected %s" % (path, name,
                                                         _short(a[name]))
            elif a[name] != b[name]:
                yield from _field(path, name, a[name], b[name])


def as_mounted(records):
    """xfs_db's records without what a mount tells only of what can be opened:
    the generation of symlinks and special files."""
    return [{k: v for k, v in r.items()
             if k != "generation" or r["mode"][:2] in ("10", "04")}
            for r in records]


def ranges(record):
    """FIEMAP sub-ranges of a file that meet its extents' edges."""
    size = record["size"]
    extents = record["fiemap"]
    wanted = {(0, 1), (size, 1), (size // 2, 4096), (1, max(1, size))}
    for at in sorted({0, 1, len(extents) // 2, len(extents) - 2,
                      len(extents) - 1}):
        if 0 <= at < len(extents):
            logical, _, length, _ = extents[at]
            wanted |= {(logical, length), (logical + length - 1, 1),
                       (logical + length // 2, length),
                       (max(0, logical - 1), 2), (logical + length, 1 << 30)}
    return sorted((s, n) for s, n in wanted if s < (1 << 63) - 1)
