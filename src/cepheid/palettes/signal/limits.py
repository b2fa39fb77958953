"""Values of a signal that are let through: those that are large, and not too many of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.graphs.built_in import apply
from cepheid.algebra.graphs.meaning import Trace, World, ends, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import at_least
from cepheid.algebra.graphs.running import Around, Column, Stepwise, runs
from cepheid.algebra.graphs.terms import if_, x
from cepheid.analysis.graphs.costs import EACH, Cost, costs


@dataclass(frozen=True, slots=True, eq=False)
class Limit(Operation):
    count: int


def threshold(k: float) -> Processor:
    """The value where it is more than `k` away from 0, else 0."""
    return apply(if_(abs(x) > k, x, 0))


def limit(n: int) -> Processor:
    """A value other than 0 passes, and the n - 1 values after it are 0."""
    return Atom(Limit(at_least("the number of values", n, 1)))


@means(Limit)
def _limit(operation: Limit, inputs: Sequence[Trace], world: World) -> list[Trace]:
    outputs: list[Thing] = []
    free = 0
    for place, value in enumerate(inputs[0].values):
        passes = place >= free and value != 0
        free = place + operation.count if passes else free
        outputs.append(value if passes else 0)
    return [Trace(outputs, ends(inputs))]


@runs(Limit)
class RunningLimit(Stepwise):
    """How many values must pass before another one is let through."""

    kept = ("pause",)

    def __init__(self, operation: Limit, around: Around) -> None:
        self.count, self.pause = operation.count, 0

    def step(self, *front: Thing) -> Column:
        passes = self.pause == 0 and front[0] != 0
        self.pause = self.count - 1 if passes else max(0, self.pause - 1)
        return [front[0] if passes else 0]


costs(Limit)(lambda operation, bodies: Cost(EACH, 1))
