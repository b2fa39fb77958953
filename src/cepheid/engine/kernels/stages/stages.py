"""Stages at work that remember nothing: events, alternatives and filters; and what all stages have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.programs import EVENT, Table
from cepheid.algebra.relations import Edge, Endpoint
from cepheid.algebra.traversal import transform
from cepheid.engine.kernels.columns.column_evaluation import Frame, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.columns.words import KeyMarks
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.plans.pattern_stages import FilterShape, ScanShape, StageShape, UnionShape, names_of
from cepheid.engine.kernels.tables.event_tables import GIVEN, SHIFT, Tables
from cepheid.engine.kernels.tables.given_table import GivenTable
from cepheid.engine.kernels.tables.occurrences import Occurrences, View, none_of, together
from cepheid.engine.kernels.tables.standing import Standing
from cepheid.events import MAX_TIME, MIN_TIME


@dataclass(slots=True)
class Turn:
    """What is new in every table, by serial numbers, and before when nothing more of it will end.

    `lived` is the first and the last end of all that was given.
    """

    reached: dict[int, int]
    lived: tuple[int, int] | None
    news: dict[int, tuple[int, int]]
    scanned: dict[Hashable, Occurrences] = field(default_factory=dict)
    given: Mask | None = None

    def has_any(self, codes: Sequence[int], table: GivenTable) -> bool:
        """Say whether events of some types are among what is new."""
        first, last = self.news[GIVEN]
        if last == first + 1:
            return int(table.log.member[first - table.base]) in codes
        if self.given is None:
            self.given = table.present(first, last)
        return any(code < len(self.given) and self.given[code] for code in codes)


@dataclass(frozen=True, slots=True)
class Context:
    """What the stages of a program share; `sources` are the tables that hold derived events of a type.

    `trailing` are the tables whose events may come after others that end later. `evidence`: it is of interest which
    given events something rests on. `standing` says where occurrences are, where the rule `counts` places; `reads` are
    the types of rules' events that it looks at.
    """

    tables: Tables
    lookups: Mapping[str, Table]
    marks: KeyMarks
    sources: dict[str, tuple[int, ...]]
    trailing: set[int]
    evidence: bool
    standing: Standing
    counts: bool
    reads: frozenset[str] = frozenset()

    def view(self, shape: StageShape) -> View:
        return View(self.tables, self.lookups, names_of(shape), self.standing.places)

    def places_of(self) -> Callable[[Data], Data] | None:
        """Return what says where events are, where places count."""
        return self.standing.places if self.counts else None


class Stage(ABC):
    """A stage at work: each turn it gives the occurrences that are new and certain, in the order of their ends.

    After that nothing it gives ends before its `frontier`. It `trails` if that can be less than what those below have
    reached: what it gives later may then end before what it has given.
    """

    frontier = MIN_TIME

    def turn(self, turn: Turn) -> Occurrences:
        """Take a turn."""
        found = self.found(turn)
        self.frontier = self.reached(turn.reached)
        return found

    @abstractmethod
    def found(self, turn: Turn) -> Occurrences:
        """Return what is new."""

    def reached(self, _: Mapping[int, int]) -> int:
        """Return the frontier of this stage, given that of each table, and those of the stages below."""
        return min(stage.frontier for stage in self.below())

    @property
    def trails(self) -> bool:
        return any(stage.trails for stage in self.below())

    def below(self) -> Sequence["Stage"]:
        """Return the stages that this one reads."""
        return ()

    def every(self) -> Iterator["Stage"]:
        """Yield this stage after all below it."""
        for stage in self.below():
            yield from stage.every()
        yield self

    def held(self) -> Data:
        """Return the references of the events that are needed."""
        return np.zeros((1, 0), np.int64)

    def live(self) -> int:
        """Return how many entries something can still come of."""
        return 0

    def left_ends(self) -> Data:
        """Return the ends of what waits as the left part of pairs to come."""
        return np.zeros(0, np.int64)

    def written(self) -> dict[str, Entry]:
        """Return the state by name, without anything that nothing can come of.

        Who takes it up makes room for as much again. What was written along would be packed only when that is full, and
        never where it is written before.
        """
        return {}

    def take_up(self, entries: Mapping[str, Any]) -> None:  # noqa: B027  # most stages have no state
        """Go on from a state that `written` gave."""


class ScanStage(Stage):
    """The events of some types that satisfy a condition; equal scans are done once in a turn."""

    def __init__(self, shape: ScanShape, context: Context) -> None:
        self.tables, self.lookups = context.tables, context.lookups
        self.where = None if shape.where is None else of_event(shape.where, shape.name)
        types = shape.types or context.reads
        self.same: Hashable = (shape.types, self.where, types)
        self.derived = sorted({one for name in types for one in context.sources.get(name, ())})
        self.codes = [context.tables.given.types[name] for name in sorted(shape.types)]
        self.trailing = not context.trailing.isdisjoint(self.derived)

    @property
    def trails(self) -> bool:
        return self.trailing

    def reached(self, tables: Mapping[int, int]) -> int:
        return min(tables[source] for source in (GIVEN, *self.derived))

    def found(self, turn: Turn) -> Occurrences:
        if self.same not in turn.scanned:
            found = [self._scanned(source, turn) for source in (GIVEN, *self.derived)]
            turn.scanned[self.same] = together(found)
        return turn.scanned[self.same]

    def _scanned(self, source: int, turn: Turn) -> Occurrences:
        first, last = turn.news.get(source, (0, 0))
        if first == last or (source == GIVEN and self.codes and not turn.has_any(self.codes, self.tables.given)):
            return none_of(1)
        table = self.tables[source]
        rows = slice(first - table.base, last - table.base)
        wanted = self._of_types(table, rows) if isinstance(table, GivenTable) else None
        if self.where is not None:
            true = where_true(self.where, self._frame(source, rows))
            wanted = true if wanted is None else wanted if true is None else wanted & true
        kept = np.arange(last - first) if wanted is None else np.flatnonzero(wanted)
        end = table.ends(rows).take(kept)
        start = table.starts(rows).take(kept) if table.lasts else end
        known = table.known(rows).take(kept)
        found = Occurrences(start, end, known, (kept + (first + (source << SHIFT)))[None, :])
        # What a rule that feeds itself emits is in order within each of its rounds.
        in_order = source == GIVEN or not self.trailing or (end[1:] >= end[:-1]).all()
        return found if in_order else found.take(np.argsort(end, kind="stable"))

    def _of_types(self, table: GivenTable, rows: slice) -> Mask | None:
        if not self.codes or (len(table.types) == len(self.codes) and not table.every):
            return None
        members = table.log.member[rows]
        if len(self.codes) == 1 and (members == self.codes[0]).all():
            return None
        return np.isin(members, self.codes)

    def _frame(self, source: int, rows: slice) -> Frame:
        table = self.tables[source]

        def read(part: str, name: str) -> Column | None:
            return self.tables.read_rows(source, name, rows) if part == EVENT else None

        def moment(endpoint: Endpoint) -> Column | None:
            if endpoint.part != EVENT:
                return None
            return Column(Kind.INT, table.starts(rows) if endpoint.edge is Edge.START else table.ends(rows))

        return Frame(rows.stop - rows.start, self.tables.words, read, moment, frozenset({EVENT}), self.lookups)


class NeverStage(Stage):
    """Nothing, of so many names."""

    def __init__(self, names: int) -> None:
        self.names = names

    def reached(self, _: Mapping[int, int]) -> int:
        return MAX_TIME

    def found(self, _: Turn) -> Occurrences:
        return none_of(self.names)


class UnionStage(Stage):
    """Every occurrence of every branch, the parts of the others being none."""

    def __init__(self, shape: UnionShape, branches: Sequence[Stage]) -> None:
        self.branches = branches
        self.widths = [len(names_of(branch)) for branch in shape.branches]

    def below(self) -> Sequence[Stage]:
        return self.branches

    def found(self, turn: Turn) -> Occurrences:
        return together([self._placed(number, branch.turn(turn)) for number, branch in enumerate(self.branches)])

    def _placed(self, number: int, found: Occurrences) -> Occurrences:
        first = sum(self.widths[:number])
        refs = np.full((sum(self.widths), len(found)), -1, np.int64)
        refs[first : first + self.widths[number]] = found.refs
        return replace(found, refs=refs)


class FilterStage(Stage):
    """The occurrences that stand in a relation and satisfy conditions."""

    def __init__(self, shape: FilterShape, inner: Stage, view: View) -> None:
        self.shape, self.inner, self.view = shape, inner, view

    def below(self) -> Sequence[Stage]:
        return (self.inner,)

    def found(self, turn: Turn) -> Occurrences:
        found = self.view.standing(self.inner.turn(turn), self.shape.relation)
        return self.view.satisfying(found, self.shape.where)


def of_event(expression: Expr, name: str) -> Expr:
    """Return an expression over the event of that name as one over any event, whatever it is called."""

    def renamed(node: object) -> object:
        is_own = isinstance(node, Field | Endpoint) and node.part == name
        return replace(node, part=EVENT) if is_own else node  # type: ignore[type-var]  # such a node

    return transform(expression, renamed)
