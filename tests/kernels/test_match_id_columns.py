"""Ids by column are the ids one by one, bit for bit; they are far apart, however near what they are made of is."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.match_ids import match_id
from cepheid.engine.kernels.columns.columns import DTYPES, Column, Kind, column_of
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.emitting import match_id_columns
from cepheid.engine.kernels.emitting.match_id_columns import (
    Halves,
    MadeOf,
    ids_of_tables,
    match_id_halves,
    match_id_texts,
    rule_sums,
)
from cepheid.events import EventId, Value
from tests.algebra.test_match_ids import VALUES

MILLION = 1 << 20
NUMBERS = st.integers(-(2**63), 2**63 - 1)
KINDS: Sequence[st.SearchStrategy[Value]] = (
    st.none() | NUMBERS,
    st.none() | st.floats(),
    st.none() | st.booleans(),
    st.none() | st.text(max_size=3),
    st.none(),
    st.none() | st.integers(),
    VALUES,
)
IDS: Sequence[st.SearchStrategy[EventId]] = (NUMBERS, st.integers() | st.text(max_size=3))


def numbers(values: Sequence[int]) -> Data:
    return np.array(values, np.int64)


def ids(values: Sequence[EventId]) -> Data:
    if all(type(one) is int and -(2**63) <= one < 2**63 for one in values):
        return np.array(values, np.int64)
    found = np.empty(len(values), object)
    found[:] = values
    return found


@given(st.data(), st.integers(0, 8), st.sampled_from([1, 3, 1 << 14]))
def test_by_column_is_one_by_one(data: st.DataObject, count: int, portion: int) -> None:
    def drawn(of: st.SearchStrategy[Value]) -> list[Value]:
        return data.draw(st.lists(of, min_size=count, max_size=count))

    start, end = ([int(one) for one in drawn(NUMBERS)] for _ in range(2))  # type: ignore[arg-type]  # they are numbers
    kinds = data.draw(st.lists(st.sampled_from(KINDS), max_size=3))
    fields = {f"f{number}": drawn(kind) for number, kind in enumerate(kinds)}
    events = [drawn(data.draw(st.sampled_from(IDS))) for _ in range(data.draw(st.integers(0, 3)))]
    lists = [data.draw(st.lists(data.draw(st.sampled_from(IDS)), max_size=4)) for _ in range(count)]
    ordinals = data.draw(st.none() | st.lists(st.integers(0, 3), min_size=count, max_size=count))
    listed = data.draw(st.booleans())
    words = Words()
    made_of = MadeOf(
        "version",
        numbers(start),
        numbers(end),
        {name: column_of(values, words) for name, values in fields.items()},
        [ids(column) for column in events],  # type: ignore[arg-type]  # ids were drawn
        _ragged(lists) if listed else None,
        None if ordinals is None else np.array(ordinals, np.int32),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_id_columns, "_PORTION", portion)
        found = match_id_texts(match_id_halves(made_of, words)).to_pylist()
    assert found == [
        match_id(
            "version",
            start[row],
            end[row],
            {name: values[row] for name, values in fields.items()},
            (*(column[row] for column in events), *(lists[row] if listed else ())),  # type: ignore[arg-type]  # as above
            0 if ordinals is None else ordinals[row],
        )
        for row in range(count)
    ]


def test_words_that_come_later_have_digests_too() -> None:
    words = Words()
    for some in (["a", "b"], ["b"], [f"w{number}" for number in range(100)], ["a", "w99"]):
        column = column_of(some, words)
        made_of = MadeOf("v", numbers([0] * len(some)), numbers([1] * len(some)), {"x": column}, [])
        expected = [match_id("v", 0, 1, {"x": word}, (), 0) for word in some]
        assert match_id_texts(match_id_halves(made_of, words)).to_pylist() == expected
    other = Words()
    other.restore(["b", "a"])
    other.digests()
    other.restore(["a", "b"])
    assert other.digests()[:, :2].tolist() == words.digests()[:, :2].tolist()


ROWS = np.arange(MILLION)
BY_FIVE = [ROWS >> shift & 31 for shift in (0, 5, 10, 15)]
NEAR: Mapping[str, Callable[[], list[Data]]] = {
    "a sequence": lambda: [ROWS, ROWS + 5, ROWS, ROWS + 1],
    "microseconds": lambda: [
        1_700_000_000_000_000 + ROWS * 10**6,
        1_700_000_000_000_000 + ROWS * 10**6,
        ROWS,
        ROWS + 1,
    ],
    "all of few numbers": lambda: BY_FIVE,
    "both signs": lambda: [-BY_FIVE[0], BY_FIVE[1], BY_FIVE[2], -BY_FIVE[3]],
    "high bits": lambda: [one << 59 for one in BY_FIVE],
    "the ends of words": lambda: [(one & 15) << 60 | one >> 4 for one in BY_FIVE],
    "steps of four million": lambda: [ROWS << 22, ROWS + 1 << 22, ROWS << 22, ROWS + 2 << 22],
    "two bits in many places": lambda: [(ROWS >> place & 1) * (2**31 - 2**63) for place in range(20)],
    "one bit in many places": lambda: [(ROWS >> place & 1) << 63 for place in range(20)],
}
"""A million matches each, which are near to each other: columns for start, end and the ids of events."""


@pytest.mark.parametrize("columns", NEAR.values(), ids=NEAR)
def test_a_million_near_matches_differ_in_each_half(columns: Callable[[], list[Data]]) -> None:
    assert _distinct(_of(columns())) == [MILLION, MILLION]


@pytest.mark.parametrize("kind", [Kind.INT, Kind.FLOAT], ids=str)
def test_a_million_near_values_differ_in_each_half(kind: Kind) -> None:
    fields = {f"f{number}": Column(kind, one.astype(DTYPES[kind])) for number, one in enumerate(BY_FIVE)}
    halves = match_id_halves(MadeOf("v", ROWS * 0, ROWS * 0, fields, []), Words())
    assert _distinct(halves) == [MILLION, MILLION]


@pytest.mark.parametrize("place", range(4))
def test_each_bit_of_a_word_changes_half_of_the_bits_of_an_id(place: int) -> None:
    columns = [np.arange(4000) + by for by in (0, 3, 0, 1)]
    before = _of(columns)
    for bit in range(64):
        changed = list(columns)
        changed[place] = columns[place] ^ (np.uint64(1) << np.uint64(bit)).astype(np.int64)
        flipped = np.unpackbits((before ^ _of(changed)).T.copy().view(np.uint8).reshape(4000, 16), axis=1)
        assert abs(flipped.mean() - 0.5) < 0.005
        # Five standard deviations of a fair coin that is thrown 4000 times, for each of the 128 bits.
        assert np.abs(flipped.mean(axis=0) - 0.5).max() < 0.04


def _of(columns: list[Data]) -> Halves:
    return match_id_halves(MadeOf("v", columns[0], columns[1], {}, columns[2:]), Words())


def _distinct(halves: Halves) -> list[int]:
    ordered = np.sort(halves, axis=1)
    found: list[int] = (1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)).tolist()
    return found


def _ragged(lists: list[list[EventId]]) -> Ragged:
    flat = ids([one for some in lists for one in some])
    return Ragged(flat, np.cumsum([0, *map(len, lists)]))


def test_ids_made_at_once_are_those_made_one_by_one() -> None:
    draw, count = np.random.default_rng(5), 100
    start, end = draw.integers(-(2**62), 2**62, count), np.sort(draw.integers(-(2**62), 2**62, count) // 2**60)
    table, told = draw.integers(0, 2**63 - 1, (count, 3)), draw.random(count)
    made_of = MadeOf("one", start, end, {"x": Column(Kind.FLOAT, told)}, [])
    which = draw.integers(0, 2, count).astype(np.int32)
    sums = rule_sums(["one", "other"], ["x"], 2, which, count)
    found = ids_of_tables(made_of, table, (2, 0), sums, Words()).to_pylist()
    rows = zip(which.tolist(), start.tolist(), end.tolist(), told.tolist(), table.tolist(), strict=True)
    assert found == [
        match_id(("one", "other")[rule], begin, stop, {"x": said}, (ids[2], ids[0]), 0)
        for rule, begin, stop, said, ids in rows
    ]
