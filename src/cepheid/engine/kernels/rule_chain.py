"""Rules that feed rules, at work on columns: each after those whose events it reads, all of them up to one frontier.

Without disorder events are seen as they come, and only a choice waits for its instant; otherwise they are put in order
first. Every stage says before when nothing more that it gives will end, and so does every rule of its events.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cepheid.algebra.expressions import Field
from cepheid.algebra.programs import Table
from cepheid.algebra.traversal import walk
from cepheid.engine.kernels.absence_stage import AbsenceStage
from cepheid.engine.kernels.automaton_stage import AutomatonStage
from cepheid.engine.kernels.batches import Batch
from cepheid.engine.kernels.chain_matches import ChainMatches, chain_matches, emit
from cepheid.engine.kernels.collect_stage import CollectStage
from cepheid.engine.kernels.combination_stage import CombinationStage
from cepheid.engine.kernels.compiled import compiled
from cepheid.engine.kernels.event_tables import GIVEN, SHIFT, GivenTable, Tables
from cepheid.engine.kernels.instant_stages import DistinctStage, LatestStage, TogetherStage
from cepheid.engine.kernels.made_tables import DerivedTable
from cepheid.engine.kernels.matches_found import is_whole
from cepheid.engine.kernels.occurrences import View
from cepheid.engine.kernels.pair_stage import PairStage
from cepheid.engine.kernels.pattern_stages import (
    AbsenceStageShape,
    AutomatonShape,
    CollectStageShape,
    CombinationShape,
    DistinctShape,
    FilterShape,
    LatestShape,
    NeverShape,
    PairShape,
    PointShape,
    RepeatShape,
    ScanShape,
    StagedShape,
    StageShape,
    UnionShape,
    comes_apart,
    scans_of,
)
from cepheid.engine.kernels.point_stage import PointStage
from cepheid.engine.kernels.repeat_stage import RepeatStage
from cepheid.engine.kernels.stage_sources import LEAST
from cepheid.engine.kernels.stages import Context, FilterStage, NeverStage, ScanStage, Stage, Turn, UnionStage
from cepheid.engine.kernels.words import KeyMarks, Words
from cepheid.events import MAX_TIME, MIN_TIME

_NOBODY = 1 << 62


@dataclass(frozen=True, slots=True)
class ChainRule:
    """A rule at work: its outermost stage, and the number of the table of its events, if others read them."""

    shape: StagedShape
    stage: Stage
    view: View
    number: int | None

    @property
    def reached(self) -> int:
        """Before when none of its events that is still to come ends."""
        least, trails = self.stage.frontier, self.shape.plan.trails
        if is_whole(self.shape.plan.rule) or least == MAX_TIME:
            return least
        return MIN_TIME if trails is None else max(least - trails, MIN_TIME)

    def live(self) -> int:
        """Return how many entries something can still come of."""
        return sum(stage.live() for stage in self.stage.every())


class RuleChain:
    """Rules in the order in which they feed each other; `every`: they see all events, and with `counts` in order."""

    def __init__(
        self,
        shapes: Sequence[StagedShape],
        words: Words,
        marks: KeyMarks,
        lookups: Mapping[str, Table],
        *,
        lasts: bool,
        sorts: bool,
        evidence: bool,
        every: bool = False,
        counts: bool = False,
    ) -> None:
        self.words, self.sorts = words, sorts
        self.lived: tuple[int, int] | None = None  # the first and the last end of all that was given
        given = GivenTable(_types(shapes), _fields(shapes), last=lasts, every=every or counts, counts=counts)
        self.tables = Tables(given, words)
        sources: dict[str, tuple[int, ...]] = {}
        context = Context(self.tables, lookups, marks, sources, set(), evidence)
        self.evidence = evidence
        self.rules: list[ChainRule] = []
        for shape in shapes:
            stage, emits, number = root_of(shape, context), shape.plan.rule.emits, None
            if emits in self.tables.given.types:
                number = self.tables.add(DerivedTable(shape))
                sources[emits] = (*sources.get(emits, ()), number)
                if stage.trails or not is_whole(shape.plan.rule):
                    context.trailing.add(number)
            self.rules.append(ChainRule(shape, stage, context.view(shape.root), number))

    def take(self, batch: Batch) -> None:
        """Take in the events of a batch that are of use."""
        if len(batch):
            ends = (int(batch.times.min()), int(batch.times.max()))
            self.lived = ends if self.lived is None else (min(ends[0], self.lived[0]), max(ends[1], self.lived[1]))
        log = self.tables.given.log
        if log.top + len(batch) > log.room:
            self.forget(len(batch))
        self.tables.given.append(batch, self.words, sorts=self.sorts)

    def certain(self, frontier: int) -> Iterator[ChainMatches]:
        """Yield the matches that are certain now and were not before."""
        turn = Turn({GIVEN: frontier}, self.lived, {GIVEN: self.tables.given.news(frontier if self.sorts else None)})
        for rule in self.rules:
            occurred = rule.stage.turn(turn)
            if rule.number is not None:
                turn.reached[rule.number] = rule.reached
            if not len(occurred):
                continue
            found = chain_matches(rule.shape, occurred, rule.view, evidence=self.evidence)
            if rule.shape.repeats:
                found = replace(found, ordinals=found.alike())
            if rule.number is not None:
                table = self.tables[rule.number]
                assert isinstance(table, DerivedTable)
                first, last = emit(found, table)
                turn.news[rule.number] = (first, last)
                found = replace(found, first=(rule.number << SHIFT) + first)
            if len(found):
                yield found

    def settle(self, frontier: int) -> None:
        """Let all stages know what had been reached when their state was written."""
        reached = {GIVEN: frontier}
        for rule in self.rules:
            for stage in rule.stage.every():
                stage.frontier = stage.reached(reached)
            if rule.number is not None:
                reached[rule.number] = rule.reached

    def forget(self, count: int = 0) -> None:
        """Forget the events that nothing can come of any more, and make room for some that are given."""
        least = np.full(len(self.tables.made) + 1, _NOBODY, np.int64)
        for rule in self.rules:
            for stage in rule.stage.every():
                refs = stage.held()
                compiled(LEAST)(np.ascontiguousarray(refs), 0, refs.shape[1], least)
        for number, table in reversed([*enumerate(self.tables.made, 1)]):
            table.drop(int(least[number]))
            refs = table.references()[None, :]
            compiled(LEAST)(np.ascontiguousarray(refs), 0, refs.shape[1], least)
        self.tables.given.drop(int(least[GIVEN]), count)


def _types(shapes: Sequence[StagedShape]) -> set[str]:
    return {name for shape in shapes for scan in scans_of(shape.root) for name in scan.types}


def _fields(shapes: Sequence[StagedShape]) -> set[str]:
    """Return all fields that somebody reads."""
    return {node.name for shape in shapes for node in walk(shape.plan.rule) if isinstance(node, Field)}


def root_of(shape: StagedShape, context: Context) -> Stage:
    """Return the outermost stage of a rule at work; where some of what is alike comes later, it is told together."""
    stage = stage_of(shape.root, context)
    return TogetherStage(shape.root, stage, context) if shape.repeats and comes_apart(shape.root) else stage


def stage_of(shape: StageShape, context: Context) -> Stage:
    """Return a stage at work, with all stages below it."""
    match shape:
        case ScanShape():
            return ScanStage(shape, context)
        case PointShape():
            return PointStage(shape, context)
        case AutomatonShape():
            return AutomatonStage(shape, context)
        case NeverShape(names):
            return NeverStage(len(names))
        case PairShape(left, right):
            return PairStage(shape, stage_of(left, context), stage_of(right, context), context)
        case CombinationShape(parts):
            return CombinationStage(shape, [stage_of(part, context) for part in parts], context)
        case UnionShape(branches):
            return UnionStage(shape, [stage_of(branch, context) for branch in branches])
        case FilterShape(inner):
            return FilterStage(shape, stage_of(inner, context), context.view(inner))
        case AbsenceStageShape(inner, absent):
            return AbsenceStage(shape, stage_of(inner, context), stage_of(absent, context), context)
        case LatestShape(inner):
            return LatestStage(shape, stage_of(inner, context), context)
        case DistinctShape(inner):
            return DistinctStage(shape, stage_of(inner, context), context)
        case RepeatShape(_, inner):
            return RepeatStage(shape, stage_of(inner, context), context)
        case CollectStageShape(_, anchor, item):
            return CollectStage(shape, stage_of(anchor, context), stage_of(item, context), context)
