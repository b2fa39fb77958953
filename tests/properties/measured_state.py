"""Runs with everything declared that their trace allows to declare, and what they held beside what was certified."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.pipes import INPUT, Source
from cepheid.algebra.programs import Arrival, Program, Stream
from cepheid.algebra.traversal import event_types, walk
from cepheid.analysis import Certificate, Plan, certify, plan_of
from cepheid.engine import Detector, Excess
from cepheid.events import Event, values
from cepheid.testing import Case
from cepheid.testing.cases.case import most_in

PERIODS = (1, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class Measured:
    """The most that one operator, or the order buffers of a rule, held in a run; `promised` is the certified number."""

    kind: str
    used: int
    promised: int | None
    formula: str


def declared(case: Case, period: int, *, keys: bool = True) -> Program:
    """Return the program of a case with the lowest rates, and numbers of keys, that its trace keeps to."""
    known = {stream.name: stream for stream in case.program.streams}
    streams = [_stream(name, case, known, period) for name in sorted(_inputs(case))]
    return replace(case.program, streams=tuple(one if keys else replace(one, keys=None) for one in streams))


def _inputs(case: Case) -> frozenset[str]:
    derived = {rule.emits for rule in case.program.rules}
    named = event_types(tuple(rule.pattern for rule in case.program.rules)) - derived
    piped = {node.stream for node in walk(case.program.pipes) if isinstance(node, Source)} - derived - {INPUT, ""}
    return named | piped | {event.type for event in case.trace} | {stream.name for stream in case.program.streams}


def _stream(name: str, case: Case, known: dict[str, Stream], period: int) -> Stream:
    rate = Arrival(most_in(case.trace, name, period), period)
    return replace(known.get(name, Stream(name)), arrival=rate, keys=_keys(name, case.trace))


def _keys(name: str, trace: Sequence[Event]) -> int:
    """Return the most values that any attribute of a type has in a trace."""
    seen: dict[str, set[object]] = {}
    for event in trace:
        for attribute, value in event.fields.items():
            if event.type == name:
                seen.setdefault(attribute, set()).add(values.key_of(value))
    return max((len(some) for some in seen.values()), default=1)


def lasting(case: Case) -> bool:
    return any(event.start != event.end for event in case.trace)


def measured(case: Case, periods: Sequence[int] = PERIODS, *, keys: bool = True) -> list[Measured]:
    """Return what every operator of a case held at most; the certified number is the least over several rates."""
    plans = [plan_of(declared(case, period, keys=keys), intervals=lasting(case)) for period in periods]
    certificates = [certify(plan, case.disorder) for plan in plans]
    peaks = _peaks(plans[0], case)
    found = []
    for number, rule in enumerate(plans[0].rules):
        promises = [_promises(certificate, number) for certificate in certificates]
        kinds = [*(operator.kind.value for operator in rule.operators), "order buffer"]
        for place, kind in enumerate(kinds):
            numbers = [some[place][0] for some in promises if some[place][0] is not None]
            promised = min((one for one in numbers if one is not None), default=None)
            found.append(Measured(kind, peaks[number][place], promised, promises[0][place][1]))
    return found


def _promises(certificate: Certificate, number: int) -> list[tuple[int | None, str]]:
    rule = certificate.rules[number]
    every = [*(operator.entries for operator in rule.operators), rule.buffer]
    return [(promise.number, str(promise.formula)) for promise in every]


def _peaks(plan: Plan, case: Case) -> list[list[int]]:
    """Return the most that each operator of each rule, and its order buffers together, held after any turn."""
    detector = Detector(plan, disorder=case.disorder, identified=True, on_excess=Excess.FAIL)
    peaks = [[0] * (len(rule.operators) + 1) for rule in plan.rules]
    for _ in _turns(detector, case):
        for peak, runner in zip(peaks, detector.runners, strict=True):
            held = [*runner.entries(), runner.buffered()]
            peak[:] = [max(one, other) for one, other in zip(peak, held, strict=True)]
    return peaks


def _turns(detector: Detector, case: Case) -> Iterator[None]:
    for event in case.arrivals:
        detector.push(event)
        yield
    detector.close()
    yield
