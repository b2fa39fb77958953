"""Rules that feed rules, at work on columns: each after those whose events it reads, all of them up to one frontier.

Without disorder events are seen as they come, and only a choice waits for its instant; otherwise they are put in order
first. Every stage says before when nothing more that it gives will end, and so does every rule of its events.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cepheid.algebra.expressions import Field
from cepheid.algebra.programs import Table
from cepheid.algebra.strata import feeds_itself, strata
from cepheid.algebra.traversal import walk
from cepheid.engine.kernels.automata.automaton_stage import AutomatonStage
from cepheid.engine.kernels.columns.batches import Batch
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.facts.shapes import is_whole
from cepheid.engine.kernels.joins.combination_stage import CombinationStage
from cepheid.engine.kernels.joins.pair_stage import PairStage
from cepheid.engine.kernels.plans.coming_apart import comes_apart
from cepheid.engine.kernels.plans.pattern_stages import (
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
    SkipShape,
    StagedShape,
    StageShape,
    SuppressShape,
    UnionShape,
    scans_of,
)
from cepheid.engine.kernels.runs.repeat_stage import RepeatStage
from cepheid.engine.kernels.stages.absence_stage import AbsenceStage
from cepheid.engine.kernels.stages.collect_stage import CollectStage
from cepheid.engine.kernels.stages.instant_stages import DistinctStage, LatestStage, SuppressStage, TogetherStage
from cepheid.engine.kernels.stages.point_stage import PointStage
from cepheid.engine.kernels.stages.records import Records, RecordStage
from cepheid.engine.kernels.stages.skip_stage import SkipStage
from cepheid.engine.kernels.stages.stages import Context, FilterStage, NeverStage, ScanStage, Stage, Turn, UnionStage
from cepheid.engine.kernels.tables.chain_matches import ChainMatches, chain_matches, emit
from cepheid.engine.kernels.tables.event_tables import GIVEN, SHIFT, Tables
from cepheid.engine.kernels.tables.evidence_kernels import note_least
from cepheid.engine.kernels.tables.given_table import GivenTable
from cepheid.engine.kernels.tables.made_tables import DerivedTable
from cepheid.engine.kernels.tables.occurrences import View
from cepheid.engine.kernels.tables.standing import Serials, Standing
from cepheid.events import MAX_TIME, MIN_TIME

_NOBODY = 1 << 62


@dataclass(frozen=True, slots=True)
class ChainRule:
    """A rule at work: its outermost stage, and the number of the table of its events, if others read them."""

    shape: StagedShape
    stage: Stage
    view: View
    number: int | None
    standing: Standing

    @property
    def records(self) -> Records | None:
        """The records of the rule, where they have an order of their own."""
        return self.standing if isinstance(self.standing, Records) else None

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
    """Rules in the order in which they feed each other; `every`: they see all events, and with `counts` in order.

    `prompt`: an event is in order as soon as it arrives, unless its columns order it otherwise.
    """

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
        prompt: bool = False,
    ) -> None:
        self.words, self.sorts, self.placed = words, sorts, any(shape.by_arrival for shape in shapes)
        self.lived: tuple[int, int] | None = None  # the first and the last end of all that was given
        seen = (_types(shapes), _fields(shapes))
        given = GivenTable(*seen, last=lasts, every=every or counts, counts=counts, prompt=prompt)
        self.tables = Tables(given, words)
        context = Context(self.tables, lookups, marks, {}, set(), evidence, Serials(self.tables), counts)
        self.context, self.evidence = context, evidence
        self.groups = [self._group(group) for group in _groups(shapes)]

    @property
    def rules(self) -> list[ChainRule]:
        return [rule for group in self.groups for rule in group.rules]

    def _group(self, shapes: Sequence[StagedShape]) -> "Group":
        """Return rules at work that feed each other, or one that feeds only others."""
        is_recursive = feeds_itself([shape.plan.rule for shape in shapes])
        numbers = [self._table(shape, trails=True) for shape in shapes] if is_recursive else []
        rules = []
        for place, shape in enumerate(shapes):
            context = self._context(shape)
            stage = root_of(shape, context)
            trails = stage.trails or not is_whole(shape.plan.rule)
            number = numbers[place] if is_recursive else self._table(shape, trails=trails)
            rules.append(ChainRule(shape, stage, context.view(shape.root), number, context.standing))
        return Group(tuple(rules), is_recursive)

    def _context(self, shape: StagedShape) -> Context:
        """Return what the stages of a rule share, with records of its own where serial numbers are no places."""
        context = replace(self.context, reads=shape.plan.reads_derived)
        plan = shape.plan
        if not plan.counts_records or (self.context.counts and not plan.rule.per):
            return context
        return replace(context, standing=Records(plan, context), counts=True)

    def _table(self, shape: StagedShape, *, trails: bool) -> int | None:
        """Return the number of a new table for what a rule emits, if others read it."""
        emits, sources = shape.plan.rule.emits, self.context.sources
        if emits not in self.tables.given.types:
            return None
        number = self.tables.add(DerivedTable(shape, placed=self.placed))
        sources[emits] = (*sources.get(emits, ()), number)
        if trails:
            self.context.trailing.add(number)
        return number

    def take(self, batch: Batch) -> None:
        """Take in the events of a batch that are of use."""
        self.sorts = self.sorts or (self.tables.given.prompt and batch.ties is not None)
        if len(batch):
            times = batch.times
            ends = (times[0], times[-1]) if batch.in_order else (times.min(), times.max())
            first, last = int(ends[0]), int(ends[1])
            self.lived = (first, last) if self.lived is None else (min(first, self.lived[0]), max(last, self.lived[1]))
        log = self.tables.given.log
        if log.top + len(batch) > log.room:
            self.forget(len(batch))
        self.tables.given.append(batch, self.words, sorts=self.sorts)

    def certain(self, frontier: int) -> Iterator[ChainMatches]:
        """Yield the matches that are certain now and were not before."""
        turn = Turn({GIVEN: frontier}, self.lived, {GIVEN: self.tables.given.news(frontier if self.sorts else None)})
        for group in self.groups:
            if group.is_recursive:
                yield from self._rounds(group, turn)
            else:
                yield from self._told(group.rules[0], turn)

    def _told(self, rule: ChainRule, turn: Turn) -> Iterator[ChainMatches]:
        """Let a rule take a turn, and yield its matches; if others read them, they are among the news of the turn."""
        occurred = rule.stage.turn(turn)
        if rule.number is not None:
            turn.reached[rule.number] = rule.reached
        if not len(occurred):
            return
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

    def _rounds(self, group: "Group", turn: Turn) -> Iterator[ChainMatches]:
        """Let rules that feed themselves take turns until nothing is new, each with what the round before found.

        Meanwhile what they emit has reached no more than before; after that, all of it is there.
        """
        numbers, told = group.numbers, dict[int, list[tuple[int, int]]]()
        before = {rule.number: rule.reached for rule in group.rules if rule.number is not None}
        once = Turn({**turn.reached, **before}, turn.lived, dict(turn.news))
        while once.news:
            news: dict[int, tuple[int, int]] = {}
            for rule in group.rules:
                own = Turn(dict(once.reached), once.lived, dict(once.news), once.scanned, once.given)
                yield from self._told(rule, own)
                if rule.number is not None and own.news.get(rule.number) != once.news.get(rule.number):
                    news[rule.number] = own.news[rule.number]
                    told.setdefault(rule.number, []).append(own.news[rule.number])
            once = Turn(once.reached, once.lived, news)
        turn.news |= {number: (some[0][0], some[-1][1]) for number, some in told.items()}
        turn.reached |= dict.fromkeys(numbers, group.reached(turn.reached))
        for rule in group.rules:
            rule.stage.turn(Turn(turn.reached, turn.lived, {GIVEN: (0, 0)}))

    def settle(self, frontier: int) -> None:
        """Let all stages know what had been reached when their state was written."""
        reached = {GIVEN: frontier}
        for group in self.groups:
            if group.is_recursive:
                reached |= dict.fromkeys(group.numbers, group.reached(reached))
            for rule in group.rules:
                for stage in rule.stage.every():
                    stage.frontier = stage.reached(reached)
                if rule.number is not None:
                    reached[rule.number] = rule.reached

    def forget(self, count: int = 0) -> None:
        """Forget the events that nothing can come of any more, and make room for some that are given."""
        least = np.full(len(self.tables.made) + 1, _NOBODY, np.int64)
        for rule in self.rules:
            waiting = [] if rule.records is None else [rule.records.waiting.refs]
            for refs in (*(stage.held() for stage in rule.stage.every()), *waiting):
                compiled(note_least)(np.ascontiguousarray(refs), 0, refs.shape[1], least)
        before = None
        while before is None or (least < before).any():
            before = least.copy()
            for number, table in reversed([*enumerate(self.tables.made, 1)]):
                refs = table.references(int(least[number]))[None, :]
                compiled(note_least)(np.ascontiguousarray(refs), 0, refs.shape[1], least)
        for rule in self.rules:
            if rule.records is not None:
                rule.records.drop(least)
        for number, table in enumerate(self.tables.made, 1):
            table.drop(int(least[number]))
        self.tables.given.drop(int(least[GIVEN]), count)


@dataclass(frozen=True, slots=True)
class Group:
    """Rules that feed each other, or one that does not feed itself."""

    rules: tuple[ChainRule, ...]
    is_recursive: bool

    @property
    def numbers(self) -> list[int]:
        """The tables of what they emit."""
        return [rule.number for rule in self.rules if rule.number is not None]

    def reached(self, tables: Mapping[int, int]) -> int:
        """Return before when nothing that they emit will end, given that for all else that they read."""
        own, stages = self.numbers, (stage for rule in self.rules for stage in rule.stage.every())
        scans = [stage for stage in stages if isinstance(stage, ScanStage)]
        return min(tables[source] for scan in scans for source in (GIVEN, *scan.derived) if source not in own)


def _groups(shapes: Sequence[StagedShape]) -> list[list[StagedShape]]:
    """Return rules in the order in which they feed each other, those that feed themselves together."""
    by_name = {shape.plan.rule.name: shape for shape in shapes}
    return [[by_name[rule.name] for rule in group] for group in strata([shape.plan.rule for shape in shapes])]


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
            records = context.standing
            return RecordStage(shape, records, context) if isinstance(records, Records) else ScanStage(shape, context)
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
        case SuppressShape(inner):
            return SuppressStage(shape, stage_of(inner, context), context)
        case SkipShape(inner):
            return SkipStage(shape, stage_of(inner, context), context)
        case RepeatShape(_, inner):
            return RepeatStage(shape, stage_of(inner, context), context)
        case CollectStageShape(_, anchor, item):
            return CollectStage(shape, stage_of(anchor, context), stage_of(item, context), context)
