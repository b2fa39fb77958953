"""Windows: the differences of a `Restrict` that bound how long a match is."""

from cepheid.algebra.patterns import Pattern, Restrict
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Difference, Relation, Ticks, end, length, start


def split(relation: Relation) -> tuple[Ticks | None, Relation]:
    """Return the tightest window of a relation over a whole match, and its other differences."""
    lengths = [difference.high for difference in relation if _is_window(difference)]
    others = tuple(difference for difference in relation if not _is_window(difference))
    return min((longest for longest in lengths if longest is not None), default=None), others


def within(pattern: Pattern, longest: Ticks) -> Restrict:
    """Return the matches of `pattern` that are at most `longest` long."""
    return Restrict(pattern, window(longest), span=pattern.span)


def window(longest: Ticks) -> Relation:
    return (length(HULL, HULL, longest),)


def _is_window(difference: Difference) -> bool:
    spans_match = (difference.later, difference.earlier) == (end(HULL), start(HULL))
    return spans_match and difference.high is not None and (difference.low is None or difference.low <= 0)
