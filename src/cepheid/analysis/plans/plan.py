"""The plan: physical operators in a flat list, children before parents, with the facts that let them forget.

An operator may drop an instance as soon as no partner that is still to come can join it. How late a partner can end is
a `Reach`: the least, over the endpoints that the instance has, of their time plus an offset from the closure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.relations import Edge, Endpoint
from cepheid.analysis.closures.facts import Facts
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.closures.tree import Path

SELF = "$self"


@dataclass(frozen=True, slots=True)
class Near:
    """From `before` ticks before the end of a record until `after` ticks after it; either may be less than nothing."""

    before: int
    after: int


class Kind(Enum):
    """What an operator does; the engine has one interpreter for each."""

    SCAN = "scan"
    POINTS = "points"
    UNION = "union"
    FILTER = "filter"
    JOIN = "join"
    CHOICE = "choice"
    LATEST = "latest"
    ABSENCE = "absence"
    GATHER = "gather"
    RUNS = "runs"
    CHAIN = "chain"
    DISTINCT = "distinct"
    SKIP = "skip"
    SUPPRESS = "suppress"


KEPT_APART = frozenset((Kind.JOIN, Kind.ABSENCE, Kind.GATHER))
"""The kinds that take everything, and keep what each of their inputs gave in a history of its own."""


KEEP_NOTHING = frozenset((Kind.SCAN, Kind.UNION, Kind.FILTER))
"""The kinds that pass on what they are given, or do not."""


IN_ORDER = frozenset((Kind.CHOICE, Kind.LATEST, Kind.RUNS, Kind.CHAIN, Kind.DISTINCT, Kind.SUPPRESS))
"""The kinds that must see their input in order, an instant only when it is complete."""


class Retention(Enum):
    """What a join with a choice must keep, or a chain.

    EVERYTHING  every instance that a partner can still reach
    QUEUE       of what all partners to come can take: only the best; besides it what only some can take
    BEST        only the best of each side, because any partner to come can take it
    LAST        of runs that nobody can tell apart only the one that started last
    """

    EVERYTHING = "everything"
    QUEUE = "queue"
    BEST = "best"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Reach:
    """How late a partner can end, given an instance; not `possible`: there is never a partner.

    `ends` is the greatest distance from the instance's end to the partner's, None if it is unbounded.
    """

    times: tuple[tuple[Endpoint, int], ...] = ()
    positions: tuple[tuple[Endpoint, int], ...] = ()
    ends: int | None = None
    records: int | None = None
    possible: bool = True

    @property
    def bounded(self) -> bool:
        return not self.possible or bool(self.times) or bool(self.positions)


Distances = Mapping[tuple[int, Edge, int, Edge], int]
"""How far the first end lies after the second one at most: each is a side of a join, and its start or its end."""


@dataclass(frozen=True, slots=True)
class Forbidding:
    """How instances that forbid matches under one key outdo each other: the one whose `edge` is later stays.

    It does so once matches to come end no earlier than any of its ends in `settled`, plus the number beside it.
    `lag` is how late matches may be told. Where there is an `after`, all that is settled matters to left parts that
    wait already: for each of them the first to end stays of those that start so long after its end, or later.
    """

    edge: Edge
    settled: tuple[tuple[Edge, int], ...]
    lag: int | None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Operator:
    """One physical operator.

    `reach[i, j]` is how late input j can still bring a partner for an instance of input i, `widths[i]` how long an
    instance of input i can be. `lag` is how far its own frontier may trail that of the events, `delay` how long after
    its end a match is certain, `back` how far before its end anything that decides it can have started. None is
    unbounded. `has_points`: points of time take part, which are no records. `headway[i]` is how much later than input i
    an instance of a join ends at least. `forbidding` says what an absence may forget of what forbids.
    `sides` are what each input of an absence or a collection has in common with the other, where it can tell.
    `prompt`: all that it looks at is in its final order as it arrives, so that no instant need be complete. `at_once`:
    an absence or a collection has seen all that matters when its match is there. `singles` are the parts of a join of
    two that are one arrival each. `final` are the inputs of a join that nothing to come can join, and that it need not
    keep. `near` says how near to a record a point of time must lie to matter; None: each may. `distances` are those
    between the two sides of a choice. `successive`: both sides of a choice are events that come one after the other, so
    that what completes a pair starts no earlier than any match of a rule ended that waits.
    """

    number: int
    kind: Kind
    pattern: Pattern
    path: Path
    inputs: tuple[int, ...] = ()
    reach: Mapping[tuple[int, int], Reach] = field(default_factory=dict)
    retention: Retention = Retention.EVERYTHING
    widths: tuple[int | None, ...] = ()
    lag: int | None = 0
    delay: int | None = 0
    back: int | None = 0
    has_points: bool = False
    headway: tuple[int, ...] = ()
    forbidding: Forbidding | None = None
    sides: tuple[tuple[Expr, ...], tuple[Expr, ...]] | None = None
    prompt: bool = False
    at_once: bool = False
    singles: frozenset[int] = frozenset()
    final: frozenset[int] = frozenset()
    near: Near | None = None
    distances: Distances = field(default_factory=dict)
    successive: bool = False

    @property
    def orders(self) -> bool:
        """Must this operator see its input in order, an instant only when it is complete?"""
        return self.kind in IN_ORDER


@dataclass(frozen=True, slots=True)
class RulePlan:
    """The operators of one rule, the last of them giving its matches.

    `counts_records`: positions matter, so the rule's whole stream is put in order first. `trails` is how far the end of
    an emitted event can lie before the end of its match, `leads` how far after it, `length` how long the event can be.
    Matches are called by `version`, the fingerprint of the rule as it was written. `fixed` is the earliest fixed time
    that every key begins with, however late it comes. `number` is the place of the rule among the others as written.
    `prompt`: what it emits stands in its final place as soon as what completes it has arrived.
    """

    rule: Rule
    operators: tuple[Operator, ...]
    facts: Facts
    counts_records: bool
    trails: int | None
    length: int | None
    reads_derived: frozenset[str] = frozenset()
    leads: int | None = 0
    version: str = ""
    fixed: int | None = None
    number: int = 0
    prompt: bool = False

    @property
    def root(self) -> Operator:
        return self.operators[-1]


@dataclass(frozen=True, slots=True)
class Plan:
    """A program with a plan for each of its rules, in an order in which they can be evaluated."""

    program: Program
    groups: tuple[tuple[RulePlan, ...], ...]
    lengths: Lengths

    @property
    def rules(self) -> tuple[RulePlan, ...]:
        return tuple(rule for group in self.groups for rule in group)
