"""A rule as stages: what kernels make of a pattern whose parts may last, or are what other rules emit.

Each stage gives occurrences in the order of their ends. Everything here is data; the same few kernels run all of it.
Where something is certain at the end of the input only, its `lag` is None.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Chain
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Endpoint, Relation
from cepheid.analysis.plans.plan import Forbidding, Near, RulePlan
from cepheid.engine.kernels.columns.column_evaluation import RUN
from cepheid.engine.kernels.facts.shapes import Core

Offsets = tuple[tuple[Endpoint, int], ...]
Distances = tuple[tuple[int | None, ...], ...]
Span = tuple[Offsets, Offsets, Offsets, Offsets]
"""From when to when something starts, then from when to when it ends: the latest or the first of some times."""


@dataclass(frozen=True, slots=True)
class ScanShape:
    """The events of some types, given or derived, that satisfy a condition on them alone; no types: all given ones."""

    name: str
    types: frozenset[str]
    where: Expr | None


@dataclass(frozen=True, slots=True)
class PointShape:
    """The points of a schedule, from the first event to the last; `lag` is how late they are certain.

    Where they must be `near` a given event, those that are not do not matter.
    """

    name: str
    schedule: Expr
    lag: int | None
    near: Near | None


@dataclass(frozen=True, slots=True)
class NeverShape:
    """What never occurs, although it has names."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairShape:
    """Pairs of two, chosen or all.

    `most[i][j]` bounds the time from end point i to end point j: start and end of the left one, then of the right one;
    `places` do so for places in the stream, where these count.
    `keys` are what each side must have in common with the other; the first `per` of them are what the rule is detected
    by. `tie`: of level candidates 1 takes the shorter, -1 the longer, 0 the first in order; or the one that has the
    greatest of `ties`. `candidate` holds for all
    that is chosen from, and `where` for what was chosen. `lag` is how late the end of a pair is complete. Where only
    the best of each key can be taken of what ended long enough ago, `settles` is how long that is. `by_arrival`: events
    of one time come one after the other, and `places` are those of arrivals; `prompt`: what came is in its final order.
    `own` is what each side alone says about what it is chosen by. `follows`: right ones to come start no earlier than
    any left one ended that lasts.
    """

    left: "StageShape"
    right: "StageShape"
    choice: Choice
    tie: int
    ties: tuple[Expr, ...]
    most: Distances
    places: Distances | None
    keys: tuple[tuple[Expr, ...], tuple[Expr, ...]]
    per: int
    candidate: tuple[Expr, ...]
    where: tuple[Expr, ...]
    lag: int | None
    settles: int | None
    by_arrival: bool = False
    prompt: bool = False
    own: tuple[tuple[Expr, ...], tuple[Expr, ...]] = ((), ())
    follows: bool = False


@dataclass(frozen=True, slots=True)
class CombinationShape:
    """All combinations of more than two.

    `most[i][j]` bounds the time from end point i to end point j: start and end of each part in turn; `far` do so for
    places in the stream, where these count. `keys` are what all have in common, by part; the first `per` of them are
    what the rule is detected by. `equal` is what only some must have in common, by part, of which others have nothing.
    """

    parts: tuple["StageShape", ...]
    most: Distances
    far: Distances | None
    keys: tuple[tuple[Expr, ...], ...]
    per: int
    equal: tuple[tuple[tuple[Expr, ...], ...], ...]
    where: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class UnionShape:
    """Every occurrence of every branch."""

    branches: tuple["StageShape", ...]


@dataclass(frozen=True, slots=True)
class SieveShape:
    """What keeps some occurrences of one stage, each as it is."""

    inner: "StageShape"


