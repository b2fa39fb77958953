"""How long a match can be, as far as its windows tell.

This looks at the windows only and takes one pass; the closure in `analysis` looks at everything. None is no bound.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import (
    Atom,
    Collect,
    Either,
    Instant,
    Join,
    Pattern,
    Restrict,
    Sieve,
    Unless,
)
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import Endpoint, Ticks, end, start
from cepheid.algebra.strata import feeds_itself, strata
from cepheid.analysis.closures.part_order import hull, in_order
from cepheid.rewrites import windows


@dataclass(frozen=True, slots=True)
class EventLengths:
    """How long the events of each type can be; those of types not named are as long as `default`."""

    by_type: Mapping[str, Ticks | None] = field(default_factory=dict)
    default: Ticks | None = 0

    def of(self, atom: Atom) -> Ticks | None:
        named = [self.by_type.get(name, self.default) for name in atom.types]
        return longer(named or [self.default, *self.by_type.values()])


POINTS = EventLengths()
"""No event lasts."""


def longer(lengths: Iterable[Ticks | None]) -> Ticks | None:
    """Return the greatest length, None where one of them has no bound."""
    known = list(lengths)
    bounded = [length for length in known if length is not None]
    return max(bounded, default=0) if len(bounded) == len(known) else None


def shorter(lengths: Iterable[Ticks | None]) -> Ticks | None:
    """Return the least length, None where none of them has a bound."""
    return min((length for length in lengths if length is not None), default=None)


def is_within(length: Ticks | None, limit: Ticks | None) -> bool:
    """Say whether a length is known to keep a limit; None as limit is kept by all."""
    return limit is None or (length is not None and length <= limit)


def longest(pattern: Pattern, lengths: EventLengths) -> Ticks | None:
    """Return the greatest length of a match of `pattern`."""
    match pattern:
        case Atom():
            return lengths.of(pattern)
        case Instant():
            return 0
        case Join():
            return join_window(pattern, lengths)
        case Restrict(inner, relation):
            return shorter([windows.split(relation)[0], longest(inner, lengths)])
        case Sieve(inner) | Unless(inner) | Collect(anchor=inner):
            return longest(inner, lengths)
        case Either(branches):
            return longer(longest(branch, lengths) for branch in branches)
        case _:
            return None


def point_test(lengths: EventLengths) -> Callable[[Pattern], bool]:
    """Return what says of a pattern whether none of its matches lasts."""
    return lambda pattern: longest(pattern, lengths) == 0


def join_window(join: Join, lengths: EventLengths) -> Ticks | None:
    """Return the greatest distance from the first start to the last end of a join's parts."""
    count, limits = len(join.parts), _limits(join)
    if in_order(join) and count > 1:
        return limits.get((end(hull(count - 1)), start(hull(0))))
    return longer(
        shorter(
            [
                limits.get((end(hull(last)), start(hull(first)))),
                longest(join.parts[last], lengths) if first == last else None,
            ]
        )
        for last in range(count)
        for first in range(count)
    )


def _limits(join: Join) -> dict[tuple[Endpoint, Endpoint], Ticks | None]:
    """Return the greatest distances that the relation of a join says, by the two ends that it says them of."""
    found: dict[tuple[Endpoint, Endpoint], Ticks | None] = {}
    for difference in join.relation:
        ends = (difference.later, difference.earlier)
        found[ends] = shorter([found.get(ends), difference.high])
    return found


def event_lengths(program: Program, *, intervals: bool) -> EventLengths:
    """Return how long events are: input events are points unless `intervals`, derived ones are as long as matches.

    A type that rules emit may be given as well.
    """
    lengths = EventLengths({}, None if intervals else 0)
    for group in strata(program.rules):
        found, endless = dict(lengths.by_type), feeds_itself(group)
        for rule in group:
            length = None if endless else _emitted_length(rule, lengths)
            found[rule.emits] = longer([length, found.get(rule.emits, lengths.default)])
        lengths = EventLengths(found, lengths.default)
    return lengths


def _emitted_length(rule: Rule, lengths: EventLengths) -> Ticks | None:
    if rule.start == rule.end:
        return 0
    is_hull = (rule.start, rule.end) == (Moment(start(HULL)), Moment(end(HULL)))
    return longest(rule.pattern, lengths) if is_hull else None
