"""Temporal logic over traces of truths.

    a:           True   False  True   True
    globally:    (nothing) False False (nothing more: the last two may still be refuted)
    always:      None   False  False  False

What is not True counts as false for the verdict of a position. What is None stays not known for the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.graphs.kinds import demand_truth, gives_kinds
from cepheid.algebra.graphs.meaning import Trace, World, ends, fronts, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.running import Around, Column, Outputs, Stepwise, runs
from cepheid.algebra.pipes import Resample
from cepheid.analysis.graphs.costs import EACH, SOME, Cost, Gives, costs
from cepheid.events.values import and_, or_


@dataclass(frozen=True, slots=True, eq=False)
class Globally(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Eventually(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Next(Operation):
    def text(self, *bodies: str) -> str:
        return "next_()"


@dataclass(frozen=True, slots=True, eq=False)
class Until(Operation):
    @property
    def inputs(self) -> int:
        return 2


@dataclass(frozen=True, slots=True, eq=False)
class Always(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Sometime(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class After(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class UpTo(Operation):
    @property
    def inputs(self) -> int:
        return 2


def globally() -> Processor:
    """Of each position: is the input True there and at all later ones?"""
    return Atom(Globally())


def eventually() -> Processor:
    """Of each position: is the input True there or at a later one?"""
    return Atom(Eventually())


def next_() -> Processor:
    """Of each position: is the input True at the one after it?"""
    return Atom(Next())


def until() -> Processor:
    """Of each position: does the second input come true, and is the first True before that?"""
    return Atom(Until())


def always() -> Processor:
    """After each value, what is known about the first position: is the input True there and later?"""
    return Atom(Always())


def sometime() -> Processor:
    """After each value, what is known about the first position: is the input True there or later?"""
    return Atom(Sometime())


def after() -> Processor:
    """After each value, what is known about the first position: is the input True right after it?"""
    return Atom(After())


def up_to() -> Processor:
    """After each value, what is known about the first position: is the first input True until the second is?"""
    return Atom(UpTo())


def _known_in_order(verdicts: Sequence[bool | None], inputs: Sequence[Trace]) -> list[Trace]:
    """Return the verdicts of the positions up to the first that is not known."""
    known = verdicts.index(None) if None in verdicts else len(verdicts)
    return [Trace(verdicts[:known], ends(inputs))]


@means(Globally)
def _globally(operation: Globally, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values
    later = [values[place:] for place in range(len(values))]
    return _known_in_order([False if any(one is not True for one in rest) else None for rest in later], inputs)


@means(Eventually)
def _eventually(operation: Eventually, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values
    later = [values[place:] for place in range(len(values))]
    return _known_in_order([True if any(one is True for one in rest) else None for rest in later], inputs)


@means(Next)
def _next(operation: Next, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _known_in_order([value is True for value in inputs[0].values[1:]], inputs)


@means(Until)
def _until(operation: Until, inputs: Sequence[Trace], world: World) -> list[Trace]:
    together = [(hold is True, goal is True) for hold, goal in fronts(inputs)]
    return _known_in_order([_law(together[place:]) for place in range(len(together))], inputs)


@means(Always)
def _always(operation: Always, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values
    seen = [values[: place + 1] for place in range(len(values))]
    return [Trace([False if any(one is False for one in part) else None for part in seen], ends(inputs))]


@means(Sometime)
def _sometime(operation: Sometime, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values
    seen = [values[: place + 1] for place in range(len(values))]
    return [Trace([True if any(one is True for one in part) else None for part in seen], ends(inputs))]


@means(After)
def _after(operation: After, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values
    second = _truth(values[1]) if len(values) > 1 else None
    return [Trace([None, *[second] * (len(values) - 1)] if values else [], ends(inputs))]


@means(UpTo)
def _up_to(operation: UpTo, inputs: Sequence[Trace], world: World) -> list[Trace]:
    together = fronts(inputs)
    return [Trace([_law(together[: place + 1]) for place in range(len(together))], ends(inputs))]


def _law(together: Sequence[tuple[Thing, ...]]) -> bool | None:
    """Return what is known of `hold until goal` at the first: it is `goal or (hold and next (hold until goal))`."""
    known: bool | None = None
    for hold, goal in reversed(together):
        known = or_(goal, and_(hold, known))
    return known


def _truth(value: Thing) -> bool | None:
    return value if isinstance(value, bool) else None


class _Waiting(Stepwise):
    """How many positions wait for their verdict; all of them get the same one."""

    kept = ("waiting",)

    def __init__(self, operation: Operation, around: Around) -> None:
        self.waiting = 0

    def told(self, verdict: bool | None) -> Column:
        """Add a position; give all of them a verdict where there is one."""
        self.waiting += 1
        if verdict is None:
            return []
        count, self.waiting = self.waiting, 0
        return [verdict] * count


@runs(Globally)
class RunningGlobally(_Waiting):
    def step(self, *front: Thing) -> Column:
        return self.told(None if front[0] is True else False)


@runs(Eventually)
class RunningEventually(_Waiting):
    def step(self, *front: Thing) -> Column:
        return self.told(True if front[0] is True else None)


@runs(Until)
class RunningUntil(_Waiting):
    def step(self, *front: Thing) -> Column:
        hold, goal = front
        return self.told(True if goal is True else None if hold is True else False)


@runs(Next)
class RunningNext(Stepwise):
    kept = ("has_begun",)

    def __init__(self, operation: Operation, around: Around) -> None:
        self.has_begun = False

    def take(self, *columns: Column) -> Outputs:
        verdicts = [value is True for value in columns[0]]
        given = verdicts if self.has_begun else verdicts[1:]
        self.has_begun = True
        return given


class _Told(Stepwise):
    """What is known about the first position."""

    kept: tuple[str, ...] = ("known",)

    def __init__(self, operation: Operation, around: Around) -> None:
        self.known: bool | None = None


@runs(Always)
class RunningAlways(_Told):
    def step(self, *front: Thing) -> Column:
        self.known = False if front[0] is False else self.known
        return [self.known]


@runs(Sometime)
class RunningSometime(_Told):
    def step(self, *front: Thing) -> Column:
        self.known = True if front[0] is True else self.known
        return [self.known]


@runs(After)
class RunningAfter(_Told):
    kept = ("known", "count")

    def __init__(self, operation: Operation, around: Around) -> None:
        super().__init__(operation, around)
        self.count = 0

    def step(self, *front: Thing) -> Column:
        self.known = _truth(front[0]) if self.count == 1 else self.known
        self.count = min(2, self.count + 1)
        return [self.known]


@runs(UpTo)
class RunningUpTo(_Told):
    """`known` is whether the goal came in time, `holds` whether the first input held so far."""

    kept = ("known", "holds")

    def __init__(self, operation: Operation, around: Around) -> None:
        self.known = False
        self.holds: bool | None = True

    def step(self, *front: Thing) -> Column:
        hold, goal = front
        self.known = or_(self.known, and_(self.holds, goal))
        self.holds = and_(self.holds, hold)
        return [or_(self.known, and_(self.holds, None))]


for _kind in (Globally, Eventually, Until):
    costs(_kind)(lambda operation, bodies: Cost(SOME, 1))
for _known in (Always, Sometime, After, UpTo):
    costs(_known)(lambda operation, bodies: Cost(EACH, 2))
costs(Next)(lambda operation, bodies: Cost(Gives(Resample(skip=1)), 1))


def _truths(operation: Operation, inputs: tuple[str, ...]) -> tuple[str, ...]:
    for place, kind in enumerate(inputs):
        demand_truth(kind, f"input {place}")
    return ("truth",)


for _truthful in (Globally, Eventually, Until, Always, Sometime, After, UpTo, Next):
    gives_kinds(_truthful)(_truths)
