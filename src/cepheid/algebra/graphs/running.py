"""How an operation runs: what the engine asks of it, and what it may ask of the engine.

    @runs(Peaks)
    class RunningPeaks(Stepwise): ...

An operation takes columns, one list of values for each input and all of one length, and gives the list of its new
outputs (a tuple of lists where it has several). What it keeps is told by `state`, in plain containers, and read back by
`restore`; neither may share a container with the one that goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, TypeAlias, TypeVar

from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Processor

Column: TypeAlias = list[Thing]
Outputs: TypeAlias = Column | tuple[Column, ...]


class Inner(Protocol):
    """A running copy of a body of one output."""

    def push(self, value: Thing, time: int | None = None) -> Column: ...
    def take(self, values: Column, times: Sequence[int | None] | None = None) -> Column: ...
    def end(self) -> Column: ...
    def begin(self) -> None: ...
    def held(self) -> int: ...
    def state(self) -> Thing: ...
    def restore(self, state: Thing) -> None: ...


class Around(Protocol):
    """What an operation finds around it: its context, and those who run functions and bodies for it."""

    @property
    def is_exact(self) -> bool:
        """Does it run inside a window, where sums of floats are correctly rounded?"""

    def name(self, name: str) -> Thing:
        """Return what the context has under a name; None where it has nothing."""

    def names(self) -> Mapping[str, Thing]:
        """Return all names of the context."""

    def inside(self, names: Mapping[str, Thing]) -> "Around":
        """Return the same with more names, which `assign` can change."""

    def assign(self, names: Mapping[str, Thing]) -> None:
        """Change names of the context, right here."""

    def function(self, function: Function) -> Callable[..., Thing]:
        """Return a function of as many values as it reads inputs."""

    def mapped(self, function: Function) -> Callable[..., Column]:
        """Return the same function of whole columns; one that reads no input is told by a first how long they are."""

    def kept(self, function: Function) -> Callable[[Column], Column]:
        """Return what gives those values of a column for which a function of one input is True."""

    def start(self, body: Processor, names: Mapping[str, Thing] | None = None, *, in_window: bool = False) -> Inner:
        """Return a fresh running copy of a body, with more names in its context."""


class Running(Protocol):
    """An operation that runs; `held` is how many entries it keeps."""

    def take(self, *columns: Column) -> Outputs: ...
    def end(self) -> Outputs: ...
    def held(self) -> int: ...
    def state(self) -> Thing: ...
    def restore(self, state: Thing) -> None: ...


class Stateless:
    """An operation that keeps nothing."""

    __slots__ = ()
    outputs = 1

    def end(self) -> Outputs:
        """Return what the end of the inputs releases."""
        return [] if self.outputs == 1 else tuple([] for _ in range(self.outputs))

    def held(self) -> int:
        return 0

    def state(self) -> Thing:
        return None

    def restore(self, state: Thing) -> None:
        return None


class Stepwise:
    """An operation of one output that is told front by front: `step(*front)` gives its new outputs.

    What it keeps are the attributes named by `kept`; lists, dicts and sets among them are copied.
    """

    kept: tuple[str, ...] = ()

    def step(self, *front: Thing) -> Sequence[Thing]:
        raise AssertionError("every operation says what it does with a front")

    def take(self, *columns: Column) -> Outputs:
        outputs: Column = []
        for front in zip(*columns, strict=True):
            outputs += self.step(*front)
        return outputs

    def end(self) -> Outputs:
        return []

    def held(self) -> int:
        return sum(_size(getattr(self, name)) for name in self.kept)

    def state(self) -> Thing:
        return [_copied(getattr(self, name)) for name in self.kept]

    def restore(self, state: Thing) -> None:
        for name, value in zip(self.kept, state, strict=True):
            setattr(self, name, _copied(value))


Kind = TypeVar("Kind", bound=Operation)
Start: TypeAlias = Callable[[Kind, Around], Running]

_starts: Final[dict[type[Operation], Start[Operation]]] = {}


def runs(kind: type[Kind]) -> Callable[[Start[Kind]], Start[Kind]]:
    """Say how an operation runs: a function or a class of itself and of what is around it."""

    def known(start: Start[Kind]) -> Start[Kind]:
        _starts[kind] = start  # type: ignore[assignment]  # it is asked for operations of its kind only
        return start

    return known


def started(operation: Operation, around: Around) -> Running:
    """Return an operation that runs, from its beginning."""
    return _starts[type(operation)](operation, around)


def _size(value: Thing) -> int:
    return len(value) if isinstance(value, list | dict | set) else 1


def _copied(value: Thing) -> Thing:
    return value.copy() if isinstance(value, list | dict | set) else value
