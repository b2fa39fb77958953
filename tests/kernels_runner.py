"""The kernels as a runner: every rule that has a shape runs compiled, the others in the interpreter.

Events come in batches that are cut where the case is cut; with `restarts`, a new detector goes on there. A runner that
is `usually_plain` makes machine code in the long profiles alone.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise

from cepheid.algebra.programs import Program
from cepheid.engine import TieredDetector, tiers_of
from cepheid.events import Event
from cepheid.testing.runners import Result
from tests.engine_runner import last, plan_for
from tests.kernels.plain_kernels import usually_plain


def compiled_rules(program: Program, *, intervals: bool = False) -> int:
    """Return how many rules of a program run in kernels."""
    return sum(tier.shape is not None for tier in tiers_of(plan_for(program, intervals=intervals)))


@dataclass(frozen=True, slots=True)
class KernelsRunner:
    """A detector with both tiers, from the first event to the end."""

    name: str = "kernels"
    restarts: bool = False
    usually_plain: bool = False

    def run(
        self, program: Program, arrivals: Sequence[Event], *, disorder: int = 0, cuts: Sequence[int] = ()
    ) -> Result:
        with usually_plain() if self.usually_plain else nullcontext():
            return self._run(program, arrivals, disorder, cuts)

    def _run(self, program: Program, arrivals: Sequence[Event], disorder: int, cuts: Sequence[int]) -> Result:
        plan = plan_for(program, intervals=last(arrivals))
        detector = TieredDetector(plan, disorder=disorder, identified=True)
        found, late, duplicates = [], [], []
        for batch in batches_of(arrivals, cuts):
            found += detector.push_all(batch)
            late += detector.late
            duplicates += detector.duplicates
            detector.late.clear()
            detector.duplicates.clear()
            if self.restarts:
                detector = TieredDetector(plan, state=detector.snapshot(), disorder=disorder, identified=True)
        found += detector.close()
        return Result(tuple(found), tuple(event.id for event in late), tuple(event.id for event in duplicates))


def batches_of(arrivals: Sequence[Event], cuts: Sequence[int]) -> list[Sequence[Event]]:
    """Return what arrives in batches that end at the cuts."""
    places = sorted({0, len(arrivals), *(cut for cut in cuts if 0 < cut < len(arrivals))})
    return [arrivals[first:end] for first, end in pairwise(places)]
