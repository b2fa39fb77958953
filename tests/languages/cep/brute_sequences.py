"""What a sequence means, by trying everything: written without a look at how it is lowered.

A match is a choice of records for every step, in their order. Between a record and the one after it stands nothing that
the step of the latter forbids: `strict` forbids all records, `next` those that the step could have taken, `any` none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

TIMES = ((1, None), (2, 2), (1, 2), (0, 2), (2, None), (0, None))
Record = tuple[str, int]
"""The type of a record, and its value."""


@dataclass(frozen=True)
class BruteStep:
    """A step; `above` names the step whose last value this one's must be greater than."""

    name: str
    kind: str
    contiguity: str = "next"
    least: int = 1
    most: int | None = 1
    optional: bool = False
    consecutive: bool = False
    until: str | None = None
    without: str | None = None
    above: str | None = None

    def fits(self, record: Record, values: dict[str, int]) -> bool:
        kind, value = record
        return kind == self.kind and (self.above is None or value > values[self.above])

    @property
    def text(self) -> str:
        several = (
            "" if (self.least, self.most) == (1, 1) else f"{self.least}..{'*' if self.most is None else self.most} of "
        )
        where = "" if self.above is None else f"[v > {self.above}.v]"
        words = [
            f"not x{self.name}: {self.without}," if self.without else "",
            self.contiguity if self.contiguity != "next" else "",
            "optional" if self.optional else "",
            f"{several}{self.name}: {self.kind}{where}",
            "consecutive" if self.consecutive else "",
            f"until u{self.name}: {self.until}" if self.until else "",
        ]
        return " ".join(filter(None, words))


def text_of(steps: Sequence[BruteStep], closing: str | None, within: int) -> str:
    """Return the sequence as a text, in which a step of time is the unit."""
    shown = [step.text for step in steps] + ([f"not last: {closing}"] if closing else [])
    return f"sequence within {within} {{ {', '.join(shown)} }}"


def found_by_trying(
    steps: Sequence[BruteStep], records: Sequence[Record], closing: str | None, within: int
) -> set[tuple[int, ...]]:
    """Return the records of every match, by their positions, which are their times too."""
    every = {taken for taken in _from(steps, 0, (), {}, records) if taken and taken[-1] - taken[0] <= within}
    return {
        taken
        for taken in every
        if closing is None
        or not any(records[at][0] == closing for at in range(taken[-1] + 1, len(records)) if at - taken[0] <= within)
    }


def _from(
    steps: Sequence[BruteStep], index: int, taken: tuple[int, ...], values: dict[str, int], records: Sequence[Record]
) -> Iterator[tuple[int, ...]]:
    """Yield the matches that go on from here with the step of this index."""
    if index == len(steps):
        yield taken
        return
    step = steps[index]
    if step.optional or step.least == 0:
        yield from _from(steps, index + 1, taken, values, records)
    most = len(records) if step.most is None else step.most
    for some in _several(steps, index, taken, values, records, most):
        if len(some) >= max(step.least, 1):
            last = {**values, step.name: records[some[-1]][1]}
            yield from _from(steps, index + 1, taken + some, last, records)


def _several(
    steps: Sequence[BruteStep],
    index: int,
    taken: tuple[int, ...],
    values: dict[str, int],
    records: Sequence[Record],
    most: int,
) -> Iterator[tuple[int, ...]]:
    """Yield the records that a step can take, one or more."""
    for first in range(len(records)):
        if _may_begin(steps, index, taken, values, records, first):
            yield from _looped(steps[index], (first,), values, records, most)


def _looped(
    step: BruteStep, some: tuple[int, ...], values: dict[str, int], records: Sequence[Record], most: int
) -> Iterator[tuple[int, ...]]:
    yield some
    for later in range(some[-1] + 1, len(records)):
        between = records[some[-1] + 1 : later]
        skipped = any(step.fits(record, values) for record in between) or (step.consecutive and between)
        ended = any(record[0] == step.until for record in between)
        if len(some) < most and step.fits(records[later], values) and not skipped and not ended:
            yield from _looped(step, (*some, later), values, records, most)


def _may_begin(
    steps: Sequence[BruteStep],
    index: int,
    taken: tuple[int, ...],
    values: dict[str, int],
    records: Sequence[Record],
    at: int,
) -> bool:
    step = steps[index]
    if not step.fits(records[at], values):
        return False
    if not taken:
        return True
    between = records[taken[-1] + 1 : at]
    if at <= taken[-1] or (step.contiguity == "strict" and between):
        return False
    if step.contiguity == "next" and any(step.fits(record, values) for record in between):
        return False
    absent = _absent_before(steps, index, values)
    return not any(record[0] in absent for record in between)


def _absent_before(steps: Sequence[BruteStep], index: int, values: dict[str, int]) -> set[str]:
    """Return what must not stand before a step: before it, or before a step that was left out just before it."""
    absent: set[str] = set()
    for earlier in range(index, 0, -1):
        absent |= {steps[earlier].without or ""}
        if steps[earlier - 1].name in values:
            break
    return absent - {""}


@st.composite
def sequences(draw: st.DrawFn) -> list[BruteStep]:
    """Two to four steps of all kinds, such as the language takes."""
    count = draw(st.integers(1, 4))
    kinds = draw(st.lists(st.sampled_from("AAB"), min_size=count, max_size=count))
    found: list[BruteStep] = []
    for number, kind in enumerate(kinds):
        first = number == 0
        contiguity = "next" if first else draw(st.sampled_from(["next", "next", "strict", "any"]))
        several = contiguity != "any" and draw(st.booleans())
        least, most = (
            draw(st.sampled_from([(1, None), (2, 2), (1, 2), (0, 2), (2, None), (0, None)])) if several else (1, 1)
        )
        sure = [step.name for step in found if not step.optional and step.least]
        readable = _on_this_side(found, sure) if contiguity != "any" else []
        found.append(
            BruteStep(
                "pqrs"[number],
                kind,
                contiguity,
                least,
                most,
                optional=contiguity != "any" and draw(st.integers(0, 3)) == 0,
                consecutive=several and draw(st.booleans()),
                until="C" if several and draw(st.integers(0, 3)) == 0 else None,
                without="C" if not first and contiguity == "next" and draw(st.integers(0, 3)) == 0 else None,
                above=draw(st.sampled_from([None, *readable])),
            )
        )
    return found


def _on_this_side(steps: Sequence[BruteStep], sure: Sequence[str]) -> list[str]:
    since = max((at for at, step in enumerate(steps) if step.contiguity == "any"), default=0)
    return [step.name for step in steps[since:] if step.name in sure]
