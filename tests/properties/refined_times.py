"""The order of arrival in other words: every event has a time of its own, and spans are conditions on the real times.

An event at `t` that is the n-th to arrive is put at `t * SCALE + n`, where no two are simultaneous. What only asks
which of two comes first then asks it of these times as it always does. What measures a span asks for the times without
`n`, in a condition. So the published meaning, where events of one time do not follow each other, tells this one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cepheid.algebra.expressions import Call, Expr, Literal, Moment, conjunction
from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Chain, Collect, Distinct, Instant, Join, Repeat, Restrict, Suppress, Unless
from cepheid.algebra.programs import HULL, Program, Ties
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation, end, start
from cepheid.algebra.semantics import matches
from cepheid.algebra.traversal import transform, walk
from cepheid.events import Event, values
from cepheid.testing import Case

SCALE = 1000


def can_be_refined(program: Program) -> bool:
    """Say whether a program can be said so: nothing is dated, and no point of time or window of a run is in it.

    A suppression measures how far matches are apart, and no condition reads two of them.
    """
    hulls = all(rule.start == Moment(start(HULL)) and rule.end == Moment(end(HULL)) for rule in program.rules)
    nodes = [node for rule in program.rules for node in walk(rule.pattern)]
    runs = any(isinstance(node, Chain | Repeat) and node.window for node in nodes)
    odd = runs or any(isinstance(node, Instant | Suppress) for node in nodes)
    # Matches of one time and of the same events are one to `distinct`, whatever arrival they end with.
    merged = any(isinstance(node, Distinct) for node in nodes) and any(isinstance(node, Collect) for node in nodes)
    return hulls and not odd and not merged and not program.pipes


def refined_trace(trace: Sequence[Event]) -> list[Event]:
    """Return the events at times of their own; the start of one that lasts comes before all that arrive then."""
    return [
        replace(event, start=event.start * SCALE + (number if event.start == event.end else -1), end=_at(event, number))
        for number, event in enumerate(trace, 1)
    ]


def _at(event: Event, number: int) -> int:
    return event.end * SCALE + number


def refined(program: Program) -> Program:
    """Return a program whose spans are conditions on the real times."""
    return replace(transform(program, _refined), ties=Ties.SIMULTANEOUS)


def told(match: Match) -> tuple[object, ...]:
    """Return what a match over refined times says."""
    start, end = ((time + 1) // SCALE for time in (match.start, match.end))
    return (match.name, start, end, values.key_of(dict(match.values)), match.evidence)


def is_like_finer_times(case: Case) -> bool:
    """Say whether a case by arrival finds what the same finds over finer times."""
    found = Counter(match.content() for match in matches(case.program, case.trace))
    return found == Counter(told(match) for match in matches(refined(case.program), refined_trace(case.trace)))


def _refined(node: object) -> object:
    match node:
        case Moment(endpoint) if endpoint.axis is Axis.TIME and endpoint.part != HULL:
            return _real(endpoint)
        case Join():
            order, spans = _parted(node.relation)
            return replace(node, relation=order, candidate=_both(node.candidate, spans))
        case Unless() | Restrict() | Collect():
            order, spans = _parted(node.relation)
            return replace(node, relation=order, where=_both(node.where, spans))
        case Repeat():
            order, spans = _parted(node.gap)
            return replace(node, gap=order, link=_both(node.link, spans))
        case _:
            return node


def _parted(relation: Relation) -> tuple[Relation, list[Expr]]:
    """Return what a relation says about the order, and its spans as conditions."""
    order: list[Difference] = []
    spans: list[Expr] = []
    for one in relation:
        if one.later.axis is Axis.POSITION:
            order.append(one)
            continue
        asks = one.later.part != one.earlier.part and one.low != one.high
        low_is_order, high_is_order = asks and one.low in (0, 1), asks and (one.high == -1 or _orders(one))
        if low_is_order:
            order.append(replace(one, high=None))
        if high_is_order:
            order.append(replace(one, low=None))
        apart = Call("-", (_real(one.later), _real(one.earlier)))
        if one.low is not None and not low_is_order:
            spans.append(Call(">=", (apart, Literal(one.low))))
        if one.high is not None and not high_is_order:
            spans.append(Call("<=", (apart, Literal(one.high))))
    return tuple(order), spans


def _orders(one: Difference) -> bool:
    is_window = (one.earlier.edge, one.later.edge) == (Edge.START, Edge.END)
    return one.high == 0 and not is_window


def _real(endpoint: Endpoint) -> Expr:
    # The start of what lasts is one less than a multiple.
    return Call("//", (Call("+", (Moment(endpoint), Literal(1))), Literal(SCALE)))


def _both(condition: Expr | None, spans: list[Expr]) -> Expr | None:
    return conjunction((*((condition,) if condition is not None else ()), *spans))
