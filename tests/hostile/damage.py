"""Bytes that are damaged as disks, networks and people damage them."""

from random import Random
from typing import Final

_PIECES: Final = (
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\0\0\0\0\0\0\0\x80",
    b"\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\xed\xa0\x80",
    b"\xc3",
    b"\r",
    b"\n",
    b'"',
    b"{",
    b"[[[[",
    b"\\ud800",
    b"1e9999999999999999999",
    b"\x1b[2J",
    b"\xef\xbb\xbf",
    b",",
    b"PAR1",
    b"ARROW1",
)


def damaged(data: bytes, random: Random) -> bytes:
    """The bytes with one to three kinds of damage."""
    for _ in range(random.randint(1, 3)):
        data = random.choice(_WAYS)(data, random)
    return data


def _flipped(data: bytes, random: Random) -> bytes:
    bits = bytearray(data)
    for _ in range(random.randint(1, 4)):
        if bits:
            bits[random.randrange(len(bits))] ^= 1 << random.randrange(8)
    return bytes(bits)


def _cut_short(data: bytes, random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _inserted(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(_PIECES) + data[at:]


def _overwritten(data: bytes, random: Random) -> bytes:
    """A number of four or eight bytes becomes an extreme one, most often where numbers stand."""
    piece = random.choice(_PIECES)
    at = random.randint(0, len(data)) & (~3 if random.random() < 0.8 else ~0)
    return data[:at] + piece + data[at + len(piece) :]


def _swapped(data: bytes, random: Random) -> bytes:
    one, two, three = sorted(random.randint(0, len(data)) for _ in range(3))
    return data[:one] + data[two:three] + data[one:two] + data[three:]


def _removed(data: bytes, random: Random) -> bytes:
    one, two = sorted(random.randint(0, len(data)) for _ in range(2))
    return data[:one] + data[min(two, one + 40) :]


def _zeroed(data: bytes, random: Random) -> bytes:
    at, count = random.randint(0, len(data)), random.randint(1, 16)
    return data[:at] + bytes(min(count, len(data) - at)) + data[at + count :]


_WAYS: Final = (_flipped, _flipped, _cut_short, _inserted, _overwritten, _overwritten, _swapped, _removed, _zeroed)
