"""When the conditions of a join can be checked: as soon as all parts that they read are there."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Call, Expr, Variable, conjuncts
from cepheid.algebra.patterns import Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, Relation, end, start
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import named_parts, walk
from cepheid.analysis.plans.retention import parts_read, side_of

Equality = tuple[Expr, Expr]


@dataclass(frozen=True, slots=True)
class Step:
    """Add one part: find it by `lookup` (the number of its index and what it must equal), then check the rest."""

    part: int
    lookup: tuple[int, Expr] | None
    relation: Relation
    equal: tuple[Equality, ...]
    conditions: tuple[Expr, ...]


class JoinSteps:
    """For every part of a join that takes everything: the order in which the others are found, with what to check."""

    def __init__(self, join: Join) -> None:
        self.join = join
        self.names = [frozenset(named_parts(part)) for part in join.parts]
        self.relation = join.relation + self._adjacency()
        self.conditions = (*self._keyed(), *conjuncts(join.candidate), *conjuncts(join.where))
        self.indexes = [self._index_of(part) for part in range(len(join.parts))]
        self.ways = [self._way(part) for part in range(len(join.parts))]
        self.own = [self._checks(frozenset(), part) for part in range(len(join.parts))]

    def _adjacency(self) -> Relation:
        if self.join.policy.choice is not Choice.STRICT:
            return ()
        return (Difference(start("$1", Axis.POSITION), end("$0", Axis.POSITION), 1, 1),)

    def _keyed(self) -> tuple[Expr, ...]:
        """Return what makes sure that nothing is chosen for a null key; the choice itself takes everything."""
        return tuple(Call("not", (Call("is_null", (one,)),)) for one in self.join.policy.per)

    def _index_of(self, part: int) -> tuple[Expr, ...]:
        """Return the expressions over one part that some equality compares with another part."""
        sides = [side for pair in self.join.equal for side in pair if side_of(side, self.join) == part]
        return tuple(dict.fromkeys(sides))

    def _way(self, first: int) -> tuple[Step, ...]:
        there, steps = frozenset((first,)), []
        for part in (number for number in range(len(self.join.parts)) if number != first):
            relation, equal, conditions = self._checks(there, part)
            steps.append(Step(part, self._lookup(equal, part), relation, equal, conditions))
            there |= {part}
        return tuple(steps)

    def _lookup(self, equal: Sequence[Equality], part: int) -> tuple[int, Expr] | None:
        for pair in equal:
            for own, other in (pair, pair[::-1]):
                if side_of(own, self.join) == part and side_of(other, self.join) not in (part, None):
                    return self.indexes[part].index(own), other
        return None

    def _checks(self, there: frozenset[int], part: int) -> tuple[Relation, tuple[Equality, ...], tuple[Expr, ...]]:
        """Return what can be checked once `part` joins those that are `there`, and could not before."""
        relation = tuple(one for one in self.relation if self._ready(self._ends(one), there, part))
        equal = tuple(pair for pair in self.join.equal if self._ready(self._reads(*pair), there, part))
        conditions = tuple(one for one in self.conditions if self._ready(self._reads(one), there, part))
        return relation, equal, conditions

    def _ready(self, needs: frozenset[int], there: frozenset[int], part: int) -> bool:
        whole = there | {part}
        return needs <= whole and not needs <= there if needs else not there

    def _ends(self, difference: Difference) -> frozenset[int]:
        return frozenset().union(*(self._owners(one.part) for one in (difference.later, difference.earlier)))

    def _reads(self, *expressions: Expr) -> frozenset[int]:
        if any(isinstance(node, Variable) for node in walk(expressions)):
            return frozenset(range(len(self.names)))
        return frozenset().union(*(self._owners(name) for name in parts_read(expressions)))

    def _owners(self, name: str) -> frozenset[int]:
        if name.startswith("$") and name[1:].isdigit():
            return frozenset((int(name[1:]),))
        owners = frozenset(part for part, names in enumerate(self.names) if name in names)
        # What is no part is a variable, and any part may have that.
        return owners or frozenset(range(len(self.names)))


@ByIdentity
def join_steps(join: Join) -> JoinSteps:
    """Return the steps of a join; every key of a rule uses the same."""
    return JoinSteps(join)
