"""The nodes of the pattern algebra: few of them, with everything that differs between languages as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cepheid.algebra.expressions import Expr
from cepheid.algebra.frozen import freeze
from cepheid.algebra.policies import ALL, Choice, Policy
from cepheid.algebra.relations import Relation, Ticks
from cepheid.diagnostics import Span

Equalities = tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What to look for; `span` is its place in the source text and no part of its meaning."""

    span: Span | None = field(kw_only=True, compare=False, default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Atom(Pattern):
    """One event of one of the types (none named: any); `where` reads this event, in a chain also the variables."""

    name: str
    types: frozenset[str]
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Instant(Pattern):
    """Points of time made by a schedule: `at(t)`, `every(period, offset)`, `daily(...)`, `weekly(...)`.

    They are no records: they have no position and support nothing.
    """

    name: str
    schedule: Expr


@dataclass(frozen=True, slots=True)
class Join(Pattern):
    """One match per assignment of the parts.

    Candidates are the assignments that stand in `relation`, agree on `equal` and satisfy `candidate`; of these the
    policy chooses; of the chosen, `where` keeps some. Parts are two unless the policy is ALL.
    """

    parts: tuple[Pattern, ...]
    relation: Relation = ()
    equal: Equalities = ()
    candidate: Expr | None = None
    policy: Policy = ALL
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Sieve(Pattern):
    """What keeps some matches of one `pattern`, each as it is: what can be read of them, and where they lie, stays."""

    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Select(Sieve):
    """The latest-start choice above something that is not a join."""

    policy: Policy


@dataclass(frozen=True, slots=True)
class Collect(Pattern):
    """All matches of `item` in `relation` to the anchor as one match with folds, readable as fields of `name`.

    The hull is the anchor's, also where items lie outside it; without any item the folds are those of nothing.
    `equal` and `where` say which items count; conditions on the folds stand in a `Restrict` above.
    """

    name: str
    anchor: Pattern
    item: Pattern
    relation: Relation
    equal: Equalities = ()
    where: Expr | None = None
    folds: Mapping[str, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folds", freeze(self.folds))


@dataclass(frozen=True, slots=True)
class Either(Pattern):
    """Every match of every branch; names of branches not taken are unbound (`IsBound` asks)."""

    branches: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Restrict(Sieve):
    """The matches of `pattern` that stand in `relation` and satisfy `where`."""

    relation: Relation = ()
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Unless(Pattern):
    """`pattern`, where no match of `absent` stands in `relation` to it with `equal` and `where` true."""

    pattern: Pattern
    absent: Pattern
    relation: Relation
    equal: Equalities = ()
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Repeat(Pattern):
    """`item`, `least` to `most` times in order, as one match; folds are readable as fields of `name`.

    Neighbours stand in `gap` (over `$previous` and `$next`) and satisfy `link`; first and last stand in `window`
    (over `$first` and `$last`). ALL takes every subsequence. NEXT is greedy: an item extends each run that can take
    it, else it starts one; a run is reported once, when it cannot grow.
    """

    name: str
    item: Pattern
    least: int
    most: int | None
    gap: Relation = ()
    link: Expr | None = None
    window: Relation = ()
    choice: Choice = Choice.NEXT
    per: tuple[Expr, ...] = ()
    folds: Mapping[str, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folds", freeze(self.folds))


@dataclass(frozen=True, slots=True)
class Step:
    """One state of a chain: wait for `lead`, bind `lets` in order, then wait for the leads of `follow`.

    `avoid` must not occur strictly between this record and the next lead. No `follow` means: report. With `every`, a
    run takes each later record that satisfies `lead`, one in each of its copies, and not the first one alone.
    """

    lead: Atom
    lets: Mapping[str, Expr] = field(default_factory=dict)
    avoid: Atom | None = None
    follow: tuple[str, ...] = ()
    every: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "lets", freeze(self.lets))


@dataclass(frozen=True, slots=True)
class Chain(Pattern):
    """A greedy automaton: each step takes the first later record that satisfies its lead, or `every` one.

    Alternatives are several follows, recursion is a cycle. Runs that end at one record and agree on the `observed`
    variables (None: on all) are one match, the one that started last. With `reads_support` the records tell runs
    apart as well; of runs over the same records the one through the first alternatives stays.
    """

    steps: Mapping[str, Step]
    first: str
    initially: Mapping[str, Expr] = field(default_factory=dict)
    window: Relation = ()
    reads_support: bool = True
    observed: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", freeze(self.steps))
        object.__setattr__(self, "initially", freeze(self.initially))


@dataclass(frozen=True, slots=True)
class Skip(Sieve):
    """Matches one after the other: each counts that begins where the last one that counted says to go on, or later.

    They are taken by their first record, then by their last, then in order. `to` is the position of a record, read from
    a match: no later match that begins before it counts. Null skips nothing. All this for every value of `per` alone,
    where null is no value: such matches do not count.
    """

    to: Expr
    per: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Distinct(Sieve):
    """One match, the first in order, per value of `by`; None: per start, end and set of supporting events."""

    by: tuple[Expr, ...] | None = None


@dataclass(frozen=True, slots=True)
class Suppress(Sieve):
    """Of matches of one key that end close together the first alone; then another that ends more than `apart` later.

    They are taken in order. One passes unless one that passed under the same values of `by` ended `apart` before it or
    later; what does not pass keeps nothing away. Null is a value like any other.
    """

    apart: Ticks
    by: tuple[Expr, ...] = ()
