"""What operators have in common that take one partial match at a time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping

from cepheid.algebra.programs import Table
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.direct.partials import Partial, Parts
from cepheid.events import MIN_TIME

Give = Callable[[Hashable, Partial], None]


class Pace:
    """How far the input of a rule has come, and the ends of what waits for its instant to be complete, as a heap.

    Where records are counted, all comes in order, and the one at hand has a `position` among those of its key.
    """

    __slots__ = ("ends", "frontier", "position")

    def __init__(self) -> None:
        self.frontier, self.position = MIN_TIME, 0
        self.ends: list[int] = []


class DirectOperator(ABC):
    """An operator at work, for all keys of a rule; what it finds it gives to the operator above, or to the rule."""

    def __init__(self, operator: Operator, parts: Parts, tables: Mapping[str, Table], give: Give, pace: Pace) -> None:
        self.operator, self.parts, self.tables, self.give, self.pace = operator, parts, tables, give, pace

    @abstractmethod
    def take(self, key: Hashable, side: int, partial: Partial) -> None:
        """Take a partial match of one of the inputs."""

    def complete(self, instant: int) -> None:  # noqa: B027  # an operator that takes all as it comes has nothing to do
        """Decide about what ends at an instant: nothing more will end there, and what ended before is decided."""

    def expire(self, frontier: int) -> None:  # noqa: B027  # an operator without state has nothing to do
        """Evict what no partner that ends at the frontier or later can join."""

    def expire_places(self, position_of: Callable[[Hashable], int]) -> None:  # noqa: B027  # as above
        """Evict what no record can join, as the next one of each key stands at a position."""

    def waits_for(self, key: Hashable) -> bool:
        """Say whether something of a key waits for partners."""
        return False

    def entries(self) -> int:
        """Return how many partial matches are held."""
        return 0

    def buffered(self) -> int:
        """Return how many partial matches only wait for their instant."""
        return 0

    def state(self) -> dict[Hashable, object]:
        """Return the state of each key that has one, as the interpreter writes it."""
        return {}

    def restore(self, key: Hashable, state: object) -> None:  # noqa: B027  # an operator without state has nothing to do
        """Take up the state of a key, as the interpreter wrote it."""

    def empty_state(self) -> object:
        """Return what the interpreter writes where there is nothing."""
        return None

    def certain(self, end: int) -> int:
        """Return when it is certain what is chosen among all that ends at `end`."""
        return end if self.operator.prompt else end + 1
