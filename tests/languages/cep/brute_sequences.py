"""What a sequence means, by trying everything: written without a look at how it is lowered.

A match is a choice of records for every step, in their order. Between a record and the one after it stands nothing that
the step of the latter forbids: `strict` forbids all records, `next` those that the step could have taken, `any` none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

TIMES = ((1, None), (2, 2), (1, 2), (0, 2), (2, None), (0, None))
Record = tuple[str, int]
"""The type of a record, and its value."""


@dataclass(frozen=True)
class BruteStep:
    """A step; a group has steps of its own.

    `above` names the step whose last value this one's must be greater than, `near` one that it must not come later
    after than so many records.
    """

    name: str
    kind: str = ""
    contiguity: str = "next"
    least: int = 1
    most: int | None = 1
    optional: bool = False
    inner: str = "next"
    greedy: bool = False
    until: str | None = None
    without: tuple[str, ...] = ()
    above: str | None = None
    near: tuple[str, int] | None = None
    group: tuple["BruteStep", ...] = ()

    def fits(self, records: Sequence[Record], at: int, before: "Way") -> bool:
        kind, value = records[at]
        if self.near is not None and not before.is_near(at, *self.near):
            return False
        values = before.values
        return kind == self.kind and (self.above is None or (self.above in values and value > values[self.above]))

    @property
    def text(self) -> str:
        several = (
            "" if (self.least, self.most) == (1, 1) else f"{self.least}..{'*' if self.most is None else self.most} of "
        )
        said = [] if self.above is None else [f"v > {self.above}.v"]
        said += [] if self.near is None else [f"start({self.name}) - end({self.near[0]}) <= {self.near[1]}"]
        where = f"[{' and '.join(said)}]" if said else ""
        own = f"({', '.join(one.text for one in self.group)})" if self.group else f"{self.name}: {self.kind}{where}"
        words = [
            *(f"not x{self.name}{number}: {kind}," for number, kind in enumerate(self.without)),
            self.contiguity if self.contiguity != "next" else "",
            "optional" if self.optional else "",
            f"{several}{own}",
            {"next": "", "strict": "consecutive", "any": "combinations"}[self.inner],
            "greedy" if self.greedy else "",
            f"until u{self.name}: {self.until}" if self.until else "",
        ]
        return " ".join(filter(None, words))


def text_of(steps: Sequence[BruteStep], closing: str | None, within: int, skip: str = "") -> str:
    """Return the sequence as a text, in which a step of time is the unit."""
    shown = [step.text for step in steps] + ([f"not last: {closing}"] if closing else [])
    return f"sequence within {within} {skip} {{ {', '.join(shown)} }}"


def found_by_trying(
    steps: Sequence[BruteStep], records: Sequence[Record], closing: str | None, within: int
) -> set[tuple[int, ...]]:
    """Return the records of every match, by their positions, which are their times too."""
    complete = (way.taken for way in _Trying(records).steps(steps, 0, Way(), _done))
    every = {taken for taken in complete if taken[-1] - taken[0] <= within}
    return {
        taken
        for taken in every
        if closing is None
        or not any(records[at][0] == closing for at in range(taken[-1] + 1, len(records)) if at - taken[0] <= within)
    }


def one_after_another(found: set[tuple[int, ...]], to: Callable[[tuple[int, ...]], int]) -> set[tuple[int, ...]]:
    """Return the matches that count: those of the first record first, each unless it begins before where to go on."""
    counted, going_on = set(), 0
    for taken in sorted(found, key=lambda taken: (taken[0], taken[-1], taken[::-1])):
        if taken[0] >= going_on:
            counted.add(taken)
            going_on = max(going_on, to(taken))
    return counted


@dataclass(frozen=True)
class Way:
    """What was taken, the last value and place of each step, and what must not stand before the next record, or be it.

    `greedy`: the steps that could be taken once more, and whether only by the very next record. `how`: what is said of
    the record with which a group begins.
    """

    taken: tuple[int, ...] = ()
    values: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    greedy: tuple[tuple[BruteStep, bool], ...] = ()
    how: str = "next"

    def is_near(self, at: int, step: str, most: int) -> bool:
        return step in self.places and at - self.places[step] <= most


After = Callable[[Way], Iterator[Way]]


def _done(way: Way) -> Iterator[Way]:
    yield way


@dataclass(frozen=True)
class _Trying:
    records: Sequence[Record]

    def steps(self, steps: Sequence[BruteStep], index: int, way: Way, after: After) -> Iterator[Way]:
        if index == len(steps):
            yield from after(way)
            return
        step = steps[index]
        before = replace(way, absent=(*way.absent, *step.without))
        yield from self.times(step, 0, before, lambda later: self.steps(steps, index + 1, later, after))

    def times(self, step: BruteStep, count: int, way: Way, after: After) -> Iterator[Way]:
        """Yield the ways that go on with a step that was taken so often."""
        more = step.most is None or count < step.most
        if (count == 0 and (step.optional or step.least == 0)) or count >= max(step.least, 1):
            ends = step.greedy and more and count > 0
            once_more = ((step, step.inner == "strict"),) if ends else ()
            yield from after(replace(way, greedy=(*way.greedy, *once_more)))
        if more and len(way.taken) < len(self.records):
            said = step.contiguity if count == 0 else step.inner
            until = (step.until,) if step.until and count else ()
            entering = replace(way, how=said if way.how == "next" else way.how, absent=(*way.absent, *until))
            yield from self.once(step, entering, lambda later: self.times(step, count + 1, later, after))

    def once(self, step: BruteStep, way: Way, after: After) -> Iterator[Way]:
        if step.group:
            yield from self.steps(step.group, 0, way, after)
            return
        first = way.taken[-1] + 1 if way.taken else 0
        for at in range(first, len(self.records)):
            if step.fits(self.records, at, way) and (not way.taken or self.may_follow(step, way, at)):
                values = {**way.values, step.name: self.records[at][1]}
                yield from after(Way((*way.taken, at), values, {**way.places, step.name: at}))

    def may_follow(self, step: BruteStep, way: Way, at: int) -> bool:
        between = range(way.taken[-1] + 1, at)
        if way.how == "strict" and between:
            return False
        if way.how == "next" and any(step.fits(self.records, one, way) for one in between):
            return False
        if any(self.records[one][0] in way.absent for one in between):
            return False
        return not any(self.goes_on(loop, beside, way, at) for loop, beside in way.greedy)

    def goes_on(self, loop: BruteStep, beside: bool, way: Way, at: int) -> bool:
        """Say whether a greedy step would have taken a record up to this one."""
        last = way.taken[-1] + 1
        seen = range(last, min(at, last) + 1) if beside else range(last, at + 1)
        return any(loop.fits(self.records, one, way) for one in seen)


@st.composite
def sequences(draw: st.DrawFn, depth: int = 1, names: Sequence[str] = "pqrs", most: int = 4) -> list[BruteStep]:
    """One to four steps of all kinds, some of them groups."""
    count = draw(st.integers(1, min(most, len(names))))
    found: list[BruteStep] = []
    for number in range(count):
        before = [one for step in found for one in (step, *step.group)]
        step = draw(_step(names[number], number == 0 and depth == 1, [one.name for one in before if one.kind]))
        if depth and draw(st.integers(0, 4)) == 0:
            inside = draw(sequences(depth=0, names="abcdefgh"[2 * number : 2 * number + 2], most=2))
            step = replace(step, kind="", group=tuple(inside), greedy=False, above=None, near=None)
        found.append(step)
    return found


@st.composite
def _step(draw: st.DrawFn, name: str, first: bool, before: list[str]) -> BruteStep:
    several = draw(st.booleans())
    least, most = draw(st.sampled_from(TIMES)) if several else (1, 1)
    greedy = several and draw(st.integers(0, 3)) == 0
    inner = st.sampled_from(["next", "strict"] if greedy else ["next", "next", "strict", "any"])
    absent = st.sampled_from([(), (), (), ("C",), ("C", "D")])
    return BruteStep(
        name,
        draw(st.sampled_from("AAB")),
        "next" if first else draw(st.sampled_from(["next", "next", "strict", "any"])),
        least,
        most,
        optional=draw(st.integers(0, 3)) == 0,
        inner=draw(inner) if several else "next",
        greedy=greedy,
        until="C" if several and not greedy and draw(st.integers(0, 3)) == 0 else None,
        without=() if first else draw(absent),
        above=draw(st.sampled_from([None, None, *before])),
        near=draw(st.sampled_from([None, None, *((one, 1) for one in before), *((one, 3) for one in before)])),
    )
