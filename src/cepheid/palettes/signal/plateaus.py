"""Where a signal stays on a level: the mean of a window, told once for each plateau."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.graphs.meaning import Trace, World, ends, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import at_least
from cepheid.algebra.graphs.running import Around, Column, Stepwise, runs
from cepheid.algebra.graphs.sums import exact_sum
from cepheid.algebra.pipes import Resample
from cepheid.analysis.graphs.costs import Cost, Gives, costs
from cepheid.palettes.signal.peaks import level


@dataclass(frozen=True, slots=True, eq=False)
class Plateau(Operation):
    """A window is on a level when its greatest and least value differ by at most `range`."""

    width: int = 5
    range: float = 5


def plateau(width: int = 5, range: float = 5) -> Processor:  # noqa: A002  # users write `range=5`
    """For each window its mean where it is on a plateau and the window before was not, else 0."""
    return Atom(Plateau(at_least("the width of a plateau", width, 1), range))


@means(Plateau)
def _plateau(operation: Plateau, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values, width = [level(value) for value in inputs[0].values], operation.width
    windows = [values[first : first + width] for first in range(len(values) - width + 1)]
    flat = [max(window) - min(window) <= operation.range for window in windows]
    before = [False, *flat]
    outputs = [
        exact_sum(window) / width if now and not was else 0
        for window, now, was in zip(windows, flat, before, strict=False)
    ]
    return [Trace(outputs, ends(inputs))]


@runs(Plateau)
class RunningPlateau(Stepwise):
    """The values of the next window, and whether the one before was on a level."""

    kept = ("recent", "was_flat")

    def __init__(self, operation: Plateau, around: Around) -> None:
        self.width, self.range = operation.width, operation.range
        self.recent: list[float] = []
        self.was_flat = False

    def step(self, *front: Thing) -> Column:
        self.recent.append(level(front[0]))
        if len(self.recent) < self.width:
            return []
        is_flat = max(self.recent) - min(self.recent) <= self.range
        told = exact_sum(self.recent) / self.width if is_flat and not self.was_flat else 0
        self.was_flat = is_flat
        del self.recent[0]
        return [told]


costs(Plateau)(lambda operation, bodies: Cost(Gives(Resample(skip=operation.width - 1)), operation.width))
