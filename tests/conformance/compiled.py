"""How many random programs run wholly in kernels, and why the others do not.

    python -m tests.conformance.compiled 8400000 8403000

A rule that is interpreted because another one is counts for the reason of that one.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from cepheid.engine import tiers_of
from cepheid.testing import random_case
from tests.engine_runner import last, plan_for

CHAINED = re.compile("^it is chained to `.*`, which is interpreted$")
SHOWN = 3
"""So many seeds are named for each reason."""


@dataclass(slots=True)
class Shares:
    """How many programs were seen, how many run wholly in kernels, and the seeds of the others by their reasons.

    `alone` counts the programs for which a reason is the only one.
    """

    seen: int = 0
    whole: int = 0
    seeds: dict[str, list[int]] = field(default_factory=dict)
    alone: Counter[str] = field(default_factory=Counter)

    def add(self, seed: int, reasons: frozenset[str]) -> None:
        self.seen += 1
        self.whole += not reasons
        for reason in reasons:
            self.seeds.setdefault(reason, []).append(seed)
        if len(reasons) == 1:
            self.alone.update(reasons)

    def lines(self) -> Iterable[str]:
        """Yield the table as text, the most frequent reason first."""
        yield f"{self.whole} of {self.seen} programs run wholly in kernels, {100 * self.whole / self.seen:.1f} %"
        yield " %all  %alone  reason"
        for reason, seeds in sorted(self.seeds.items(), key=lambda one: (-len(one[1]), one[0])):
            share, alone = 100 * len(seeds) / self.seen, 100 * self.alone[reason] / self.seen
            yield f"{share:5.1f}  {alone:6.1f}  {reason} ({', '.join(map(str, seeds[:SHOWN]))})"


def reasons_of(seed: int) -> frozenset[str]:
    """Return why rules of a random program are interpreted; nothing where all of them run in kernels."""
    case = random_case(seed)
    reasons = (tier.reason for tier in tiers_of(plan_for(case.program, intervals=last(case.trace))))
    return frozenset(reason for reason in reasons if reason and not CHAINED.match(reason))


def main(arguments: Sequence[str]) -> int:
    seeds, shares = range(*map(int, arguments)), Shares()
    with ProcessPoolExecutor(2) as pool:
        for seed, reasons in zip(seeds, pool.map(reasons_of, seeds, chunksize=50), strict=True):
            shares.add(seed, reasons)
    print(*shares.lines(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
