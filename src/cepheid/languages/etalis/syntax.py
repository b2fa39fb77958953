"""ETALIS as it is written: patterns, rules, facts and declarations, each with its place in the text."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cepheid.algebra.programs import Arrival
from cepheid.diagnostics import Span
from cepheid.languages.shared.terms import Name, Term


class Operator(Enum):
    """The binary operators by their words."""

    SEQ = "SEQ"
    AND = "AND"
    PAR = "PAR"
    OR = "OR"
    EQUALS = "EQUALS"
    MEETS = "MEETS"
    DURING = "DURING"
    STARTS = "STARTS"
    FINISHES = "FINISHES"


@dataclass(frozen=True, slots=True)
class AtomText:
    """`predicate(term, ...)`: in a pattern an event, elsewhere a head or a fact."""

    predicate: Name
    arguments: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class PointText:
    """A point of time, in ticks."""

    time: int
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """`left OPERATOR right`."""

    operator: Operator
    left: "PatternText"
    right: "PatternText"
    span: Span


@dataclass(frozen=True, slots=True)
class Where:
    """`pattern WHERE (condition)`; conditions with commas between them all hold."""

    pattern: "PatternText"
    conditions: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Limit:
    """`(pattern).longest`."""

    pattern: "PatternText"
    longest: int
    span: Span


@dataclass(frozen=True, slots=True)
class Absence:
    """`NOT(absent).[first, last]`."""

    absent: "PatternText"
    first: "PatternText"
    last: "PatternText"
    span: Span


@dataclass(frozen=True, slots=True)
class Repetition:
    """`ntimes(pattern, count)`; `star(pattern)` has no count."""

    pattern: "PatternText"
    count: int | None
    span: Span


PatternText: TypeAlias = AtomText | PointText | Binary | Where | Limit | Absence | Repetition


@dataclass(frozen=True, slots=True)
class PolicyText:
    """`policy recent tie longer`; `attribute` is that of `tie greatest volume`."""

    choice: Name
    tie: Name | None
    attribute: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class RuleText:
    """`label rule: head <- pattern policy recent.`; with several goals it is about background knowledge."""

    label: Name | None
    head: AtomText
    pattern: PatternText
    goals: tuple["AtomText | Term", ...]
    policy: PolicyText | None
    span: Span


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact: `near(dock, harbour)`."""

    head: AtomText
    span: Span


@dataclass(frozen=True, slots=True)
class EventText:
    """`event stock(symbol, price, volume)`."""

    predicate: Name
    attributes: tuple[Name, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Column:
    """`limit : float`; without a kind it holds texts."""

    name: Name
    kind: Name | None


@dataclass(frozen=True, slots=True)
class TableText:
    """`table near(place, zone) from "near.csv".`; `empty` says that it has no rows."""

    predicate: Name
    columns: tuple[Column, ...]
    file: tuple[str, Span] | None
    empty: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Tick:
    """`tick 1 ms`."""

    length: int
    span: Span


@dataclass(frozen=True, slots=True)
class Rate:
    """`rate stock 5/s` or `rate stock every 200 ms`."""

    predicate: Name
    arrival: Arrival
    span: Span


@dataclass(frozen=True, slots=True)
class Disorder:
    """`disorder stock 2 s`."""

    predicate: Name
    longest: int
    span: Span


@dataclass(frozen=True, slots=True)
class Keys:
    """`keys stock 1000`."""

    predicate: Name
    count: int
    span: Span


Declaration: TypeAlias = EventText | TableText | PolicyText | Tick | Rate | Disorder | Keys
Statement: TypeAlias = RuleText | Fact | Declaration
