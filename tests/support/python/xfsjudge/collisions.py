# SPDX-License-Identifier: GPL-2.0-or-later
"""Names that share one directory hash.

XFS hashes a name as h = rol32(h, 7) ^ byte.  Seven-bit turns of 8-bit bytes
overlap, so a change of one byte can be undone by a change of one before it:
bit 3 of byte i + 5 meets bit 0 of byte i (five turns are 35 = 3 modulo 32),
and bit 7 of byte i + 1 meets bit 0 of byte i.  The first keeps names ASCII.
"""


def name_hash(name):
    value = 0
    for byte in name:
        value = (((value << 7) | (value >> 25)) & 0xFFFFFFFF) ^ byte
    return value


def names(count, length=20, ascii_only=True):
    distance, bit = (5, 0x08) if ascii_only else (1, 0x80)
    base = bytearray(b"b" * length)
    found = []
    for choice in range(1 << (length - distance)):
        name = bytearray(base)
        for i in range(length - distance):
            if choice >> i & 1:
                name[i] ^= 1
                name[i + distance] ^= bit
        if 0 in name or 0x2F in name:
            continue
        found.append(bytes(name))
        if len(found) == count:
            break
    if len(found) < count or len({name_hash(n) for n in found}) != 1:
        raise ValueError("%d names of %d bytes are too many" % (count, length))
    return found
