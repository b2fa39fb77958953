"""Texts of HBL mean what the paper's algorithm over active partial matches reports."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given, reject

from cepheid.algebra.matches import Match
from cepheid.algebra.semantics import matches
from cepheid.analysis import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector
from cepheid.events import Event, sort_events
from cepheid.languages.hbl import parse, show
from tests.languages.hbl.texts import bound, composed_text, text_of
from tests.oracles.partial_matches import Alert, State, Watchpoint, alerts
from tests.properties.traces import KEYED, traces
from tests.properties.watchpoint_lowering import VARIABLES, WATCHPOINTS

TRACES = traces(least=5, most=8, fields=KEYED)
Told = Counter[tuple[object, ...]]


def expected(watchpoint: Watchpoint, trace: list[Event], *, evidence: bool) -> Told:
    """Return what the algorithm reports: values, where it ends, and of which records, or since when."""
    names = [name for name in VARIABLES if name in bound(watchpoint)]
    ordered = sort_events(trace)
    found: dict[tuple[object, ...], Alert] = {}
    for alert in alerts(watchpoint, ordered, evidence=evidence):
        known = dict(alert.environment)
        ids = tuple(ordered[place].id for place in alert.taken)
        shown = (tuple(known.get(name) for name in names), ids if evidence else ids[-1:])
        if shown not in found or found[shown].taken < alert.taken:
            found[shown] = alert
    return Counter((*shown, ordered[alert.taken[0]].start) for shown, alert in found.items())


def told(found: Iterable[Match], *, evidence: bool) -> Told:
    return Counter(
        (tuple(one.values.values()), one.evidence if evidence else one.evidence[-1:], one.start) for one in found
    )


@given(WATCHPOINTS, TRACES)
def test_the_definition_reports_what_the_algorithm_does(watchpoint: Watchpoint, trace: list[Event]) -> None:
    for evidence in (False, True):
        program = parse(text_of(watchpoint, evidence=evidence), time_unit=1)
        found = matches(program, sort_events(trace))
        assert told(found, evidence=evidence) == expected(watchpoint, trace, evidence=evidence)


@given(WATCHPOINTS, TRACES)
def test_every_alert_is_told_by_the_push_of_the_record_that_completes_it(
    watchpoint: Watchpoint, trace: list[Event]
) -> None:
    program = parse(text_of(watchpoint, evidence=True), time_unit=1)
    detector, every = Detector(plan_of(program)), list[Match]()
    for event in sort_events(trace):
        found = detector.push(event)
        assert all(one.evidence[-1] == event.id and one.known == event.end for one in found)
        every += found
    assert detector.close() == []
    assert told(every, evidence=True) == expected(watchpoint, trace, evidence=True)


@given(WATCHPOINTS)
def test_a_watchpoint_is_printed_as_a_text_that_means_the_same(watchpoint: Watchpoint) -> None:
    for evidence in (False, True):
        program = parse(text_of(watchpoint, evidence=evidence))
        assert parse(show(program)) == program


def called_otherwise(watchpoint: Watchpoint) -> Watchpoint:
    """Return a watchpoint whose states have other names, and that sets nothing initially."""

    def renamed(state: State) -> State:
        return replace(state, follow=tuple(f"{name}_later" for name in state.follow))

    states = {f"{name}_later": renamed(state) for name, state in watchpoint.states.items()}
    return Watchpoint(states, f"{watchpoint.first}_later")


@given(WATCHPOINTS, WATCHPOINTS, TRACES)
def test_a_composition_is_one_and_then_the_other(one: Watchpoint, second: Watchpoint, trace: list[Event]) -> None:
    """Lemma 2: where the one ends, the other begins under its variables, greedily."""
    other = called_otherwise(second)
    ends = {
        name: replace(state, avoid=None, follow=(other.first,))
        for name, state in one.states.items()
        if not state.follow
    }
    both = Watchpoint({**one.states, **ends, **other.states}, one.first, one.initially)
    try:
        program = parse(composed_text(one, other), time_unit=1)
    except CepheidError as error:
        if error.diagnostics[0].code == "not-linear":  # there are two ways from the one into a loop of the other
            reject()
        raise
    found = matches(program, sort_events(trace))
    assert told(found, evidence=True) == expected(both, trace, evidence=True)
