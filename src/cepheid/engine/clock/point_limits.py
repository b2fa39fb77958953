"""How many points of time may be told at once: where each of them is a match, a gap in time has as many as it is long.

Points that matter only beside events are left out by `near_points`; these are the others, which are all due. A run over
some input moves the clock on in steps, so that matches come portion by portion; one call of a detector is refused.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.patterns import Instant
from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis import Plan
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import MIN_TIME, Duration, Event

MOST_POINTS = 1_000_000
PORTION = 10_000


@ByIdentity
def shortest_period(plan: Plan) -> int | None:
    """Return the shortest time between points of a schedule that matter wherever they are; None if there are none."""
    every = [operator for rule in plan.rules for operator in rule.operators if operator.near is None]
    periods = [_period(one.pattern.schedule) for one in every if isinstance(one.pattern, Instant)]
    return min((period for period in periods if period is not None), default=None)


def has_points(plan: Plan) -> bool:
    """Say whether a plan reads points of time of which every one may matter."""
    return shortest_period(plan) is not None


def _period(schedule: Expr) -> int | None:
    match schedule:
        case Call("every", (Literal(int() as period), _)):
            return period
        case Call("daily" | "weekly" as name, _):
            return Duration.days(1 if name == "daily" else 7).ticks
        case _:
            return None


def steps(plan: Plan, before: int, after: int) -> Iterator[int]:
    """Yield the times between two to stop at, so that no more than a portion of points is due each time.

    Before the first event no point is due, so there is nothing to stop at.
    """
    period = shortest_period(plan)
    if period is not None and before > MIN_TIME:
        yield from range(before + PORTION * period, after, PORTION * period)


def portions(events: Sequence[Event], plan: Plan, most: int) -> Iterator[Sequence[Event]]:
    """Yield events, which come in order, in portions: not too many of them, nor too many points between them."""
    period, first = shortest_period(plan), 0
    while first < len(events):
        last = min(first + most, len(events))
        if period is not None:
            last = bisect_right(events, events[first].end + PORTION * period, first, last, key=lambda one: one.end)
        yield events[first:last]
        first = last


def check_points(plan: Plan, before: int, after: int) -> None:
    """Refuse to let more points come than can be told at once, once something has come at all."""
    period = shortest_period(plan)
    if period is None or before == MIN_TIME or after - before <= MOST_POINTS * period:
        return
    count = (after - before) // period
    message = f"{count:,} points of time would be emitted at once, and {MOST_POINTS:,} are the most"
    note = f"the clock moves on by {Duration(after - before)}, with a point every {Duration(period)}"
    hint = "move the clock on in steps before, with `advance(time)`"
    raise CepheidError(Diagnostic("too-many-points", message, hints=(hint,), notes=(note,)))
