"""Ids of many matches at once: the same bits that `algebra.match_ids` gives one by one.

A column becomes two columns of words, each is multiplied by the keys of its place, and all are summed up. Texts are
looked up in a table, so that the digest of each is made once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cepheid.algebra.match_ids import (
    FIRST_FACTOR,
    NOT_A_NUMBER,
    OF_FLOATS,
    SECOND_FACTOR,
    STRIDE,
    Pair,
    seeds,
    words_of,
)
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.emitting.id_kernels import IDS_TYPES, write_ids

Array = Any  # pyarrow has no types
Halves = npt.NDArray[np.uint64]
"""Two rows: the left halves of ids, and the right ones; or words for these."""
FEW = 32
"""So many matches at least are told and named in columns; fewer are faster one by one."""
_PORTION = 1 << 14  # rows at a time, so that all that is reckoned with stays in the processor's cache
_DIGITS = np.frombuffer(b"".join(b"%04x" % number for number in range(1 << 16)), np.uint32)


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What matches of one rule are made of.

    `events` has the ids of events, place by place, and `items` a list of further ones for each. Without `ordinals`
    no two are alike.
    """

    version: str
    start: Data
    end: Data
    values: Mapping[str, Column]
    events: Sequence[Data]
    items: Ragged | None = None
    ordinals: Data | None = None

    def __len__(self) -> int:
        return len(self.start)

    def columns(self) -> list[Column]:
        """Return a column for every place that all matches have."""
        return [
            Column(Kind.INT, self.start),
            Column(Kind.INT, self.end),
            *self.values.values(),
            *map(_ids, self.events),
        ]


def match_id_halves(made_of: MadeOf, words: Words) -> Halves:
    """Return the ids of matches."""
    halves, columns = _seeds(made_of), made_of.columns()
    if made_of.items is not None:
        halves += _listed(made_of.items, len(columns), words)
    place_keys = _keys(len(columns))
    for first in range(0, len(made_of), _PORTION):
        some = halves[:, first : first + _PORTION]
        for place, column in enumerate(columns):
            some += _words(column.slice(first, first + _PORTION), words) * place_keys[:, place, None]
        _mix(some)
    return halves


def ids_of_tables(made_of: MadeOf, table: Data, places: Sequence[int], sums: Halves, words: Words) -> Array:
    """Return the ids of matches as texts, in one go; the rows of a table have the ids of their events, as numbers.

    `places` are the columns of the table in the order of parts, and `sums` what the sums begin with.
    """
    keys = _contiguous_keys(len(made_of.values) + len(places) + 2)
    for place, column in enumerate(made_of.values.values(), 2):
        for first in range(0, len(made_of), _PORTION):
            some = sums[:, first : first + _PORTION]
            some += _words(column.slice(first, first + _PORTION), words) * keys[:, place, None]
    count, first = len(made_of), 2 + len(made_of.values)
    text = pa.allocate_buffer(32 * count)
    own = np.array(places, np.int64)
    start, end, rows = (np.ascontiguousarray(one) for one in (made_of.start, made_of.end, table))
    with np.errstate(over="ignore"):  # modulo 2**64, also where kernels are not compiled
        compiled(write_ids, IDS_TYPES)(sums, start, end, rows, own, keys, first, np.frombuffer(text, np.uint64))
    return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(_text_offsets(count)), text])


def rule_sums(versions: Sequence[str], names: Sequence[str], width: int, which: Data | None, count: int) -> Halves:
    """Return what the sums of matches begin with, whose rules are of these versions."""
    table = _pairs(seeds(version, tuple(names), width, 0) for version in versions)
    halves = np.empty((2, count), np.uint64)
    if which is None:
        halves[:] = table[:, :1]
        return halves
    return np.take(table, which, axis=1, out=halves)


def match_id_texts(halves: Halves) -> Array:
    """Return ids as Arrow has texts.

    >>> match_id_texts(np.array([[1], [2**64 - 1]], np.uint64)).to_pylist()
    ['0000000000000001ffffffffffffffff']
    """
    count = halves.shape[1]
    numbers = np.empty((count, 2), ">u8")
    numbers[:, 0], numbers[:, 1] = halves
    digits = _DIGITS.take(numbers.view(">u2").reshape(-1))
    offsets = np.arange(0, 32 * count + 1, 32, dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(offsets), pa.py_buffer(digits)])


