"""Texts of HBL mean what the paper's algorithm over active partial matches reports."""

from collections import Counter
from collections.abc import Iterable

from hypothesis import given

from cepheid.algebra.matches import Match
from cepheid.algebra.semantics import matches
from cepheid.analysis import plan_of
from cepheid.engine import Detector
from cepheid.events import Event, sort_events
from cepheid.languages.hbl import parse, show
from tests.languages.hbl.texts import bound, text_of
from tests.oracles.partial_matches import Alert, Watchpoint, alerts
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
