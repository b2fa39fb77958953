"""A pattern under construction: the node, what it binds, and about how many instances it will have."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from cepheid.algebra.patterns import Pattern
from cepheid.algebra.policies import Choice
from cepheid.testing.cases.draw import Draw

EVENT_FIELDS = ("key", "value")
USUAL_CROWD = 3


class Kind(Enum):
    """The kinds of nodes a random pattern may hold."""

    ATOM = "atom"
    INSTANT = "instant"
    JOIN = "join"
    SELECT = "select"
    COLLECT = "collect"
    EITHER = "either"
    RESTRICT = "restrict"
    UNLESS = "unless"
    REPEAT = "repeat"
    CHAIN = "chain"
    DISTINCT = "distinct"
    SKIP = "skip"
    SUPPRESS = "suppress"


@dataclass(frozen=True, slots=True)
class Shape:
    """What random patterns may look like.

    `kinds` and `choices` say which nodes and which policies occur (of repetitions too), `positions` whether anything
    may count records, `depth` how many nodes stand above one another; `filters` of a hundred atoms have a condition
    and `keyed` of a hundred joins a key. `crowds` says of which types there will be how many events.
    """

    types: tuple[str, ...] = ("A", "B", "C")
    kinds: frozenset[Kind] = frozenset(Kind)
    choices: frozenset[Choice] = frozenset(Choice)
    depth: int = 3
    positions: bool = True
    filters: int = 25
    keyed: int = 25
    crowds: Mapping[str, int] = field(default_factory=dict)

    def crowd(self, types: Collection[str]) -> int:
        """Return about how many events have one of the types; none named: any."""
        return sum(self.crowds.get(name, USUAL_CROWD) for name in types or self.types)


@dataclass(frozen=True, slots=True)
class Part:
    """A name that expressions may read, with the fields there are; `certain`: it is bound in every instance."""

    name: str
    fields: tuple[str, ...] = EVENT_FIELDS
    certain: bool = True
    is_event: bool = True


@dataclass(frozen=True, slots=True)
class Sketch:
    """A pattern with what it binds; `size` is about how many instances it has over a trace of ten events."""

    pattern: Pattern
    parts: tuple[Part, ...]
    size: int
    variables: tuple[str, ...] = ()

    @property
    def readable(self) -> tuple[Part, ...]:
        """The parts that have fields."""
        return tuple(part for part in self.parts if part.fields)

    @property
    def keyed(self) -> tuple[Part, ...]:
        """The parts that have a key."""
        return tuple(part for part in self.parts if "key" in part.fields)

    def uncertain(self) -> "Sketch":
        """Return this sketch with no part that is bound in every instance."""
        return replace(self, parts=tuple(replace(part, certain=False) for part in self.parts))


Maker = Callable[["Workshop", int], Sketch]


@dataclass(slots=True)
class Workshop:
    """Where patterns are made: decisions, the shape asked for, the makers of every kind, and fresh names."""

    draw: Draw
    shape: Shape
    makers: Mapping[Kind, Maker]
    tables: tuple[str, ...] = ()
    used: dict[str, int] = field(default_factory=dict)

    def fresh(self, stem: str) -> str:
        """Return a name that was not used before."""
        self.used[stem] = self.used.get(stem, 0) + 1
        return f"{stem}{self.used[stem]}"

    def make(self, kind: Kind, depth: int) -> Sketch:
        """Return a pattern whose top is of this kind, with `depth` more levels at most."""
        return self.makers[kind](self, depth)

    def allows(self, kind: Kind) -> bool:
        return kind in self.shape.kinds

    def any_of(self, weights: Mapping[Kind, int], depth: int) -> Sketch:
        """Return a pattern of one of the kinds that are allowed; an atom where none is or no level is left."""
        allowed = {kind: weight for kind, weight in weights.items() if self.allows(kind)}
        return self.make(self.draw.weighted(allowed) if depth > 0 and allowed else Kind.ATOM, depth)
