"""How high a signal rises, told at its peaks once they have passed.

Let `s` be the first position that is not decided, and `m` that of the first greatest value from `s` on. When `width`
values after `m` have come and none is greater, there is 0 for each position before `m`, and for `m` its value less the
least of the first `width` values from `s` on; then `s` is the position after `m`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.graphs.meaning import Trace, World, ends, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import at_least
from cepheid.algebra.graphs.running import Around, Column, Stepwise, runs
from cepheid.analysis.graphs.costs import SOME, Cost, costs


@dataclass(frozen=True, slots=True, eq=False)
class Peaks(Operation):
    """Of rises, or of drops: those of the signal upside down."""

    width: int = 5
    drops: bool = False


def peaks(width: int = 5, drops: bool = False) -> Processor:
    """The height of each rise, or of each drop as a number below 0, at its peak; 0 elsewhere."""
    return Atom(Peaks(at_least("the width of a peak", width, 1), drops))


@means(Peaks)
def _peaks(operation: Peaks, inputs: Sequence[Trace], world: World) -> list[Trace]:
    sign = -1 if operation.drops else 1
    values = [sign * level(value) for value in inputs[0].values]
    first, outputs = 0, list[Thing]()
    for last in range(len(values)):
        while first <= last:
            top = max(range(first, last + 1), key=lambda place: values[place])
            if last - top < operation.width:
                break
            height = values[top] - min(values[first : first + operation.width])
            outputs += [0] * (top - first) + [sign * height]
            first = top + 1
    return [Trace(outputs, ends(inputs))]


def level(value: Thing) -> float:
    """Return a value as a number; one that is none, or not a number, is taken for 0."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return value if is_number else 0


@runs(Peaks)
class RunningPeaks(Stepwise):
    """The values from the first that is not decided on, and where the greatest of them is."""

    kept = ("open", "top")

    def __init__(self, operation: Peaks, around: Around) -> None:
        self.width, self.sign = operation.width, -1 if operation.drops else 1
        self.open: list[float] = []
        self.top = 0

    def step(self, *front: Thing) -> Column:
        self.open.append(self.sign * level(front[0]))
        outputs: Column = []
        if self.open[-1] > self.open[self.top]:
            self.top = len(self.open) - 1
        while self.open and len(self.open) - 1 - self.top >= self.width:
            height = self.open[self.top] - min(self.open[: self.width])
            outputs += [0] * self.top + [self.sign * height]
            del self.open[: self.top + 1]
            self.top = max(range(len(self.open)), key=self.open.__getitem__, default=0)
        return outputs


costs(Peaks)(
    lambda operation, bodies: Cost(
        SOME, None, "a signal that only rises has no peak, and all of it is kept", "cut it: `p.window(p.peaks(), 1000)`"
    )
)
