"""The stage of a chain: all records go by its runs in order, and each that is complete becomes a group of records.

A group is what an occurrence is made of. Its leads stand beside it as echoes: they can be read, and are nothing more.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from cepheid.algebra.instances import Instance
from cepheid.analysis.plans.step_limits import last_chance, says_until_when
from cepheid.engine.kernels.automata.automata import automaton_of
from cepheid.engine.kernels.automata.automaton_kernels import (
    ASK,
    ASKED,
    DOUBT,
    GOES_ON,
    IS_BLOCKED,
    MAY_BE_BLOCKED,
    MAY_TAKE,
    NODE,
    STATE,
    STATUS,
    TAKES,
    TOLD,
    ChainFacts,
    Records,
    run_chain,
)
from cepheid.engine.kernels.automata.automaton_log import AutomatonLog
from cepheid.engine.kernels.automata.automaton_places import Looked, Places
from cepheid.engine.kernels.automata.automaton_runs import Runs
from cepheid.engine.kernels.automata.automaton_told import Telling
from cepheid.engine.kernels.columns.column_evaluation import Frame, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of
from cepheid.engine.kernels.columns.exact_numbers import number_of, numbers_of
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.shapes import Part
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED
from cepheid.engine.kernels.plans.pattern_stages import AutomatonShape
from cepheid.engine.kernels.stages.records import news_of, reached_by, records_of
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.occurrences import Occurrences, none_of, together

_NULL, _UNBOUND = -1, -2
_VALUE, COUNTED = "value of", "counted by key"


class AutomatonStage(Stage):
    """A chain at work."""

    def __init__(self, shape: AutomatonShape, context: Context) -> None:
        self.shape, self.context, self.given = shape, context, records_of(context)
        self.automaton = automaton_of(shape)
        self.names = len(shape.names) + 1
        variables, states = len(self.automaton.variables), len(self.automaton.waits)
        most = max(len(step.follow) for step in self.automaton.steps)
        self.log = AutomatonLog(variables, states, max(most, 1))
        self.runs = Runs(self.automaton, self.log, self.given, context.tables.words, context.lookups)
        self.values, self.keys = StageKeys(1, 1, context), StageKeys(len(shape.per), len(shape.per), context)
        self.places = Places(shape)
        self.telling = Telling(shape, self.automaton, self.runs, context)
        self.limits = np.array([UNLIMITED if one is None else one for one in (*shape.limits, shape.places)], np.int64)
        self.hopeless = self._may_become_hopeless()
        self.coded = np.array([name in self.automaton.coded for name in self.automaton.variables], np.bool_)
        self.wanted: Mask = np.any(self.types, axis=0)
        self.asks_alone = any(alone for _, alone in self.automaton.asked)
        self.constant = np.array(self.automaton.conditions.constants, np.float64)
        self._begin()

    def _begin(self) -> None:
        told, words = self.runs.begun.variables, self.context.tables.words
        unbound = _UNBOUND if self.shape.chain.observed is None else _NULL
        numbers = [number_of(told.get(name)) for name in self.automaton.variables]
        codes = [
            int(self.values.space.coded(column_of([told[name]], words), equal=False)[0]) if name in told else unbound
            for name in self.automaton.variables
        ]
        self.log.begin(np.array(numbers), np.array(codes, np.int32))
        self._relink()

    @property
    def trails(self) -> bool:
        return False

    def reached(self, tables: Mapping[int, int]) -> int:
        return reached_by(self.given, tables)

    def found(self, turn: Turn) -> Occurrences:
        first, last = news_of(self.given, turn)
        found = [none_of(self.names)]
        if first < last:
            found += self._take(slice(first - self.given.base, last - self.given.base))
        if self.log.control[DOUBT]:
            self._merge()
        return together(found)

    def _take(self, news: slice) -> list[Occurrences]:
        """Let all runs look at some records, and return those that are complete."""
        kinds, masks = self.given.kinds(news), self.types
        wanted = self.wanted[kinds]
        if not self.places.keyed and not np.count_nonzero(wanted):
            return []
        keys, present, places = self._placed(news)
        if self.asks_alone:
            masks = self._alone(masks[:, kinds], self.runs.frame(news, places))
            wanted, kinds = np.logical_or.reduce(masks, axis=0), np.arange(len(kinds), dtype=kinds.dtype)
        wanted = wanted if present is None else wanted & present
        if np.count_nonzero(wanted) == len(wanted):
            return self._run(Looked(news, kinds, keys, places), masks)
        rows = np.flatnonzero(wanted).astype(np.int32)
        if not len(rows):
            return []
        return self._run(Looked(rows + np.int32(news.start), kinds[rows], keys[rows], places[rows]), masks)

    def _placed(self, news: slice) -> tuple[Data, Mask | None, Data]:
        """Return the key of each record, where there is one, and where it stands."""
        serials = np.arange(news.start + self.given.base, news.stop + self.given.base)
        if not self.shape.per:
            return np.zeros(len(serials), np.int32), None, serials
        part = Part("", frozenset(), None, self.shape.per)
        keys, present = self.keys.space.numbers(part, self.runs.frame(news, serials))
        return keys, present, self.places.of(keys, present) if self.places.keyed else serials

    @cached_property
    def types(self) -> Mask:
        """Return for each lead and avoid which types it asks for, by the codes of these."""
        codes = self.given.types
        found = np.zeros((len(self.automaton.asked), len(codes) + 1), np.bool_)
        for row, (atom, _) in enumerate(self.automaton.asked):
            if atom is not None:
                found[row, [codes[name] for name in atom.types] if atom.types else slice(None)] = True
        return found

    def _alone(self, masks: Mask, frame: Frame) -> Mask:
        """Return which records may satisfy each lead and avoid, by what it asks of them alone."""
        for mask, (_, alone) in zip(masks, self.automaton.asked, strict=True):
            for condition in alone:
                true = where_true(condition, frame)
                mask &= True if true is None else true
        return masks

    def _run(self, looked: Looked, masks: Mask) -> list[Occurrences]:
        log, control, found = self.log, self.log.control, []
        records, places, facts = self._records(looked), looked.places, self._facts(masks)
        kernel, first, last = compiled(run_chain, **self.automaton.texts), 0, len(places)
        while first < last:
            first = kernel(first, last, records, facts, log.state, self.shape.merges, control)
            if first < last and control[STATUS] == ASK:
                record = self.runs.record(int(records.serial[first]), int(places[first]))
                self._answer(record, facts.avoid[:, looked.kinds[first]])
                control[ASKED] = first + 1
                continue
            if control[TOLD]:
                told = log.told[:, : int(control[TOLD])].copy()
                found.append(self.telling.occurrences(told[0], looked.some(told[1])))
                control[TOLD] = 0
            if first < last:
                self._pack(int(records.end[first]), self._places_before(looked.keys[first:], places[first:]))
                log.make_room(last - first)
        return found

    def _records(self, looked: Looked) -> Records:
        """Return what the kernel reads of records: where they are, numbers, numbers of keys, and of which kind."""
        conditions, rows, count = self.automaton.conditions, looked.rows, len(looked.places)
        numbers = [numbers_of(self.runs.column(one, rows, looked.places)) for one in conditions.numbers]
        codes = self._codes(looked)
        self.log.make_room_for_keys(self._listed_keys())
        start, end = self.given.starts(rows), self.given.ends(rows)
        told = (_lines(numbers, count, np.float64), _lines([looked.keys, *codes], count, np.int32))
        return Records(looked.serials(self.given.base), looked.places, start, end, *told, looked.kinds)

    def _codes(self, looked: Looked) -> list[Data]:
        """Return the numbers of keys; those of numbers and texts are the same for an equality and for all else."""
        found, space = list[Data](), self.values.space
        columns: list[Column] = []
        for (one, equal), same in self.automaton.coded_as:
            column = columns[same] if same is not None else self.runs.column(one, looked.rows, looked.places)
            columns.append(column)
            if same is not None and column.kind in (Kind.INT, Kind.TEXT):
                found.append(found[same])
            else:
                found.append(space.coded(column, equal=equal))
        return found

    def _places_before(self, keys: Data, places: Data) -> Data:
        return self.places.before(keys, places) if self.places.keyed else places[:1]

    def _places_now(self) -> Data:
        if not self.places.keyed:
            return np.array([self.given.unseen])
        return self.places.counted[: len(self.keys)]

    def _facts(self, masks: Mask) -> ChainFacts:
        """Return what the kernel knows of the chain; the masks say which records its leads and its avoids may be."""
        automaton, steps = self.automaton, len(self.automaton.steps)
        compared = (self.values.space.whole.spaces, self.constant)
        states = (automaton.state, *automaton.follows, self.limits, automaton.observes, self.coded)
        return ChainFacts(masks[:steps], masks[steps:], *compared, *states)

    def _answer(self, record: Instance, avoid: Mask) -> None:
        """Decide what the kernel could not."""
        seen, entry = self.log.asked(), self.log.entries.entry
        for place in np.flatnonzero((seen[1] == MAY_TAKE) | (seen[1] == MAY_BE_BLOCKED)).tolist():
            node, wait = int(entry[NODE, seen[0, place]]), self.automaton.waits[entry[STATE, seen[0, place]]]
            step = self.automaton.steps[wait.step]
            if seen[1, place] == MAY_TAKE and self.runs.satisfies(step.lead, record, node):
                seen[1, place] = TAKES
                continue
            atom = self.automaton.steps[wait.after].avoid if wait.after >= 0 else None
            blocked = atom is not None and avoid[wait.after] and self.runs.satisfies(atom, record, node)
            seen[1, place] = IS_BLOCKED if blocked else GOES_ON

    def _merge(self) -> None:
        """Of runs that nobody can tell apart keep the one that began last, where numbers could not say so."""
        log = self.log
        log.control[DOUBT] = 0
        listed = log.waiting()
        places = np.stack([log.entries.entry[STATE, listed], log.nodes.code[-1, log.entries.entry[NODE, listed]]])
        for state, key in np.unique(places, axis=1).T.tolist():
            some = listed[(places[0] == state) & (places[1] == key)]
            stay = self.runs.youngest(log.entries.entry[NODE, some].tolist(), state)
            log.entries.entry[STATE, np.delete(some, stay)] = -1
        self._pack(self.frontier, np.zeros(1, np.int64))

    def _may_become_hopeless(self) -> Data:
        """Return the states whose runs only their own conditions can end: no window does."""
        if any(one is not None for one in (*self.shape.limits, self.shape.places)):
            return np.empty(0, np.int32)
        leads = [self.automaton.steps[wait.step].lead for wait in self.automaton.waits]
        return np.array([state for state, lead in enumerate(leads) if says_until_when(lead)], np.int32)

    def _give_up(self, frontier: int, places: Data) -> None:
        """Let runs wait no more whose conditions no record from a time and a place on can satisfy."""
        log = self.log
        listed = log.waiting() if len(self.hopeless) else np.empty(0, np.int32)
        for entry in listed[np.isin(log.entries.entry[STATE, listed], self.hopeless)].tolist():
            wait, node = self.automaton.waits[log.entries.entry[STATE, entry]], int(log.entries.entry[NODE, entry])
            latest = last_chance(self.automaton.steps[wait.step].lead, self.runs.variables(node))
            place = places[log.nodes.code[-1, node] if len(places) > 1 else 0]
            if latest.is_past(frontier, int(place)):
                log.entries.entry[STATE, entry] = -1

    def _pack(self, frontier: int, places: Data) -> None:
        """Forget runs that nothing can come of from a time and a place on, which each key may have of its own."""
        self._give_up(frontier, places)
        self.runs.renumbered(self.log.pack(frontier, places))
        self._relink()

    def _forget_keys(self) -> None:
        """Forget keys that no run has any more."""
        log = self.log
        code = log.nodes.code[:, : log.nodes.top]
        for keys, lines in ((self.values, code[:-1]), (self.keys, code[-1:])):
            there, before = lines >= 0, len(keys)
            used = np.unique(lines[there])
            if keys is self.keys and self.places.read:
                continue
            lines[there] = keys.forgotten(lines[there])
            if keys is self.keys and len(keys) != before:
                self.places.keep_keys(used)
        self._relink()

    def _listed_keys(self) -> int:
        return len(self.keys if self.shape.per else self.values)

    def _relink(self) -> None:
        self.log.relink(self.automaton.state, self._listed_keys())

    def held(self) -> Data:
        self._pack(self.frontier, self._places_now())
        self._forget_keys()
        return self.given.refs(self.log.records())[None, :]

    def live(self) -> int:
        if len(self.hopeless):
            self._pack(self.frontier, self._places_now())
        return self.log.live(self.frontier, self._places_now())

    def written(self) -> dict[str, Entry]:
        counted = {COUNTED: self._places_now()} if self.places.keyed else {}
        return {**self.log.written(), **named(_VALUE, self.values.written()), **self.keys.written(), **counted}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.values.take_up(under(_VALUE, entries))
        self.log.take_up(entries)
        if self.places.keyed:
            self.places.take_up({"counted": entries[COUNTED]})
        self._relink()


def _lines(rows: Sequence[Data], count: int, kind: type) -> Data:
    """Return columns of so many rows as one array."""
    found: Data = np.empty((len(rows), count), kind)
    for number, row in enumerate(rows):
        found[number] = row
    return found
