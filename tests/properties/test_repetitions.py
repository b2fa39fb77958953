"""Repetition: runs as a direct enumeration gives them, with folds over exactly their items."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import example, given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, Relation, end, length, start
from cepheid.algebra.semantics import instances
from cepheid.events import Event, EventId, Value, interval, point, sort_events
from tests.oracles.runs import every_run, greedy_runs
from tests.properties.traces import KEYED, traces

RISING = Call("<", (Field("$previous", "v"), Field("$next", "v")))
FOLDS: dict[str, Expr] = {
    "count": Aggregate("count"),
    "known": Aggregate("count", Field("x", "v")),
    "sum": Aggregate("sum", Field("x", "v")),
    "least": Aggregate("min", Field("x", "v")),
    "greatest": Aggregate("max", Field("x", "v")),
    "mean": Aggregate("avg", Field("x", "v")),
    "first": Aggregate("first", Field("x", "v")),
    "last": Aggregate("last", Field("x", "v")),
    "list": Aggregate("list", Field("x", "v")),
    "spread": Call("-", (Aggregate("max", Field("x", "v")), Aggregate("min", Field("x", "v")))),
}
TRACES = traces(types="aaab", least=4, longest=2, fields=KEYED)


@dataclass(frozen=True)
class Runs:
    """What neighbours and ends of a run must fulfil."""

    least: int
    most: int | None
    shortest: int | None
    widest: int | None
    rising: bool
    window: tuple[int, int] | None
    records: int | None
    keyed: bool

    def pattern(self, choice: Choice) -> Repeat:
        """Return the repetition of an `a`."""
        return Repeat(
            "r",
            Atom("x", frozenset("a")),
            self.least,
            self.most,
            (Difference(start("$next"), end("$previous"), self.shortest, self.widest),),
            RISING if self.rising else None,
            self.windows(),
            choice,
            (Field("x", "k"),) if self.keyed else (),
            FOLDS,
        )

    def windows(self) -> Relation:
        time = () if self.window is None else (Difference(end("$last"), start("$first"), *self.window),)
        if self.records is None:
            return time
        return (*time, length("$first", "$last", self.records - 1, Axis.POSITION))

    def follows(self, one: tuple[int, Event], two: tuple[int, Event]) -> bool:
        gap = two[1].start - one[1].end
        if not (self.shortest is None or self.shortest <= gap) or not (self.widest is None or gap <= self.widest):
            return False
        return not self.rising or _less(one[1].get("v"), two[1].get("v"))

    def reaches(self, first: tuple[int, Event], last: tuple[int, Event]) -> bool:
        in_time = self.window is None or last[1].end - first[1].start <= self.window[1]
        return in_time and (self.records is None or last[0] - first[0] < self.records)

    def spans(self, first: tuple[int, Event], last: tuple[int, Event]) -> bool:
        long_enough = self.window is None or self.window[0] <= last[1].end - first[1].start
        return long_enough and self.reaches(first, last)


def _less(one: Value, two: Value) -> bool:
    return isinstance(one, int) and isinstance(two, int) and one < two


RUNS = st.builds(
    Runs,
    st.integers(1, 3),
    st.sampled_from([None, None, 2, 3]),
    st.sampled_from([None, 0, 1]),
    st.sampled_from([None, None, 3]),
    st.booleans(),
    st.sampled_from([None, None, (0, 1), (0, 4), (1, 4)]),
    st.sampled_from([None, None, None, 2, 3]),
    st.sampled_from([False, False, True]),
)
LONGER_THAN_THE_WINDOW = Runs(1, None, None, None, False, (0, 1), None, False)
AT_LEAST_TWO_LONG = Runs(1, None, None, None, False, (2, 9), None, False)


def items(runs: Runs, trace: Sequence[Event]) -> list[list[tuple[int, Event]]]:
    """Return the positions and events that are repeated, one list per key."""
    every = [(place, event) for place, event in enumerate(sort_events(trace)) if event.type == "a"]
    if not runs.keyed:
        return [every]
    return [[entry for entry in every if entry[1].get("k") == key] for key in (1, 2)]


def expected(run: Sequence[tuple[int, Event]]) -> tuple[object, ...]:
    """Return what is said about a run: its ends, its events and its folds."""
    known = [value for _, event in run if isinstance(value := event.get("v"), int)]
    extremes = (min(known), max(known), sum(known) / len(known), known[0], known[-1]) if known else (None,) * 5
    spread = max(known) - min(known) if known else None
    folds = (len(run), len(known), sum(known) if known else None, *extremes, tuple(known), spread)
    hull = (min(event.start for _, event in run), run[-1][1].end, run[0][0], run[-1][0])
    return (hull, frozenset(event.id for _, event in run), folds)


def told(found: Instance) -> tuple[object, ...]:
    group = found.parts["r"]
    hull = (found.start, found.end, found.low, found.high)
    assert hull == (group.start, group.end, group.low, group.high)
    support: frozenset[EventId] = found.support
    return (hull, support, tuple(group.fields.values()))


@example(LONGER_THAN_THE_WINDOW, [interval("a", 0, 2, 0)])
@example(AT_LEAST_TWO_LONG, [point("a", time, time) for time in range(4)])
@given(RUNS, TRACES)
def test_greedy_runs_take_what_they_can_and_are_emitted_once(runs: Runs, trace: list[Event]) -> None:
    found = [
        run
        for some in items(runs, trace)
        for run in greedy_runs(some, runs.most, runs.follows, runs.reaches, runs.spans)
        if len(run) >= runs.least
    ]
    assert Counter(map(told, instances(runs.pattern(Choice.NEXT), trace))) == Counter(map(expected, found))


@example(LONGER_THAN_THE_WINDOW, [interval("a", 0, 2, 0)])
@example(AT_LEAST_TWO_LONG, [point("a", time, time) for time in range(4)])
@given(RUNS, TRACES)
def test_all_runs_are_the_subsequences_that_fit(runs: Runs, trace: list[Event]) -> None:
    found = [
        run
        for some in items(runs, trace)
        for run in every_run(some, runs.most, runs.follows, runs.spans)
        if len(run) >= runs.least
    ]
    assert Counter(map(told, instances(runs.pattern(Choice.ALL), trace))) == Counter(map(expected, found))


@given(RUNS, TRACES)
def test_greedy_runs_are_among_all_runs(runs: Runs, trace: list[Event]) -> None:
    every = Counter(map(told, instances(runs.pattern(Choice.ALL), trace)))
    assert Counter(map(told, instances(runs.pattern(Choice.NEXT), trace))) <= every


@given(RUNS, TRACES)
def test_every_item_is_in_some_greedy_run(runs: Runs, trace: list[Event]) -> None:
    """With no least length or window nothing that may be repeated is passed over."""
    covered = instances(replace(runs, least=1, window=None, records=None).pattern(Choice.NEXT), trace)
    every = {event.id for some in items(runs, trace) for _, event in some}
    assert {event_id for run in covered for event_id in run.support} == every
