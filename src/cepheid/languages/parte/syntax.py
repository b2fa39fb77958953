"""PARTElang as it is written: declarations, patterns, windows and rules, each with its place in the text."""

from dataclasses import dataclass
from typing import TypeAlias

from cepheid.algebra.expressions import Expr
from cepheid.diagnostics import Source, Span
from cepheid.events import Value
from cepheid.languages.shared.terms import Name, Term


@dataclass(frozen=True, slots=True)
class SlotType:
    """`Integer`, or `[AccountId; 3]` for a list of at most so many."""

    name: Name
    size: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class Slot:
    """`amount : Amount`; the columns of a table may leave their type out."""

    name: Name
    type: SlotType | None


@dataclass(frozen=True, slots=True)
class Template:
    """`template MoneyTransferred { id : TransactionId, amount : Amount }`."""

    name: Name
    slots: tuple[Slot, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Window:
    """`[-14 days, 0 days]`; None is an open end, `*`."""

    low: int | None
    high: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class EventPattern:
    """`incoming : MoneyTransferred { amount >= 100.0 }`; with arguments it is a pattern that was given a name."""

    variable: Name
    type: Name
    arguments: tuple[Term, ...] | None
    conditions: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class InstantPattern:
    """`closing : daily 17:00 Europe/Brussels`."""

    variable: Name
    schedule: Expr
    conditions: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class AggregatePattern:
    """`total : sum(amount) of outgoing : MoneyTransferred {...} in incoming [0 days, 14 days] { total > 100 }`."""

    variable: Name
    function: Name
    arguments: tuple[Term, ...]
    item: EventPattern
    anchor: Name
    window: Window
    conditions: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class NegatedPattern:
    """`no refund : MoneyTransferred {...}`; `no` is the place of that word."""

    pattern: EventPattern
    no: Span
    span: Span


RulePattern: TypeAlias = EventPattern | InstantPattern | AggregatePattern | NegatedPattern


@dataclass(frozen=True, slots=True)
class WindowLine:
    """`outgoing in incoming [0 days, 14 days]`, with `no` before it where the variable is negated."""

    variable: Name
    anchor: Name
    window: Window
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Assignment:
    """`account = incoming.destination`."""

    name: Name
    value: Term


@dataclass(frozen=True, slots=True)
class Emission:
    """`emit Alarm at incoming.timestamp with { account = incoming.destination }`."""

    type: Name
    at: Term
    assignments: tuple[Assignment, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Action:
    """`do_something(a.attr)`."""

    name: Name
    arguments: tuple[Term, ...]
    span: Span


Reaction: TypeAlias = Emission | Action


@dataclass(frozen=True, slots=True)
class RuleText:
    """`rule R where ... when ... then ...`."""

    name: Name
    patterns: tuple[RulePattern, ...]
    windows: tuple[WindowLine, ...]
    reactions: tuple[Reaction, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    """What a `source` says about its template; `field` is the field of the stream that says it."""

    field: str
    value: object
    span: Span


@dataclass(frozen=True, slots=True)
class SourceText:
    """`source MoneyTransferred 10 per ms from 2 sources disorder 5 s`."""

    type: Name
    clauses: tuple[Clause, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TableText:
    """`table routes(originator, destination) from "routes.csv"`: key columns, further columns, and its rows."""

    name: Name
    keys: tuple[Slot, ...]
    values: tuple[Slot, ...]
    file: tuple[str, Span] | None
    rows: tuple[Value, Span] | None
    span: Span

    @property
    def columns(self) -> tuple[Slot, ...]:
        return (*self.keys, *self.values)


@dataclass(frozen=True, slots=True)
class PredicateText:
    """`predicate uncommon_route(a, b) = not common_routes(a, b)`."""

    name: Name
    parameters: tuple[Name, ...]
    body: Term
    span: Span


@dataclass(frozen=True, slots=True)
class PatternText:
    """`pattern suspicious(least) : MoneyTransferred { amount >= least }`."""

    name: Name
    parameters: tuple[Name, ...]
    type: Name
    arguments: tuple[Term, ...] | None
    conditions: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Use:
    """`use "library.parte"`."""

    file: str
    span: Span


@dataclass(frozen=True, slots=True)
class Tick:
    """`tick 1 ms`."""

    length: int
    span: Span


Statement: TypeAlias = Template | RuleText | SourceText | TableText | PredicateText | PatternText | Use | Tick


@dataclass(frozen=True, slots=True)
class Text:
    """All statements of a text, in their order."""

    statements: tuple[Statement, ...]
    source: Source
