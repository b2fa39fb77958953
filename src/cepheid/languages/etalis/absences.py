"""Where something is absent: strictly after one pattern has ended and strictly before another one starts.

A pattern ends when the last of its events does, so each of them is asked. Where alternatives leave open which events
there are, their ends are compared as values, and the absence lies at least inside the whole.
"""

from collections.abc import Callable
from itertools import chain

from cepheid.algebra import intervals
from cepheid.algebra.expressions import Call, Expr, Moment
from cepheid.algebra.patterns import Atom, Either, Instant, Join, Pattern, Repeat, Restrict, Unless
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Endpoint, Relation, end, start
from cepheid.algebra.traversal import walk

ABSENT = "$absent"


def place_between(first: Pattern, last: Pattern) -> tuple[Relation, Expr | None]:
    """Return the relation of what is absent to `first SEQ last`, and a condition on it where that is not enough."""
    if not _has_alternatives(first) and not _has_alternatives(last):
        after = chain.from_iterable(intervals.then(name, ABSENT) for name in _names(first))
        before = chain.from_iterable(intervals.then(ABSENT, name) for name in _names(last))
        return (*after, *before), None
    starts_later = Call("<", (_extreme(first, end, "max"), Moment(start(ABSENT))))
    ends_before = Call("<", (Moment(end(ABSENT)), _extreme(last, start, "min")))
    return intervals.during(ABSENT, HULL), Call("and", (starts_later, ends_before))


def _has_alternatives(pattern: Pattern) -> bool:
    return any(isinstance(node, Either) for node in walk(_positive(pattern)))


def _positive(pattern: Pattern) -> tuple[Pattern, ...]:
    """Return the pattern without what is absent from it or repeated in it: that has no ends of its own here."""
    match pattern:
        case Join(parts):
            return tuple(one for part in parts for one in _positive(part))
        case Restrict(inner) | Unless(inner):
            return _positive(inner)
        case Repeat():
            return ()
        case _:
            return (pattern,)


def _names(pattern: Pattern) -> list[str]:
    match pattern:
        case Atom(name) | Instant(name) | Repeat(name):
            return [name]
        case Join(parts):
            return [name for part in parts for name in _names(part)]
        case Restrict(inner) | Unless(inner):
            return _names(inner)
        case _:
            raise AssertionError(f"alternatives are handled before: {pattern!r}")


def _extreme(pattern: Pattern, edge: Callable[[str], Endpoint], function: str) -> Expr:
    """Return the last end or the first start of the events that a match has; null where its branch was not taken."""
    match pattern:
        case Either(branches):
            return Call("coalesce", tuple(_extreme(branch, edge, function) for branch in branches))
        case Join(parts):
            return Call(function, tuple(_extreme(part, edge, function) for part in parts))
        case Restrict(inner) | Unless(inner):
            return _extreme(inner, edge, function)
        case _:
            [name] = _names(pattern)
            return Moment(edge(name))
