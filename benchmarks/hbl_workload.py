"""Watchpoints and records for the sensitivity experiments of the paper on HBL.

One record in ten begins a run with a key of its own, or with the key of the run before, so that one record completes
so many `together`. The next steps come later in the window, in order, and the last of them completes the alert; all
other records are of the types of steps, with keys that no run waits for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random
from typing import Final

LEAD_EVERY: Final = 10
NEAR: Final = 1_000  # within so many records a run goes on, however long the window is


@dataclass(frozen=True, slots=True)
class Setup:
    """What the paper varies; the defaults are its own, but for the arrival rate."""

    steps: int = 2
    window: int = 10_000
    name_length: int = 5
    fields: int = 2
    operators: int = 2
    evidence: bool = False
    together: int = 1
    rate: int | None = None

    def name(self, step: int) -> str:
        """Return the type of the records of a step."""
        return f"{step}".rjust(self.name_length, "e")

    def text(self) -> str:
        """Return the watchpoint.

        >>> print(Setup(name_length=2, operators=2).text())
        watchpoint w { window 10000 records; main = e0 letting k = key -> e1[key == k and value > -1]; alert { k = k } }
        """
        more = _all_of([f"value > {-number}" for number in range(1, self.operators)])
        first = (
            f"{self.name(0)}{f'[{more}]' if self.steps == 1 and more else ''} letting k = key{self._of_each('value')}"
        )
        asked = f"key == k and {more}" if more else "key == k"
        later = "".join(f" -> {self.name(step)}[{asked}]" for step in range(1, self.steps))
        told = f"k = k{self._of_each('n')}{', evidence = records' if self.evidence else ''}"
        return f"watchpoint w {{ window {self.window} records; main = {first}{later}; alert {{ {told} }} }}"

    def _of_each(self, value: str) -> str:
        """Return what distinguishes runs of one key, which are one run otherwise."""
        return f", n = {value}" if self.together > 1 else ""


def _all_of(conditions: list[str]) -> str:
    """Return conditions that are all asked for, nested no deeper than they must be.

    >>> _all_of(["a", "b", "c"])
    '(a and (b and c))'
    """
    if len(conditions) < 2:
        return "".join(conditions)
    half = len(conditions) // 2
    return f"({_all_of(conditions[:half])} and {_all_of(conditions[half:])})"


def records(setup: Setup, count: int, seed: int = 1) -> Iterator[dict[str, object]]:
    """Yield so many records; three in four of the runs that begin are completed."""
    draw, due, leads = Random(seed), list[tuple[int, int, int]](), 0
    rest = {f"f{number}": f"value {number}" for number in range(max(setup.fields - 2, 0))}
    near = max(min(setup.window, NEAR) // max(setup.steps, 2), 1)
    for place in range(count):
        step, own = draw.randrange(1, setup.steps) if setup.steps > 1 else 1, -1 - place
        if place % LEAD_EVERY == 0:
            step, own = 0, 1 + leads // setup.together
            leads += 1
        elif due and due[0][0] <= place:
            _, own, step = heappop(due)
        goes_on = step > 0 or (leads % setup.together == 0 and draw.random() < 0.75)
        if own > 0 and step + 1 < setup.steps and goes_on:
            heappush(due, (place + draw.randint(1, near), own, step + 1))
        yield {"type": setup.name(step), "time": place, "key": own, "value": place + 1, **rest}
