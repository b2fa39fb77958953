"""Rules that emit typed events, the streams they read, and the program that holds them together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from cepheid.algebra.expressions import Expr
from cepheid.algebra.frozen import freeze
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.pipes import Pipe
from cepheid.algebra.relations import Ticks
from cepheid.diagnostics import Span
from cepheid.events import Value


class Ties(Enum):
    """What holds between events of one time.

    SIMULTANEOUS  none of them comes after another
    ARRIVAL       they come one after the other, in the total order: each is an instant of its own
    """

    SIMULTANEOUS = "simultaneous"
    ARRIVAL = "arrival"


HULL = "$pattern"
EVENT = "$event"

Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """Every match of `pattern` is an event of type `emits`.

    `start`, `end` and `fields` read the match; its hull is `$pattern`. The rule is detected separately for every
    value of `per`, expressions over `$event`: positions, choices and absences are then of the key, and an event whose
    key is null is not seen. A match whose start or end is null, or whose start is after its end, is no event. `span`
    are the places of `per` in the source text, where they are known, and no part of its meaning.
    """

    name: str
    pattern: Pattern
    emits: str
    start: Expr
    end: Expr
    fields: Mapping[str, Expr] = field(default_factory=dict)
    per: tuple[Expr, ...] = ()
    span: tuple[Span, ...] = field(kw_only=True, compare=False, default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", freeze(self.fields))


@dataclass(frozen=True, slots=True)
class Arrival:
    """At most `count` in any half-open span of `per` ticks; spaced: at least per/count apart."""

    count: int
    per: Ticks
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class Stream:
    """What is declared about the events of one input type."""

    name: str
    arrival: Arrival | None = None
    disorder: Ticks = 0
    sources: tuple[str, ...] = ()
    keys: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Background knowledge: rows looked up by the leading `key_count` columns."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    key_count: int


@dataclass(frozen=True, slots=True)
class Program:
    """Rules in any order, pipes over what they and the inputs give, and what they may look up."""

    rules: tuple[Rule, ...] = ()
    streams: tuple[Stream, ...] = ()
    pipes: Mapping[str, Pipe] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    tick: Ticks = 1
    ties: Ties = Ties.SIMULTANEOUS

    def __post_init__(self) -> None:
        object.__setattr__(self, "pipes", freeze(self.pipes))
        object.__setattr__(self, "tables", freeze(self.tables))
