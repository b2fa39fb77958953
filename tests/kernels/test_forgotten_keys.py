"""Keys of which nothing is held any more are forgotten, however many there were and however few events each had."""

import numpy as np
import pyarrow as pa
import pytest

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.semantics import matches
from cepheid.api import compile  # noqa: A004  # users write `cepheid.compile`
from cepheid.engine.kernels import KernelDetector
from cepheid.engine.kernels.columns.column_evaluation import Frame
from cepheid.engine.kernels.columns.columns import Column, column_of
from cepheid.engine.kernels.columns.key_numbers import Numbers
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.facts.shapes import Part
from cepheid.engine.kernels.intake.key_space import KeySpace
from cepheid.events import point
from cepheid.testing import Case
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements

QUERIES = {
    "in slots": "(A ; B ; C) within 30 us by {}",
    "with an absence": "((A ; B) - C) within 30 us by {}",
    "in stages": "((A + B) ; C) within 30 us by {}",
}
EVENTS_OF_A_KEY = (1, 6)


def batch(first: int, count: int, of_a_key: int) -> pa.RecordBatch:
    time = np.arange(first, first + count)
    key = time // of_a_key
    columns = {"type": np.array(list("ABC"))[time % 3], "time": time, "ip": key, "user": key // 2, "host": -key}
    return pa.RecordBatch.from_pydict(columns)


@pytest.mark.parametrize("key", ["ip", "ip, user", "host, ip, user"])
@pytest.mark.parametrize("of_a_key", EVENTS_OF_A_KEY)
@pytest.mark.parametrize("kind", QUERIES)
def test_the_state_does_not_grow_with_the_number_of_keys(kind: str, of_a_key: int, key: str) -> None:
    query = compile(QUERIES[kind].format(key), time_unit="us", language="algebra")
    with plain_kernels():
        detector = KernelDetector(query.plan)
        sizes = []
        for first in range(0, 1500, 150):
            detector.push_batch(batch(first, 150, of_a_key))
            sizes.append(len(detector.snapshot()))
    assert max(sizes) < 1.2 * sizes[0]


@pytest.mark.parametrize("kind", QUERIES)
def test_keys_that_come_again_are_told_apart_as_before(kind: str) -> None:
    query = compile(QUERIES[kind].format("ip, user, host"), time_unit="us", language="algebra")
    draw = np.random.default_rng(1)
    events = tuple(
        point("ABC"[draw.integers(3)], 2 * time, time, {"ip": int(draw.integers(4)), "user": time // 30 % 2, "host": 0})
        for time in range(240)
    )
    with plain_kernels():
        assert disagreements(Case(query.rewritten, events, events, 0, tuple(range(0, 240, 10)))) == []
    assert len(matches(query.program, events)) > 10


@pytest.mark.parametrize("width", [1, 2, 3])
def test_kept_keys_have_new_numbers_and_the_others_none(width: int) -> None:
    words, draw = Words(), np.random.default_rng(width)
    names = ["one", "two", "three"][:width]
    rows = [{name: int(draw.integers(40)) for name in names} for _ in range(400)]
    space = KeySpace(width, 0, words, KeyMarks())
    before = _numbers(space, rows, words)
    kept = np.unique(before[20:26])[::-1]
    assert space.keep(kept, 0)
    assert _numbers(space, rows[20:26], words).tolist() == [kept.tolist().index(one) for one in before[20:26]]
    after = _numbers(space, rows, words)
    assert len(set(zip(before.tolist(), after.tolist(), strict=True))) == len(set(after.tolist())) == len(set(before))


def _numbers(space: KeySpace, rows: list[dict[str, int]], words: Words) -> Numbers:
    def read(_part: str, name: str) -> Column:
        return column_of([row[name] for row in rows], words)

    frame = Frame(len(rows), words, read, lambda _endpoint: None)
    keys: tuple[Expr, ...] = tuple(Field("a", name) for name in rows[0])
    return space.numbers(Part("a", frozenset("A"), None, keys), frame)[0]
