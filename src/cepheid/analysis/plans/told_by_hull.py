"""Which patterns are told by their hull: only what starts no earlier than a match decides about it.

Then the history of a match is as long as the match itself. Leave out all events that start before some time, and the
matches that start later are the same. A choice keeps to that where it takes windows: whatever would be chosen instead
of a match either starts no earlier, or is taken with and without it.
"""

from collections.abc import Iterator

from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Unless,
)
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint
from cepheid.analysis.closures.tree import below, positive
from cepheid.analysis.plans.choice_windows import IsPoint, takes_windows
from cepheid.analysis.plans.forbidding import own_names


def is_told_by_its_hull(node: Pattern, is_point: IsPoint) -> bool:
    """Say whether nothing that starts before a match of a pattern decides about it."""
    match node:
        case Atom() | Instant() | Chain():
            return True
        case Join():
            told = takes_windows(node, is_point)
        case Unless():
            told = _starts_no_earlier(node, is_point)
        case Restrict() | Either() | Select():
            told = True
        case Distinct():
            told = node.by is None
        case Repeat():
            told = node.choice is Choice.ALL
        case _:
            told = False
    return told and all(is_told_by_its_hull(part, is_point) for part in below(node))


def _starts_no_earlier(unless: Unless, is_point: IsPoint) -> bool:
    """Say whether what forbids a match starts no earlier than the match."""
    absent, present = own_names(unless.absent), {HULL, *_events(unless.pattern)}
    edges = tuple(Edge) if is_point(unless.absent) else (Edge.START,)
    return any(
        later.part in absent and later.edge in edges and earlier.part in present
        for difference in unless.relation
        for later, earlier in _no_earlier(difference)
    )


def _events(pattern: Pattern) -> Iterator[str]:
    """Yield the names of events that lie in the hull of every match that has them."""
    if isinstance(pattern, Atom):
        yield pattern.name
    for part in positive(pattern):
        yield from _events(part)


def _no_earlier(difference: Difference) -> list[tuple[Endpoint, Endpoint]]:
    """Return the ends of which one is no earlier than another, by a difference in time."""
    if {difference.later.axis, difference.earlier.axis} != {Axis.TIME}:
        return []
    pairs = []
    if difference.low is not None and difference.low >= 0:
        pairs.append((difference.later, difference.earlier))
    if difference.high is not None and difference.high <= 0:
        pairs.append((difference.earlier, difference.later))
    return pairs
