"""What all operators have in common: a turn, a frontier, a size, and state that can be written down."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from cepheid.algebra.instances import Instance
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.certainty import complete_at
from cepheid.engine.clock.turn import Turn
from cepheid.engine.state.deadlines import FOREVER
from cepheid.events import MIN_TIME

News = Sequence[Sequence[Instance]]


class Interpreter(ABC):
    """An operator at work.

    After a turn, every instance it will still give ends at `frontier` or later, and its last record is at position
    `place` or later. What `keeps` nothing has no size, waits for nothing and is always idle.
    """

    keeps = True

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self.frontier = MIN_TIME
        self.place = 0

    @abstractmethod
    def turn(self, news: News, inputs: Sequence["Interpreter"], turn: Turn) -> list[Instance]:
        """Take in what the inputs gave in this turn, and return what is new and certain."""

    def entries(self) -> int:
        """Return how many entries of pattern state are held."""
        return 0

    def histories(self) -> tuple[int, ...]:
        """Return how many entries of each input wait, where inputs are kept apart."""
        return ()

    def left_ends(self) -> Iterable[int]:
        """Return the ends of what waits as the left part of pairs to come."""
        return ()

    def buffered(self) -> int:
        """Return how many instances are only waiting for their instant to be complete."""
        return 0

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        """Return the least end of what it will still give out of what it has; `below` says that of its inputs.

        Without what is `buffered`: of what waits for more than that its instant is complete.
        """
        return min(below, default=FOREVER)

    def wake(self) -> int:
        """Return the greatest frontier at which a turn without news changes nothing here."""
        return FOREVER

    @property
    def idle(self) -> bool:
        """Would a fresh operator behave the same from here on?"""
        return not self.entries() and not self.buffered()

    def state(self) -> object:
        """Return the state as plain data with instances in it, None if there is none."""
        return None

    def restore(self, state: object, turn: Turn) -> None:  # noqa: B027  # an operator without state has nothing to do
        """Take up a state that `state` gave."""

    def settle(self, inputs: Sequence["Interpreter"]) -> None:
        """Move to the frontier of the inputs."""
        self.frontier = min([each.frontier for each in inputs])
        self.place = min([each.place for each in inputs])

    def complete(self, turn: Turn) -> int:
        """Return before when all that this operator looks at is there, or is at least in its final order."""
        return max(self.frontier, turn.ripe, turn.arrived if self.operator.prompt else MIN_TIME)

    def certain_at(self, end: int) -> int | None:
        """Return when it is certain what is chosen among all that ends at `end`."""
        return end if self.operator.prompt else complete_at(end, self.operator.lag)

    def hold_place(self, waiting: Iterable[Instance]) -> None:
        """Stay behind what waits where it may be given for a point of time, which adds no record of its own."""
        if self.operator.has_points:
            self.place = min([self.place, *(one.high for one in waiting if one.high is not None)])
