"""What stands around the join of a rule: conditions on whole matches, and what must be absent."""

from dataclasses import dataclass, field

from cepheid.algebra.expressions import Expr, conjuncts
from cepheid.algebra.patterns import Atom, Pattern, Restrict, Select, Unless
from cepheid.algebra.relations import Axis, Difference, Edge
from cepheid.engine.kernels.facts.declining import Declined, readable


@dataclass
class Around:
    """The wrappers of a rule, outermost first."""

    core: Pattern
    filters: list[Expr] = field(default_factory=list)
    limits: list[Difference] = field(default_factory=list)
    absences: list[Unless] = field(default_factory=list)


def unwrapped(pattern: Pattern) -> Around:
    """Return the join under all wrappers that can be checked match by match."""
    around = Around(pattern)
    while True:
        match around.core:
            case Restrict(inner, relation, where):
                readable(where, hull=True)
                around.filters += conjuncts(where)
                around.limits += relation
                around.core = inner
            case Unless(inner):
                around.absences.append(around.core)
                around.core = inner
            case _:
                return around


def plain_atom(pattern: Pattern, *, chosen: bool = False, typed: bool = True) -> Atom:
    """Return the atom that a part is; `chosen`: a choice of the last of simultaneous ones makes no difference.

    `typed`: it must name types.
    """
    if chosen and isinstance(pattern, Select):
        pattern = pattern.pattern
    if not isinstance(pattern, Atom):
        raise Declined(f"a part is no single event but a `{type(pattern).__name__.lower()}`")
    if typed and not pattern.types:
        raise Declined("a part is an event of any type")
    readable(pattern.where, hull=False)
    return pattern


def place_of(
    difference: Difference, names: dict[tuple[str, Edge], int], *, by_arrival: bool = False
) -> tuple[int, int]:
    """Return the numbers of the events that a distance is between, the earlier first; or which arrives after which."""
    found, axes = [], (Axis.TIME, Axis.ARRIVAL) if by_arrival else (Axis.TIME,)
    for endpoint in (difference.earlier, difference.later):
        number = names.get((endpoint.part, endpoint.edge))
        if endpoint.axis not in axes or number is None:
            raise Declined("a distance is not between its events")
        found.append(number)
    return found[0], found[1]


def named_points(names: tuple[str, ...]) -> dict[tuple[str, Edge], int]:
    """Return the number of the event that each end of each name stands for: both ends of a point are one."""
    return {(name, edge): number for number, name in enumerate(names) for edge in Edge}