@dataclass(frozen=True, slots=True)
class FilterShape(SieveShape):
    """The occurrences that stand in a relation and satisfy conditions."""

    relation: Relation
    where: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class AbsenceStageShape(SieveShape):
    """`inner` without those in whose `span` something `absent` stands.

    Of these only such matter as satisfy `where` together with the occurrence. It is certain after the least of
    `certain`, which is never after the end of the occurrence. `expiry` is how long after its start, and after its end,
    an absent one can matter, and `forbidding` how such as all occurrences to come must look at outdo each other; `lag`
    is how late one may come. `by_arrival`: events of one time come one after the other; `at_once`: all that forbids an
    occurrence has come when that is there.
    """

    absent: "StageShape"
    span: Span
    keys: tuple[tuple[Expr, ...], tuple[Expr, ...]]
    per: int
    where: tuple[Expr, ...]
    certain: Offsets
    expiry: tuple[int | None, int | None]
    forbidding: Forbidding | None
    lag: int | None
    by_arrival: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class LatestShape(SieveShape):
    """Of the occurrences that end together under `keys`, the one that started last, certain `lag` after its end."""

    keys: tuple[Expr, ...]
    lag: int | None


@dataclass(frozen=True, slots=True)
class DistinctShape(SieveShape):
    """The first occurrence of each kind under each key: of the same values, or of the same input where `by` is None."""

    keys: tuple[Expr, ...]
    by: tuple[Expr, ...] | None
    lag: int | None


@dataclass(frozen=True, slots=True)
class SuppressShape(SieveShape):
    """Of each key the first occurrence, and then what ends more than `apart` after the last one that passed."""

    keys: tuple[Expr, ...]
    apart: int
    lag: int | None


@dataclass(frozen=True, slots=True)
class SkipShape(SieveShape):
    """Matches in their turn, each that begins where the last one that counted says to go on, or later.

    `to` is that place. Nothing that has its turn before a match is still to come after the least of `limits`, which are
    distances from its start and its end, or so many `records` after its first one; it ends at most `longest` after the
    match. The first `per` of the `keys` are what the rule is detected by. `lag` is how late a match may come.
    """

    to: Expr
    keys: tuple[Expr, ...]
    per: int
    limits: tuple[int | None, int | None]
    records: int | None
    longest: int | None
    lag: int | None


@dataclass(frozen=True, slots=True)
class RepeatShape:
    """Runs of items as groups, called by a `name` of their own.

    `gap[i][j]` bounds the time from end point i to end point j: start and end of an item, then of the next one; they
    satisfy `link`. `grow` bounds how far the start and the end of the last item may be from the start of the first,
    then from its end; `window` holds for whole runs. `gap_places` and `grow_places` do so for places in the stream, and
    are None where these do not count. Nothing can follow after the least of `limits`, which are distances from start
    and end of the last item, then of the first; nor, where there is `far`, so many places after their first and last
    ones. The first `per` of the `keys` are what the rule is detected by. `is_single`: an item is one event, and its
    fields can be compared. `lag` is how late an item may come.
    """

    name: str
    inner: "StageShape"
    greedy: bool
    least: int
    most: int | None
    gap: Distances
    gap_places: Distances | None
    link: tuple[Expr, ...]
    window: Relation
    grow: tuple[int | None, ...]
    grow_places: tuple[int | None, ...] | None
    limits: tuple[int | None, ...]
    far: tuple[int | None, ...] | None
    keys: tuple[Expr, ...]
    per: int
    folds: Mapping[str, Expr]
    is_single: bool
    lag: int | None


@dataclass(frozen=True, slots=True)
class CollectStageShape:
    """Anchors with all their items as a group beside them, called by a `name` of its own.

    `most[i][j]` bounds the time from end point i to end point j: start and end of an anchor, then of an item. They have
    `keys` in common, and together satisfy `where`. All items are there after the least of `certain`; `expiry` is how
    long after its start, and after its end, an item can matter to anchors to come. `lag` is how late one may come.
    """

    name: str
    anchor: "StageShape"
    item: "StageShape"
    most: Distances
    keys: tuple[tuple[Expr, ...], tuple[Expr, ...]]
    per: int
    where: tuple[Expr, ...]
    folds: Mapping[str, Expr]
    certain: Offsets
    expiry: tuple[int | None, int | None]
    lag: int | None


