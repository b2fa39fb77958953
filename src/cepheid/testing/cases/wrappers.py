"""Random nodes that keep, merge or choose among the instances of what is below them."""

from cepheid.algebra.expressions import Call, Expr, Literal, Moment
from cepheid.algebra.patterns import Atom, Distinct, Either, Restrict, Select, Skip, Suppress
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Axis, Difference, Relation, end, start
from cepheid.testing.cases.conditions import condition, filter_of
from cepheid.testing.cases.keys import key_of_some
from cepheid.testing.cases.relations import generous, window
from cepheid.testing.cases.sketches import Kind, Part, Sketch, Workshop

_CHOSEN = {Kind.ATOM: 25, Kind.EITHER: 35, Kind.UNLESS: 15, Kind.RESTRICT: 15, Kind.COLLECT: 5, Kind.REPEAT: 5}
_BRANCH = {
    Kind.ATOM: 55,
    Kind.JOIN: 30,
    Kind.CHAIN: 5,
    Kind.REPEAT: 5,
    Kind.INSTANT: 5,
    Kind.SELECT: 5,
    Kind.SUPPRESS: 4,
}
_LIMITED = {Kind.JOIN: 55, Kind.EITHER: 15, Kind.REPEAT: 12, Kind.UNLESS: 8, Kind.CHAIN: 5, Kind.COLLECT: 10}
_SKIPPED = {
    Kind.JOIN: 35,
    Kind.CHAIN: 35,
    Kind.REPEAT: 8,
    Kind.EITHER: 8,
    Kind.RESTRICT: 8,
    Kind.UNLESS: 8,
    Kind.ATOM: 3,
}
_SUPPRESSED = {
    Kind.ATOM: 25,
    Kind.JOIN: 40,
    Kind.EITHER: 10,
    Kind.RESTRICT: 8,
    Kind.UNLESS: 7,
    Kind.CHAIN: 5,
    Kind.REPEAT: 5,
    Kind.COLLECT: 4,
    Kind.INSTANT: 3,
    Kind.SUPPRESS: 2,
}
_MERGED = {Kind.JOIN: 60, Kind.EITHER: 25, Kind.REPEAT: 10, Kind.CHAIN: 5}


def select(workshop: Workshop, depth: int) -> Sketch:
    """Return the latest-start choice over something that is not a join."""
    below = workshop.any_of(_CHOSEN, depth - 1)
    key = key_of_some(workshop.draw, below) if workshop.draw.chance(20) else None
    policy = Policy(Choice.LATEST_START, (key,) if key else ())
    return Sketch(Select(below.pattern, policy), below.parts, max(below.size * 2 // 3, 2), below.variables)


def either(workshop: Workshop, depth: int) -> Sketch:
    """Return alternatives, sometimes atoms of one name."""
    draw = workshop.draw
    if draw.chance(20):
        return _namesakes(workshop)
    branches = [workshop.any_of(_BRANCH, depth - 1) for _ in range(draw.weighted({2: 75, 3: 25}))]
    return Sketch(
        Either(tuple(branch.pattern for branch in branches)),
        tuple(part for branch in branches for part in branch.uncertain().parts),
        sum(branch.size for branch in branches),
        tuple(name for branch in branches for name in branch.variables),
    )


def _namesakes(workshop: Workshop) -> Sketch:
    draw, part = workshop.draw, Part(workshop.fresh("e"))
    filters = [filter_of(draw, part.name) if draw.chance(30) else None for _ in range(2)]
    branches = tuple(Atom(part.name, frozenset((draw.pick(workshop.shape.types),)), where) for where in filters)
    return Sketch(Either(branches), (part,), 6)


def restrict(workshop: Workshop, depth: int) -> Sketch:
    """Return a limit on the hull, a condition after the fact, or both."""
    below, draw = workshop.any_of(_LIMITED, depth - 1), workshop.draw
    where = condition(draw, [below]) if draw.chance(40) else None
    relation = _limits(workshop) if where is None or draw.chance(70) else ()
    return Sketch(Restrict(below.pattern, relation, where), below.parts, max(below.size * 3 // 4, 1), below.variables)


def _limits(workshop: Workshop) -> Relation:
    draw, whole = workshop.draw, "$pattern"
    match draw.weighted({"longest": 75, "shortest": 15, "records": 10 if workshop.shape.positions else 0}):
        case "longest":
            return (window(workshop, whole, whole),)
        case "shortest":
            return (Difference(end(whole), start(whole), draw.integer(0, 2), draw.pick((None, generous(draw)))),)
        case _:
            first, last = start(whole, Axis.POSITION), end(whole, Axis.POSITION)
            return (Difference(last, first, draw.integer(0, 1), draw.pick((None, 6))),)


def distinct(workshop: Workshop, depth: int) -> Sketch:
    """Return one match per set of events, or per value of some expressions."""
    below, draw = workshop.any_of(_MERGED, depth - 1), workshop.draw
    by = None if draw.chance(45) else _told_apart_by(workshop, below)
    return Sketch(Distinct(below.pattern, by), below.parts, max(below.size * 2 // 3, 1), below.variables)


def _told_apart_by(workshop: Workshop, below: Sketch) -> tuple[Expr, ...]:
    key = key_of_some(workshop.draw, below)
    times = [Moment(start(part.name)) for part in below.parts] + [Moment(end(part.name)) for part in below.parts]
    return tuple(workshop.draw.some([*times, *((key,) if key else ())], 1, 2))


def skip(workshop: Workshop, depth: int) -> Sketch:
    """Return matches one after the other, each going on after the last one, its first record, or one of its parts."""
    if not workshop.shape.positions:
        return distinct(workshop, depth)
    below, draw = workshop.any_of(_SKIPPED, depth - 1), workshop.draw
    part = draw.pick(("$pattern", *(part.name for part in below.parts)))
    edge = draw.pick((end, start))
    to = Call("+", (Moment(edge(part, Axis.POSITION)), Literal(draw.weighted({1: 70, 0: 20, 3: 10}))))
    key = key_of_some(draw, below) if draw.chance(25) else None
    node = Skip(below.pattern, to, (key,) if key else ())
    return Sketch(node, below.parts, max(below.size // 2, 1), below.variables)


def suppress(workshop: Workshop, depth: int) -> Sketch:
    """Return what passes of some matches: of all together, of each key, or of each value of some expressions."""
    below, draw = workshop.any_of(_SUPPRESSED, depth - 1), workshop.draw
    key = key_of_some(draw, below)
    by: tuple[Expr, ...] = ()
    match draw.weighted({"all": 40, "key": 45, "several": 15}):
        case "key" if key is not None:
            by = (key,)
        case "several":
            by = _told_apart_by(workshop, below)
    node = Suppress(below.pattern, draw.weighted({1: 35, 2: 30, 4: 25, 9: 10}), by)
    return Sketch(node, below.parts, max(below.size // 2, 1), below.variables)
