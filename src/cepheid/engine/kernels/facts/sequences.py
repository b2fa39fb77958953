"""Recognise joins: of all combinations, with events in a strict order of time, and of choices, step by step."""

from dataclasses import dataclass, field

from cepheid.algebra.expressions import Expr, conjuncts
from cepheid.algebra.patterns import Atom, Equalities, Join, Pattern, Select
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, Edge
from cepheid.engine.kernels.facts.declining import Declined, readable
from cepheid.engine.kernels.facts.time_bounds import LONGEST, TimeBounds
from cepheid.engine.kernels.facts.wrappers import named_points, place_of, plain_atom


@dataclass
class Joined:
    """The events of a join as they are written, with all that was said about them."""

    atoms: list[Atom] = field(default_factory=list)
    distances: list[tuple[int, int, int | None, int | None]] = field(default_factory=list)
    equal: Equalities = ()
    filters: list[Expr] = field(default_factory=list)
    following: list[tuple[int, int]] = field(default_factory=list)

    def limit(self, difference: Difference, places: dict[tuple[str, Edge], int]) -> tuple[int, int]:
        """Note how far apart two events are, or that one arrives after the other; return which two."""
        earlier, later = place_of(difference, places, by_arrival=True)
        low, high = difference.low, difference.high
        if difference.later.axis is Axis.ARRIVAL:
            if low != 1:
                raise Declined("an event may arrive with another")
            self.following.append((earlier, later))
            low = 0
        self.distances.append((earlier, later, low, high))
        return earlier, later

    def order(self) -> list[int] | None:
        """Return the events in the order in which they come, None if that is not fixed."""
        found = TimeBounds(len(self.atoms))
        for earlier, later, low, high in self.distances:
            # Where events of one time follow each other, only what is said to follow does.
            found.limit(earlier, later, *((None, None) if self.following else (low, high)))
        for earlier, later in self.following:
            found.limit(earlier, later, 1, None)
        found.close()
        if not found.possible:
            raise Declined("it can never match")
        return found.order()

    def bounds(self) -> TimeBounds:
        found = TimeBounds(len(self.atoms))
        for earlier, later, low, high in self.distances:
            found.limit(earlier, later, low, high)
        found.close()
        if not found.possible:
            raise Declined("it can never match")
        if any(most is not None and abs(most) > LONGEST for row in found.most for most in row):
            raise Declined("a distance is too long to compute with")
        return found


def all_combinations(pattern: Pattern) -> Joined:
    """Return the events of a pattern that is an atom, or joins of atoms under ALL."""
    if not isinstance(pattern, Join):
        return Joined([plain_atom(pattern)])
    if pattern.policy.choice is not Choice.ALL or pattern.policy.per:
        raise Declined("its joins choose differently")
    whole = Joined(equal=pattern.equal)
    places: dict[tuple[str, Edge], int] = {}
    for number, part in enumerate(pattern.parts):
        below = all_combinations(part)
        below.bounds()
        order = below.order()
        if order is None:
            raise Declined("the order of its events in time is not fixed")
        first = len(whole.atoms)
        places |= {(f"${number}", Edge.START): first + order[0], (f"${number}", Edge.END): first + order[-1]}
        whole.atoms += below.atoms
        whole.distances += [(first + i, first + j, low, high) for i, j, low, high in below.distances]
        whole.following += [(first + i, first + j) for i, j in below.following]
        whole.equal += below.equal
        whole.filters += below.filters
    places |= named_points(tuple(atom.name for atom in whole.atoms))
    for one in pattern.relation:
        whole.limit(one, places)
    for condition in (pattern.candidate, pattern.where):
        readable(condition, hull=False)
        whole.filters += conjuncts(condition)
    return whole


@dataclass
class Chosen(Joined):
    """The same for joins that choose, each with what it chooses under."""

    joins: list[Join] = field(default_factory=list)


def choosing_steps(pattern: Pattern) -> Chosen:
    """Return the events of joins that all choose alike, each a step after the ones inside it."""
    if not isinstance(pattern, Join):
        return Chosen([plain_atom(pattern)])
    choice = pattern.policy.choice
    if pattern.candidate is not None or pattern.policy.tie:
        raise Declined("it chooses by a condition or a tie of its own")
    whole = _inner(pattern.parts[0], choice)
    whole.atoms.append(plain_atom(pattern.parts[1], chosen=choice is Choice.LATEST_START))
    last = len(whole.atoms) - 1
    places = named_points(tuple(atom.name for atom in whole.atoms))
    places |= {("$0", Edge.START): 0, ("$0", Edge.END): last - 1}
    places |= {("$1", edge): last for edge in Edge}
    for one in pattern.relation:
        if last not in whole.limit(one, places):
            raise Declined("a choosing join limits what is inside it")
    readable(pattern.where, hull=False)
    whole.filters += conjuncts(pattern.where)
    whole.equal += pattern.equal
    whole.joins.append(pattern)
    return whole


def _inner(pattern: Pattern, choice: Choice) -> Chosen:
    if not isinstance(pattern, Join):
        return Chosen([plain_atom(pattern, chosen=choice is Choice.LATEST_START)])
    if pattern.policy.choice is not choice or choice is Choice.CHRONOLOGICAL or pattern.where is not None:
        raise Declined("a choice stands on a part that chooses differently")
    return choosing_steps(pattern)


def selections(pattern: Pattern) -> list[Select]:
    """Return the choices on single events below joins."""
    match pattern:
        case Select():
            return [pattern]
        case Join(parts):
            return [one for part in parts for one in selections(part)]
        case _:
            return []
