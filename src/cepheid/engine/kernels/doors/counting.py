"""Count matches without listing them, where that is possible; everything else is listed and counted."""

from dataclasses import replace
from typing import Any

from cepheid.analysis import Plan
from cepheid.engine.kernels.columns.batches import ArrowNames, batch_of_arrow
from cepheid.engine.kernels.doors.kernel_detector import demand_shapes
from cepheid.engine.kernels.facts.families import Family
from cepheid.engine.kernels.facts.shapes import Core, Shape, is_whole
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel

COUNTED = 3


class MatchCounter:
    """How many matches the rules of a plan have; what it costs does not depend on how many there are."""

    def __init__(self, plan: Plan, *, disorder: int = 0, columns: ArrowNames | None = None) -> None:
        demand_shapes(plan)
        self.run = KernelRun(plan, disorder=disorder, identified=False, evidence=False, state=None)
        self.columns = columns or ArrowNames()
        self.run.kernels = [_counting(kernel, self.run) for kernel in self.run.kernels]

    def push_batch(self, batch: Any) -> int:  # a pyarrow.RecordBatch
        """Take in the events of a record batch, and return how many matches are certain now and were not before."""
        return self._counted(self.run.push(batch_of_arrow(batch, self.columns, self.run.words, 0)))

    def close(self) -> int:
        """End the input, and return how many matches were still waiting."""
        return self._counted(self.run.close())

    def _counted(self, listed: Any) -> int:  # columns of matches
        found = sum(len(one) for one in listed)
        for kernel in self.run.kernels:
            found += int(kernel.control[COUNTED])
            kernel.control[COUNTED] = 0
        return found


def _counting(kernel: RuleKernel, run: KernelRun) -> RuleKernel:
    shape = kernel.shape
    if not can_count(shape):
        return kernel
    counted = replace(shape, core=Core.COUNT, eager=False)
    return RuleKernel(Family(counted, (counted,)), run.words, run.marks, kernel.tables)


def can_count(shape: Shape) -> bool:
    """Say whether the matches of a shape can be counted: all combinations in order, within one window at most."""
    last = len(shape.parts) - 1
    if (
        shape.by_arrival
        or shape.core is not Core.GRAPH
        or last < 1
        or shape.filters
        or shape.suppressed is not None
        or shape.absences
        or not is_whole(shape.plan.rule)
    ):
        return False
    between = [(earlier, later) for later in range(1, last + 1) for earlier in range(later)]
    return all(_is_plain(shape, earlier, later) for earlier, later in between)


def _is_plain(shape: Shape, earlier: int, later: int) -> bool:
    """Say whether the distance of two parts follows from the order of all and from the window."""
    last = len(shape.parts) - 1
    window, most = shape.most[0][last], shape.most[earlier][later]
    longest = None if window is None else window - earlier - (last - later)
    return shape.most[later][earlier] == earlier - later and most == longest
