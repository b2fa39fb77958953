"""What an operation costs: how many values it gives for its fronts, and how many it keeps.

    @costs(Peaks)
    def _peaks(operation, bodies): return Cost(SOME, None, "a signal that only rises has no peak", hint)

An operation of which nothing is said may give and keep any number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar

from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.pipes import Resample

Kind = TypeVar("Kind", bound=Operation)


@dataclass(frozen=True, slots=True)
class Gives:
    """How many values come out for a number of fronts: those that are left by dropping and copying some.

    At least `late` fewer than that, where they come later; none for sure where it `may_drop`; any number where nothing
    is `known`. `before` come in front of the first, and `after` more when the input ends.
    """

    left: Resample = field(default_factory=Resample)
    late: int = 0
    before: int = 0
    after: int = 0
    may_drop: bool = False
    known: bool = True


EACH: Final = Gives()
SOME: Final = Gives(may_drop=True)
ANY: Final = Gives(known=False)


@dataclass(frozen=True, slots=True)
class Cost:
    """What an operation gives and keeps; `keeps` None is without end, for the reason `why`, with a `hint`.

    With `per_key` it keeps that much for each key, and each of its bodies once for each key.
    """

    gives: Gives = EACH
    keeps: int | None = 0
    why: str = ""
    hint: str = ""
    per_key: int | None = None


@dataclass(frozen=True, slots=True)
class BodyCost:
    """What is known about a body: how many of its input it takes until it has given one, and is sure to give for n."""

    gives_at: Callable[[int], int]
    keeps: int | None

    def takes_for_one(self, most: int = 1000) -> int | None:
        """Return how many values are enough for the first output; None where nobody knows."""
        return next((count for count in range(1, most) if self.gives_at(count) >= 1), None)


Costing: TypeAlias = Callable[[Kind, Sequence[BodyCost]], Cost]

_costs: Final[dict[type[Operation], Costing[Operation]]] = {}
_UNKNOWN: Final = Cost(ANY, None, "nobody says how much it keeps", "let it declare what it keeps")


def costs(kind: type[Kind]) -> Callable[[Costing[Kind]], Costing[Kind]]:
    """Say what an operation costs: a function of itself and of what is known about its bodies."""

    def known(costing: Costing[Kind]) -> Costing[Kind]:
        _costs[kind] = costing  # type: ignore[assignment]  # it is asked for operations of its kind only
        return costing

    return known


def cost_of(operation: Operation, bodies: Sequence[BodyCost]) -> Cost:
    """Return what an operation costs."""
    costing = _costs.get(type(operation))
    return _UNKNOWN if costing is None else costing(operation, bodies)
