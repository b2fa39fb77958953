"""All combinations of three are listed in the order in which matches come out, so that nobody puts them in order."""

from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid as c
from cepheid.algebra.builder.patterns import Part
from cepheid.engine.kernels import KernelDetector, Shape, shapes_of
from cepheid.engine.kernels.sequences.graph_source import lists_in_order
from tests.kernels.plain_kernels import usually_plain

A, B, C = (c.event(name) for name in "ABC")
SAME = tuple(c.event("A", name=name) for name in "xyz")
WINDOW = 6
Events = list[tuple[str, float, int]]  # type, value and key, one for each second
EVENTS = st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from([0.0, 1.0, 2.0]), st.integers(0, 1)), max_size=20)
RISING = (A >> B >> C).within(f"{WINDOW} s").where(C.value > A.value)
RULES = {
    "plain": ((A >> B >> C).within(f"{WINDOW} s"), "ABC"),
    "by key": ((A >> B >> C).within(f"{WINDOW} s").by("key"), "ABC"),
    "rising": (RISING, "ABC"),
    "of one type": ((SAME[0] >> SAME[1] >> SAME[2]).within(f"{WINDOW} s"), "AAA"),
}


def expected(rule: str, events: Events) -> list[tuple[int, ...]]:
    """Return the positions of the events of all matches in the order in which they come out."""
    found = []
    for chosen in combinations(range(len(events)), 3):
        (kinds, values, keys), (first, _, last) = zip(*(events[one] for one in chosen), strict=True), chosen
        fits = "".join(kinds) == RULES[rule][1] and last - first <= WINDOW
        fits = fits and (rule != "by key" or len(set(keys)) == 1) and (rule != "rising" or values[2] > values[0])
        found += [tuple(one + 1 for one in chosen)] if fits else []
    return sorted(found, key=lambda match: (match[2], *match))


@pytest.mark.parametrize("rule", RULES)
@given(events=EVENTS, cut=st.integers(0, 20))
def test_combinations_of_three_are_listed_by_their_last_and_first_events(rule: str, events: Events, cut: int) -> None:
    types, values, keys = ([event[place] for event in events] for place in range(3))
    times = pa.array(range(0, 1_000_000 * len(events), 1_000_000), pa.int64())
    columns = {"type": pa.array(types, pa.string()), "time": times}
    columns |= {"value": pa.array(values, pa.float64()), "key": pa.array(keys, pa.int64())}
    batch = pa.RecordBatch.from_pydict(columns)
    with usually_plain():
        detector = KernelDetector(c.compile(c.query(RULES[rule][0], name="three")).plan)
        told = [chunk for part in (batch.slice(0, cut), batch.slice(cut)) for chunk in detector.chunks(part)]
        told.append(detector.close())
    assert [tuple(one) for chunk in told for one in chunk.column("evidence").to_pylist()] == expected(rule, events)


@pytest.mark.parametrize(
    ("pattern", "listed"),
    [
        (RISING, True),
        (((A >> B).within("1 s") >> C).within("9 s"), False),
        ((A >> (B >> C).within("1 s")).within("9 s"), True),
        ((A >> B).within("2 s"), False),
    ],
)
def test_so_are_those_whose_first_events_are_limited_by_the_last_alone(pattern: Part, listed: bool) -> None:
    (shape,) = shapes_of(c.compile(c.query(pattern, name="three")).plan)
    assert isinstance(shape, Shape)
    assert lists_in_order(shape) is listed
