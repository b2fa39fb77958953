"""Which match one is: 128 bits, the same on every runner and in every replay, one by one and by column.

Each half of an id is a sum, mixed. What a match is made of becomes words of 64 bits, two for each value; a word is
multiplied by the key of its place, and the sum begins with a seed that stands for the rule:

    half = mixed(seed + key[0] * word[0] + key[1] * word[1] + ...)    modulo 2**64

The words come in this order: start, end, what the fields say, the ids of the events. See docs/decisions/0027.
"""

import hashlib
import json
import struct
from collections.abc import Iterator, Mapping
from functools import lru_cache

from cepheid.events import EventId, Value
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER, is_number

Identity = EventId | tuple["Identity", ...]
Pair = tuple[int, int]
"""A number for the left half of an id, and one for the right half."""

ALL = 2**64 - 1
FIRST_FACTOR, SECOND_FACTOR = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
STRIDE = 0x9E3779B97F4A7C15
OF_FLOATS = 0xD1B54A32D192ED03  # so that 0.0 and 0 have other words in both halves
NOT_A_NUMBER = 0x7FF8000000000000
_APART = 192
_FEW = 512
_SHORT = 64


def match_id(version: str, start: int, end: int, fields: Mapping[str, Value], identity: Identity, ordinal: int) -> str:
    """Return the id of a match.

    `version` is the fingerprint of the rule as it was written, `identity` the event id of each part in part order,
    `ordinal` counts matches that are alike in all of these. How the parts are nested does not matter, so a rewrite that
    flattens a join keeps the ids.
    """
    ids = event_ids(identity)
    made_of = (start, end, *fields.values(), *ids)
    # Both sums are in one number: one multiplication serves both, and no sum reaches so far.
    total = _both_seeds(version, tuple(fields), len(ids), ordinal)
    both_keys = _FEW_KEYS if len(made_of) <= _FEW else map(_side_by_side, keys(len(made_of)))
    for value, key in zip(made_of, both_keys, strict=False):
        if type(value) is int and LEAST_INTEGER <= value <= GREATEST_INTEGER:
            total += key * _number(value)
        else:
            left, right = words_of(value)
            total += (key & ALL) * left + ((key >> _APART) * right << _APART)
    return f"{mixed(total) << 64 | mixed(total >> _APART):032x}"


def event_ids(identity: Identity) -> tuple[EventId, ...]:
    """Return the event ids of an identity in part order, however the parts are nested.

    >>> event_ids(((1, 4), 6))
    (1, 4, 6)
    """
    if not isinstance(identity, tuple):
        return (identity,)
    if tuple not in map(type, identity):
        return identity  # type: ignore[return-value]  # all its parts are ids
    return tuple(event_id for part in identity for event_id in event_ids(part))


def seeds(version: str, names: tuple[str, ...], count: int, ordinal: int) -> Pair:
    """Return what the sums begin with, for a match of a rule that names its fields so and has so many event ids."""
    return _digest("rule", _json([version, list(names), count, ordinal]))


def keys(count: int) -> Iterator[Pair]:
    """Yield the keys of so many places. They are odd: under one key, different words remain different."""
    for one in range(1, 2 * count, 2):
        yield mixed(STRIDE * one) | 1, mixed(STRIDE * (one + 1)) | 1


def words_of(value: Value) -> Pair:
    """Return the words of a value; no other value has the same two, unless their digests agree.

    A whole number of 64 bits has one word twice, a float a word and its complement, and all else a digest. Floats that
    `values.equal` calls equal are one, and `1` is neither `1.0` nor true.

    >>> words_of(0.0) == words_of(-0.0), words_of(1) == words_of(1.0), words_of(1) == words_of("1")
    (True, False, False)
    """
    if is_number(value) and isinstance(value, int) and LEAST_INTEGER <= value <= GREATEST_INTEGER:
        return _number(value), _number(value)
    if isinstance(value, str):
        return text_words(value)
    if isinstance(value, float):
        word = mixed(_bits(value) ^ OF_FLOATS)
        return word, word ^ ALL
    return _digest("json", _json(_plain(value)))


def text_words(text: str) -> Pair:
    """Return the words of a text."""
    return _short_text(text) if len(text) <= _SHORT else _digest("text", text)


def mixed(word: int) -> int:
    """Return what the low 64 bits of a word become where each of them may change all; no two become the same.

    This is the last step of splitmix64.
    """
    word &= ALL
    word = (word ^ word >> 30) * FIRST_FACTOR & ALL
    word = (word ^ word >> 27) * SECOND_FACTOR & ALL
    return word ^ word >> 31


_number = lru_cache(1 << 14)(mixed)


@lru_cache(1 << 14)
def _short_text(text: str) -> Pair:
    return _digest("text", text)


def _side_by_side(pair: Pair) -> int:
    return pair[0] | pair[1] << _APART


@lru_cache(1 << 12)
def _both_seeds(version: str, names: tuple[str, ...], count: int, ordinal: int) -> int:
    return _side_by_side(seeds(version, names, count, ordinal))


_FEW_KEYS = tuple(map(_side_by_side, keys(_FEW)))


def _digest(kind: str, text: str) -> Pair:
    # Half of a surrogate pair is a character like others.
    told = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, person=kind.encode()).digest()
    return int.from_bytes(told[:8], "big"), int.from_bytes(told[8:], "big")


def _bits(number: float) -> int:
    """Return the bits of a float; there is one zero, and one float that is not a number."""
    if number != number:
        return NOT_A_NUMBER
    bits: int = struct.unpack("<q", struct.pack("<d", number + 0.0))[0]
    return bits


def _plain(value: Value) -> object:
    """Return a value as JSON has it, where a float always has a point, an exponent or a name."""
    if isinstance(value, float):
        return value + 0.0
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in sorted(value.items())}
    return value


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
