"""The operations that every pipe can use; `built_in.py` says how they are asked for."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field

from cepheid.algebra.graphs.functions import NOTHING, Function
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Processor


@dataclass(frozen=True, slots=True, eq=False)
class Passthrough(Operation):
    count: int = 1

    @property
    def inputs(self) -> int:
        return self.count

    @property
    def outputs(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True, eq=False)
class Source(Operation):
    """Values from outside, read anew by each run; an endless one never runs out, and one that is open may not."""

    name: str
    read: Callable[[], Iterable[Thing]] = field(repr=False)
    is_endless: bool = field(default=False, repr=False)
    kind: str = field(default="any", repr=False)
    is_open: bool = field(default=False, repr=False)

    @property
    def inputs(self) -> int:
        return 0

    def text(self, *bodies: str) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class TurnInto(Operation):
    value: Thing
    count: int = 1

    @property
    def inputs(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True, eq=False)
class Fork(Operation):
    count: int

    @property
    def outputs(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True, eq=False)
class Cumulate(Operation):
    """`function` of what it gave before and of each value; without an `initial` the first value is the first output.

    `known` is the name of the algebra's function where it is one, and its sums are correctly rounded inside windows.
    """

    function: Function
    initial: Thing = NOTHING
    known: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Decimate(Operation):
    step: int
    last: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Freeze(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Trim(Operation):
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Prefix(Operation):
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Stutter(Operation):
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Insert(Operation):
    count: int
    value: Thing


@dataclass(frozen=True, slots=True, eq=False)
class KeepLast(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Filter(Operation):
    count: int = 1

    @property
    def inputs(self) -> int:
        return self.count + 1

    @property
    def outputs(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True, eq=False)
class Where(Operation):
    function: Function


@dataclass(frozen=True, slots=True, eq=False)
class Window(Operation):
    """The n-th output of a fresh body over each n successive values."""

    body: Processor
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class TimeWindow(Operation):
    """The last output of a fresh body over the values that are at most `ticks` older than the newest."""

    body: Processor
    ticks: int

    def text(self, *bodies: str) -> str:
        return f"window({bodies[0]}, '{self.ticks} us')"


@dataclass(frozen=True, slots=True, eq=False)
class Successive(Operation):
    function: Function

    @property
    def size(self) -> int:
        return max(1, self.function.arity)


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Operation):
    function: Function
    body: Processor
    gather: str = "map"


EVERY_SLICE = "#"


@dataclass(frozen=True, slots=True, eq=False)
class Choose(Operation):
    @property
    def inputs(self) -> int:
        return 3


@dataclass(frozen=True, slots=True, eq=False)
class Yield(Operation):
    count: int

    @property
    def inputs(self) -> int:
        return 3

    def text(self, *bodies: str) -> str:
        return f"yield_({self.count})"


@dataclass(frozen=True, slots=True, eq=False)
class Collate(Operation):
    """A tuple of each front, or a record where there are names."""

    count: int
    names: tuple[str, ...] = ()

    @property
    def inputs(self) -> int:
        return self.count

    def text(self, *bodies: str) -> str:
        return f"collate({', '.join(map(repr, self.names or (self.count,)))})"


@dataclass(frozen=True, slots=True, eq=False)
class Pack(Operation):
    @property
    def inputs(self) -> int:
        return 2


@dataclass(frozen=True, slots=True, eq=False)
class Unpack(Operation):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class RunOn(Operation):
    body: Processor


@dataclass(frozen=True, slots=True, eq=False)
class UserProcessor(Operation):
    """A user's own: `step(state, *front)` gives the next state and a list of outputs.

    `keeps` is how many values its state holds at most, as the user declares it; None: no one knows.
    """

    name: str
    step: Callable[..., tuple[Thing, Thing]] = field(repr=False)
    reads: int = field(default=1, repr=False)
    gives: int = field(default=1, repr=False)
    initial: Thing = field(default=None, repr=False)
    keeps: int | None = field(default=1, repr=False)

    def first_state(self) -> Thing:
        """Return a state of its own for a run."""
        return deepcopy(self.initial)

    @property
    def inputs(self) -> int:
        return self.reads

    @property
    def outputs(self) -> int:
        return self.gives

    def text(self, *bodies: str) -> str:
        return self.name
