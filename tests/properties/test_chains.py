"""Chains: the definition reports what HBL's set of active partial matches reports."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

from hypothesis import example, given
from hypothesis import strategies as st

from cepheid.algebra.instances import Instance
from cepheid.algebra.semantics import instances
from cepheid.events import Event, point, sort_events
from tests.oracles.partial_matches import Alert, Environment, RecordSpec, State, Watchpoint, alerts
from tests.properties.traces import KEYED, traces
from tests.properties.watchpoint_lowering import LEADS, VARIABLES, WATCHPOINTS, chain_of

TRACES = traces(least=5, most=8, fields=KEYED)


def environment(found: Instance) -> Environment:
    return tuple(sorted((name, _number(value)) for name, value in found.variables.items()))


def _number(value: object) -> int | None:
    assert value is None or isinstance(value, int)
    return value


@given(WATCHPOINTS, TRACES)
def test_without_evidence_runs_merge_into_the_one_that_started_last(watchpoint: Watchpoint, trace: list[Event]) -> None:
    found = instances(chain_of(watchpoint, evidence=False), trace)
    reported = Counter(Alert(environment(one), (one.low or 0, one.high or 0)) for one in found)
    assert reported == Counter(alerts(watchpoint, sort_events(trace), evidence=False))


# Both alternatives take the same record: they say the same and rest on the same, so they are one alert.
ALIKE = Watchpoint(
    {
        "one": State(RecordSpec(frozenset("a")), follow=("end", "stop")),
        "end": State(RecordSpec(frozenset("b"))),
        "stop": State(RecordSpec(frozenset())),
    },
    "one",
)


@example(ALIKE, [point("a", 1, 1), point("b", 2, 2)])
@given(WATCHPOINTS, TRACES)
def test_with_evidence_every_run_over_other_records_is_reported(watchpoint: Watchpoint, trace: list[Event]) -> None:
    ordered = sort_events(trace)
    places = {event.id: place for place, event in enumerate(ordered)}
    found = instances(chain_of(watchpoint, evidence=True), trace)
    reported = Counter(Alert(environment(one), tuple(sorted(places[name] for name in one.support))) for one in found)
    assert reported == Counter(alerts(watchpoint, ordered, evidence=True))


@given(WATCHPOINTS, st.lists(st.sampled_from(VARIABLES), unique=True).map(tuple), TRACES)
def test_what_nobody_observes_does_not_distinguish_alerts(
    watchpoint: Watchpoint, observed: tuple[str, ...], trace: list[Event]
) -> None:
    latest: dict[tuple[object, ...], int] = {}
    for alert in alerts(watchpoint, sort_events(trace), evidence=False):
        seen = tuple(dict(alert.environment).get(name) for name in sorted(observed))
        latest[(seen, alert.taken[-1])] = max(latest.get((seen, alert.taken[-1]), 0), alert.taken[0])
    found = instances(chain_of(watchpoint, False, observed), trace)
    assert Counter(
        ((tuple(one.variables.get(name) for name in sorted(observed)), one.high), one.low) for one in found
    ) == Counter(latest.items())


LINES = st.lists(LEADS, min_size=1, max_size=2)


@given(st.lists(LEADS, min_size=1, max_size=3), TRACES)
def test_steps_that_take_every_record_find_all_records_in_order(leads: list[RecordSpec], trace: list[Event]) -> None:
    chain = chain_of(line(leads), evidence=True)
    every = replace(chain, steps={name: replace(step, every=True) for name, step in chain.steps.items()})
    leading = [instances(chain_of(line([lead]), evidence=True), trace) for lead in leads]
    expected = [
        frozenset().union(*(one.support for one in some))
        for some in product(*leading)
        if all((one.low or 0) < (two.low or 0) for one, two in pairwise(some))
    ]
    assert Counter(found.support for found in instances(every, trace)) == Counter(expected)


def line(leads: list[RecordSpec]) -> Watchpoint:
    """Return the watchpoint of one record after the other."""
    names = [f"step{place}" for place in range(len(leads))]
    follow = [*((name,) for name in names[1:]), ()]
    return Watchpoint(
        {name: State(lead, follow=after) for name, lead, after in zip(names, leads, follow, strict=True)}, names[0]
    )


@given(LINES, LINES, TRACES)
def test_a_chain_after_a_chain_begins_at_the_first_record_that_leads_it(
    one: list[RecordSpec], two: list[RecordSpec], trace: list[Event]
) -> None:
    composed = instances(chain_of(line([*one, *two]), evidence=True), trace)
    heads, tails = (instances(chain_of(line(leads), evidence=True), trace) for leads in (one, two))
    leading = sorted(found.low or 0 for found in instances(chain_of(line(two[:1]), evidence=True), trace))
    expected = [
        head.support | tail.support
        for head in heads
        for tail in tails
        if tail.low == next((place for place in leading if place > (head.high or 0)), None)
    ]
    assert Counter(found.support for found in composed) == Counter(expected)
