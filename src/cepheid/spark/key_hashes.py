"""One hash of a key in two places: as a column, for rows on their way, and of a value, for events that rules emit.

Both are Spark's own, Murmur3 with seed 42, so that equal values meet wherever their events come from.
"""

import math
import struct
from collections.abc import Mapping

from pyspark.sql import Column
from pyspark.sql import functions as F

from cepheid.events import Kind, Value
from cepheid.spark.event_columns import field_column

SEED = 42
_WORD = 0xFFFFFFFF
_HASHED_ALIKE = frozenset((Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STRING))


def hashed_column(name: str, fields: Mapping[str, Kind]) -> Column:
    """Return the hash of a field of the rows; a field that they have not is null."""
    kind = fields.get(name)
    if kind is None:
        return F.lit(SEED)
    column = F.col(field_column(name))
    # Numbers of all kinds are equal by value, and adding nothing makes one zero of two.
    return F.hash(column.cast("double") + F.lit(0.0)) if kind in (Kind.INT, Kind.FLOAT) else F.hash(column)


def is_hashed_alike(name: str, fields: Mapping[str, Kind], compared: Mapping[str, Kind]) -> bool:
    """Say whether a field has the same hash in rows and in events that carry its value on."""
    return name not in fields or (name in compared and fields[name] in _HASHED_ALIKE)


def hashed_value(value: Value) -> int:
    """Return the hash that a column of such values has; what no such column holds has one hash for all.

    >>> hashed_value("ann"), hashed_value(7) == hashed_value(7.0), hashed_value(None)
    (343127058, True, 42)
    """
    match value:
        case bool():
            return _finished(_mixed(SEED, int(value)), 4)
        case int() | float():
            return hashed_long(_bits(float(value) + 0.0))
        case str():
            return _hashed_bytes(value.encode("utf-8", "surrogatepass"))
        case None:
            return SEED
        case _:
            return 0


def hashed_long(number: int) -> int:
    """Return the hash of a whole number in a column of 64 bits."""
    return _finished(_mixed(_mixed(SEED, number & _WORD), (number >> 32) & _WORD), 8)


def _bits(number: float) -> int:
    told = struct.unpack("<q", struct.pack("<d", math.nan if math.isnan(number) else number))
    return int(told[0])


def _hashed_bytes(data: bytes) -> int:
    whole = len(data) & ~3
    state = SEED
    for (word,) in struct.iter_unpack("<I", data[:whole]):
        state = _mixed(state, word)
    for (byte,) in struct.iter_unpack("<b", data[whole:]):
        state = _mixed(state, byte & _WORD)
    return _finished(state, len(data))


def _mixed(state: int, word: int) -> int:
    word = _turned(word * 0xCC9E2D51 & _WORD, 15) * 0x1B873593 & _WORD
    return (_turned(state ^ word, 13) * 5 + 0xE6546B64) & _WORD


def _turned(word: int, by: int) -> int:
    return (word << by | word >> (32 - by)) & _WORD


def _finished(state: int, length: int) -> int:
    """Return the hash as Spark has it, a whole number of 32 bits with a sign."""
    state ^= length
    state = (state ^ state >> 16) * 0x85EBCA6B & _WORD
    state = (state ^ state >> 13) * 0xC2B2AE35 & _WORD
    state ^= state >> 16
    return state - (1 << 32) if state >> 31 else state
