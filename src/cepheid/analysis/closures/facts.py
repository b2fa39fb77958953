"""What follows about a pattern as a whole: can it match, and how far apart can its endpoints be?"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cepheid.algebra.patterns import Pattern
from cepheid.algebra.relations import Axis, Edge
from cepheid.analysis.closures.cases import cases
from cepheid.analysis.closures.closure import Closure
from cepheid.analysis.closures.constraints import Gathering, Variable, asked_edges
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.closures.tree import Path


@dataclass(frozen=True, slots=True)
class Distance:
    """The greatest distance of two endpoints: a number of ticks, None for no bound; `possible` if they can exist."""

    high: int | None
    possible: bool = True


@dataclass(frozen=True, slots=True)
class _Solved:
    gathering: Gathering
    closure: Closure[Variable]

    def farthest(self, lasts: Sequence[Variable], firsts: Sequence[Variable]) -> int | None:
        """Return how far the latest of some variables can lie after the earliest of others."""
        apart = [self.closure.upper(last, first) for last in lasts for first in firsts]
        return None if None in apart else max(high for high in apart if high is not None)


@dataclass(frozen=True, slots=True)
class Facts:
    """The closures of all cases of a pattern, on one axis.

    `simplified` says that there were too many cases and hull decisions were dropped.
    """

    root: Pattern
    axis: Axis
    simplified: bool
    solved: Sequence[_Solved] = field(repr=False)

    @property
    def satisfiable(self) -> bool:
        return any(case.closure.satisfiable for case in self.solved)

    def clash(self) -> tuple[str, ...]:
        """Return the constraints that contradict each other in the case that comes nearest to a match."""
        clashes = [case.closure.clash() for case in self.solved]
        return () if any(not clash for clash in clashes) else min(clashes, key=len)

    def distance(self, later: Path, later_edge: Edge, earlier: Path, earlier_edge: Edge) -> Distance:
        """Return how far `later` can lie after `earlier`, over all cases in which both exist."""
        possible: list[int | None] = []
        for case in self.solved:
            x = case.gathering.variable(later, later_edge)
            y = case.gathering.variable(earlier, earlier_edge)
            if case.closure.satisfiable and x in case.closure and y in case.closure:
                lasts = case.gathering.attaining(later, Edge.END) if later_edge is Edge.END else [x]
                firsts = case.gathering.attaining(earlier, Edge.START) if earlier_edge is Edge.START else [y]
                possible.append(case.farthest(lasts, firsts) if x != y else 0)
        highest = None if None in possible else max((high for high in possible if high is not None), default=0)
        return Distance(highest, bool(possible))


def facts_about(root: Pattern, lengths: Lengths, axis: Axis = Axis.TIME, beside: Path | None = None) -> Facts:
    """Return what the constraints below `root` entail; `beside` takes in what an Unless or a Collect looks at."""
    every, simplified = cases(root, asked_edges(root, axis))

    def solved(vague: bool) -> list[_Solved]:
        gatherings = [Gathering(root, axis, case, lengths, beside, vague) for case in every]
        return [_Solved(one, Closure(one.gather())) for one in gatherings]

    facts = Facts(root, axis, simplified, solved(vague=False))
    # Branches may contradict each other, or one of them itself; while it is open which is taken, that says nothing.
    return Facts(root, axis, simplified, solved(vague=True)) if simplified and not facts.satisfiable else facts