@dataclass(frozen=True, slots=True)
class AutomatonShape:
    """Greedy runs of records through the steps of a chain, as groups of records with the leads beside them.

    `names` are those of the leads, and `told` the variables that somebody reads. Nothing comes of a run any more after
    the least of `limits`, which are distances from start and end of its first record, or so many `places` after it.
    `per` is what the rule is detected by, read from a record. `merges`: of runs that nobody can tell apart any more,
    only the one that began last is kept. `may_be_level`: two runs over the same records can be two occurrences.
    """

    chain: Chain
    names: tuple[str, ...]
    told: tuple[str, ...]
    limits: tuple[int | None, int | None]
    places: int | None
    per: tuple[Expr, ...]
    merges: bool
    may_be_level: bool


StageShape = (
    ScanShape
    | PointShape
    | NeverShape
    | PairShape
    | UnionShape
    | FilterShape
    | AbsenceStageShape
    | LatestShape
    | DistinctShape
    | SuppressShape
    | SkipShape
    | RepeatShape
    | CollectStageShape
    | CombinationShape
    | AutomatonShape
)


@dataclass(frozen=True, slots=True)
class StagedShape:
    """A rule as stages; `repeats`: two matches may be alike in everything.

    `by_arrival`: it asks which of two events of one time came first. `beside_all`: it feeds rules or is
    fed, and one of them looks at given events of every type.
    """

    plan: RulePlan
    root: StageShape
    repeats: bool
    by_arrival: bool
    beside_all: bool = False

    @property
    def looks_at_all(self) -> bool:
        """Must it see given events of every type: to match them, or to count them?"""
        return self.takes_any or self.plan.counts_records

    @property
    def core(self) -> Core:
        return Core.STAGES

    @property
    def takes_any(self) -> bool:
        """Does it look at given events of every type?"""
        return any(not scan.types for scan in scans_of(self.root))


PLACE = "$place"
"""What the group of a run calls its place among those over the same records."""


def key_field(number: int) -> str:
    """Return what a group calls one of the keys that its rule is detected by."""
    return f"$key {number}"


def names_of(shape: StageShape) -> tuple[str, ...]:
    """Return the names of the events of an occurrence, in the order of its parts."""
    match shape:
        case ScanShape(name) | PointShape(name) | RepeatShape(name):
            return (name,)
        case CollectStageShape(name, anchor):
            return (*names_of(anchor), name)
        case AutomatonShape(_, names):
            return (*names, RUN)
        case NeverShape(names):
            return names
        case PairShape(left, right):
            return (*names_of(left), *names_of(right))
        case UnionShape(branches) | CombinationShape(branches):
            return tuple(name for branch in branches for name in names_of(branch))
        case SieveShape(inner):
            return names_of(inner)


def scans_of(shape: StageShape) -> list[ScanShape]:
    """Return all that looks at events."""
    match shape:
        case ScanShape():
            return [shape]
        case PointShape() | NeverShape():
            return []
        case AutomatonShape(chain):
            atoms = [atom for step in chain.steps.values() for atom in (step.lead, step.avoid) if atom is not None]
            return [ScanShape(atom.name, atom.types, atom.where) for atom in atoms]
        case PairShape(left, right):
            return [*scans_of(left), *scans_of(right)]
        case UnionShape(branches) | CombinationShape(branches):
            return [scan for branch in branches for scan in scans_of(branch)]
        case AbsenceStageShape(inner, absent) | CollectStageShape(_, inner, absent):
            return [*scans_of(inner), *scans_of(absent)]
        case SieveShape(inner) | RepeatShape(_, inner):
            return scans_of(inner)


def every(shape: StageShape) -> Iterator[StageShape]:
    """Yield a shape and all that its occurrences are made of."""
    yield shape
    match shape:
        case PairShape(left, right):
            yield from (*every(left), *every(right))
        case UnionShape(branches) | CombinationShape(branches):
            yield from (one for branch in branches for one in every(branch))
        case SieveShape(inner) | RepeatShape(_, inner):
            yield from every(inner)
        case CollectStageShape(_, anchor, item):
            yield from (*every(anchor), *every(item))