def _seeds(made_of: MadeOf) -> Halves:
    names, width = tuple(made_of.values), len(made_of.events)
    halves = np.empty((2, len(made_of)), np.uint64)
    if made_of.items is None and made_of.ordinals is None:
        halves[:] = _pairs([seeds(made_of.version, names, width, 0)])
        return halves
    numbers = np.full(len(made_of), width << 32)
    if made_of.items is not None:
        numbers += np.diff(made_of.items.offsets).astype(np.int64) << 32
    if made_of.ordinals is not None:
        numbers += made_of.ordinals
    both, which = np.unique(numbers, return_inverse=True)
    table = _pairs(seeds(made_of.version, names, one >> 32, one % (1 << 32)) for one in both.tolist())
    return table.take(which, axis=1, out=halves)


def _listed(items: Ragged, first: int, words: Words) -> Halves:
    """Return the sums over lists whose entries have the places from `first` on."""
    counts = np.diff(items.offsets)
    places = np.arange(len(items.flat)) - np.repeat(items.offsets[:-1], counts)
    told = _words(_ids(items.flat), words) * _keys(first + int(counts.max(initial=0)))[:, first + places]
    sums = np.zeros((2, len(items.flat) + 1), np.uint64)
    np.cumsum(told, axis=1, out=sums[:, 1:])
    return sums[:, items.offsets[1:]] - sums[:, items.offsets[:-1]]


def _ids(ids: Data) -> Column:
    return Column(Kind.INT if ids.dtype == np.int64 else Kind.OBJECT, ids)


def _words(column: Column, words: Words) -> Halves:
    """Return the words of values."""
    told = _words_of_kind(column, words)
    return told if column.valid is None else np.where(column.valid, told, _NULL)


def _words_of_kind(column: Column, words: Words) -> Halves:
    match column.kind:
        case Kind.INT:
            numbers = _mix(column.data.astype(np.uint64))
            return np.broadcast_to(numbers, (2, len(numbers)))
        case Kind.FLOAT:
            numbers = _mix(_bits(column.data) ^ np.uint64(OF_FLOATS))
            return np.stack([numbers, ~numbers])
        case Kind.BOOL:
            return _BOOLS.take(column.data, axis=1)
        case Kind.TEXT:
            return words.digests().take(column.data, axis=1)
        case Kind.NULL:
            return np.broadcast_to(_NULL, (2, len(column)))
        case Kind.OBJECT:
            return _pairs(map(words_of, column.data))


def _bits(numbers: Data) -> Data:
    bits = (numbers + 0.0).view(np.uint64)
    bits[np.isnan(numbers)] = NOT_A_NUMBER
    return bits


def _mix(words: Data) -> Data:
    """Mix words where they are."""
    words ^= words >> np.uint64(30)
    words *= np.uint64(FIRST_FACTOR)
    words ^= words >> np.uint64(27)
    words *= np.uint64(SECOND_FACTOR)
    words ^= words >> np.uint64(31)
    return words


def _keys(count: int) -> Halves:
    """Return the keys of so many places at least, in a row for each half."""
    return _many_keys(max(64, 1 << count.bit_length()))


@lru_cache(16)
def _contiguous_keys(count: int) -> Halves:
    return np.ascontiguousarray(_keys(count))


def _text_offsets(count: int) -> Data:
    """Return where texts of 32 digits begin, in memory that columns of about the same length share."""
    return _offsets_of(count.bit_length())[: count + 1]


@lru_cache(32)
def _offsets_of(bits: int) -> Data:
    return np.arange(0, 32 * ((1 << bits) + 1), 32, dtype=np.int32)


@lru_cache(4)
def _many_keys(count: int) -> Halves:
    numbers = _mix(np.arange(1, 2 * count + 1, dtype=np.uint64) * np.uint64(STRIDE)) | np.uint64(1)
    return numbers.reshape(-1, 2).T


def _pairs(pairs: Iterable[Pair]) -> Halves:
    return np.fromiter(chain.from_iterable(pairs), np.uint64).reshape(-1, 2).T


_NULL = _pairs([words_of(None)])
_BOOLS = _pairs([words_of(False), words_of(True)])
