"""What a kernel is made for: the shape of a rule as data, in the order of time.

The shape says which code is generated. Types, distances and conditions on single events are data to that code.
"""

from dataclasses import dataclass
from enum import Enum

from cepheid.algebra.expressions import Expr, Moment
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import Difference, Edge, Endpoint
from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis.plans.plan import RulePlan
from cepheid.engine.kernels.facts.collections_shape import CollectShape


class Core(Enum):
    """Which kernel joins the parts."""

    GRAPH = "all combinations, listed from a graph of events"
    SLOTS = "the last partial match of each key"
    RUNS = "runs that each take the next event"
    QUEUE = "a queue for each key"
    COUNT = "all combinations, counted and not listed"
    COLLECT = "a window of items for each key"
    STAGES = "stage by stage, of events that may last"


@dataclass(frozen=True, slots=True)
class Part:
    """One event of a match: its types, the condition on it alone, and its share of the common key."""

    name: str
    types: frozenset[str]
    where: Expr | None
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class AbsenceShape:
    """No event like `part` from `low` after the part `lower` to `high` after the part `upper`."""

    part: Part
    lower: int
    low: int
    upper: int
    high: int


@dataclass(frozen=True, slots=True)
class Gap:
    """How long after the last part, and at most how long after the first, a step of a choosing join may come."""

    low: int
    high: int | None
    whole: int | None


@dataclass(frozen=True, slots=True)
class SuppressedShape:
    """Of the matches that agree on `keys` the first, and then what ends more than `apart` after one that passed."""

    keys: tuple[Expr, ...]
    apart: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A rule as the kernels run it.

    `most[i][j]` bounds the time from part i to part j, parts being in the order of time; `identity` are their places as
    they are written. `filters` hold for every match, `limits` are distances that are checked with them. `keep` is how
    long an event can matter, None for ever. `eager`: matches are certain as soon as their last event is there.
    `family`: it stands for many rules that differ in data alone. `collect`: the parts are an anchor and its items.
    `by_arrival`: events of one time come one after the other, as the rows of a log do. `suppressed` says what is left
    out of all matches, which are certain as soon as they are found and in the order of the rows of their events.
    """

    plan: RulePlan
    core: Core
    choice: Choice
    parts: tuple[Part, ...]
    identity: tuple[int, ...]
    most: tuple[tuple[int | None, ...], ...]
    gaps: tuple[Gap, ...]
    filters: tuple[Expr, ...]
    limits: tuple[Difference, ...]
    absences: tuple[AbsenceShape, ...]
    keep: int | None
    eager: bool
    family: bool = False
    collect: CollectShape | None = None
    by_arrival: bool = False
    suppressed: SuppressedShape | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(part.name for part in self.parts)

    @property
    def scanned(self) -> tuple[Part, ...]:
        """All that events are compared with: the parts, then what must be absent."""
        return (*self.parts, *(one.part for one in self.absences))

    def lane(self, part: int) -> int:
        """Return which of several links an event has as a part: one for all where no event can be two of them."""
        types = [name for one in self.parts[:-1] for name in one.types]
        return 0 if len(types) == len(set(types)) else part


@ByIdentity
def is_whole(rule: Rule) -> bool:
    """Say whether the event that a rule emits lies where its match lies."""
    return _is_hull(rule.start, Edge.START) and _is_hull(rule.end, Edge.END)


def _is_hull(expression: Expr, edge: Edge) -> bool:
    return expression == Moment(Endpoint(HULL, edge))
