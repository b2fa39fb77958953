"""The door for Arrow: record batches in, record batches of matches out.

Matches have a rule, a start and an end in ticks, the frontier at which they were certain, the values that their rules
tell, and, if that is asked for, the ids of the events they rest on.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.analysis import Plan
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine.kernels.columns.batches import ArrowNames, batch_of_arrow
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of, nulls, values_of
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.compiled import is_available
from cepheid.engine.kernels.emitting.match_arrays import array_of, ids_as_arrow, lists_as_arrow, whole_numbers
from cepheid.engine.kernels.intake.admission import check_reach
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.rules.rule_shapes import shapes_of
from cepheid.engine.kernels.sequences.matches_found import MatchColumns
from cepheid.engine.kernels.sequences.single_push import SingleKernel, SingleMatch, can_push_singly
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.events import MAX_TIME, Arrival

Table = Any  # pyarrow has no types: a RecordBatch


class KernelDetector:
    """A plan at work on Arrow; all its rules must have a shape, which `shapes_of` says.

    Events without an id column are called by their position, from `position` on. `state` is what `snapshot` gave.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        state: bytes | None = None,
        evidence: bool = True,
        disorder: int = 0,
        columns: ArrowNames | None = None,
        identified: bool = False,
        position: int = 1,
    ) -> None:
        demand_shapes(plan)
        self.run = KernelRun(plan, disorder=disorder, identified=identified, evidence=evidence, state=state)
        self.columns = columns or ArrowNames()
        self.evidence = evidence
        self.fields = tuple(dict.fromkeys(name for rule in plan.rules for name in rule.rule.fields))
        self._first = position
        self._singles: list[SingleKernel] = []
        self._zeros = pa.array(np.zeros(0, np.int32))
        self._offsets: dict[int, Any] = {}  # arrays of Arrow, by the length of evidence

    def push_batch(self, batch: Table) -> Table:
        """Take in the events of a record batch, and return the matches that are certain now."""
        return self._merged(list(self.chunks(batch)))

    def chunks(self, batch: Table) -> Iterator[Table]:
        """Take in the events of a record batch, and yield the matches as they are listed; all must be asked for."""
        if self.run is not (run := self.run.with_few_words()):
            self.run, self._singles = run, []
        position = self._first + sum(self.run.admission.arrivals.counts.values())
        return map(self._batch, self.run.push(batch_of_arrow(batch, self.columns, self.run.words, position)))

    def push(self, event: Mapping[str, Any]) -> list[SingleMatch]:  # values of any kind
        """Take in one event, whose time is in ticks, and return the matches that are certain now.

        A query with folds or families, and events that may come late or have ids of their own, come in batches only.
        """
        admission = self.run.admission
        name, time = event[self.columns.type], event[self.columns.time]
        counts = admission.arrivals.counts
        if time < admission.frontier:
            counts[Arrival.LATE] += 1
            return []
        check_reach(time, time)
        event_id = self._first + sum(counts.values())
        counts[Arrival.IN_TIME] += 1
        if time > admission.latest:
            admission.latest = time
            admission.arrivals.bound = time
        singles = self._singles or self._made_singles()
        if len(singles) == 1:
            return singles[0].push(name, time, event_id, event)
        return [match for one in singles for match in one.push(name, time, event_id, event)]

    def _made_singles(self) -> list[SingleKernel]:
        if self.run.admission.allowed or self.run.admission.arrivals.identified or self.columns.id is not None:
            raise _not_singly("events may come out of order, or again")
        if self.run.chains or not all(can_push_singly(kernel) for kernel in self.run.kernels):
            raise _not_singly("it has folds, rules of one shape, or events that last")
        self._singles = [SingleKernel(kernel) for kernel in self.run.kernels]
        return self._singles

    def advance(self, time: int) -> Table:
        """Promise that every event still to come ends at `time` or later; return what becomes certain by that."""
        return self._merged([self._batch(one) for one in self.run.advance(time)])

    def close(self) -> Table:
        """End the input, and return what was still waiting."""
        return self._merged([self._batch(one) for one in self.run.close()])

    def snapshot(self) -> bytes:
        """Return the whole state."""
        self._singles = []  # keys may be numbered anew
        return self.run.snapshot()

    @property
    def frontier(self) -> int:
        return self.run.frontier

    @property
    def counts(self) -> dict[Arrival, int]:
        """How many events were in time, late and duplicate; `run.accepted` has those of the last batch."""
        return dict(self.run.admission.arrivals.counts)

    def _merged(self, told: Sequence[Table]) -> Table:
        if len(told) == 1:
            return told[0]
        if not told:
            return self._batch_of_nothing()
        tables = [pa.Table.from_batches([one]) for one in told]
        return pa.concat_tables(tables, promote_options="permissive").combine_chunks().to_batches()[0]

    def _batch(self, found: MatchColumns | ChainMatches) -> Table:
        rule = pa.DictionaryArray.from_arrays(self._which(found), _as_words(tuple(found.rules)), safe=False)
        arrays = [rule, found.start, found.end, _told_when(found) if isinstance(found, ChainMatches) else found.known]
        names = ["rule", "start", "end", "known"]
        if self.evidence:
            arrays.append(
                lists_as_arrow(found.evidence()) if isinstance(found, ChainMatches) else self._evidence(found)
            )
            names.append("evidence")
        for name in self.fields:
            arrays.append(_array(found.values.get(name) or nulls(len(found)), self.run.words))
            names.append(name)
        return pa.RecordBatch.from_arrays(
            [whole_numbers(one) if isinstance(one, np.ndarray) else one for one in arrays], names
        )

    def _which(self, found: MatchColumns | ChainMatches) -> Any:  # a pyarrow.Array
        if isinstance(found, MatchColumns) and found.which is not None:
            return pa.array(found.which)
        if len(self._zeros) < len(found):
            self._zeros = pa.array(np.zeros(len(found), np.int32))
        return self._zeros.slice(0, len(found))

    def _evidence(self, found: MatchColumns | ChainMatches) -> Any:  # a pyarrow.ListArray
        if isinstance(found, ChainMatches):
            return lists_as_arrow(found.evidence())
        if found.items is not None:
            return lists_as_arrow(found.items.rests_on)
        assert found.ids is not None
        ids = found.ids
        count, width = ids.shape
        if len(self._offsets.get(width, ())) <= count:
            self._offsets[width] = pa.array(np.arange(0, (2 * count + 1) * width, width, dtype=np.int32))
        return pa.ListArray.from_arrays(self._offsets[width].slice(0, count + 1), ids_as_arrow(ids.reshape(-1)))

    def _batch_of_nothing(self) -> Table:
        times = [pa.array([], pa.int64())] * 3
        arrays = [pa.DictionaryArray.from_arrays(np.zeros(0, np.int32), [""]), *times]
        names = ["rule", "start", "end", "known"]
        if self.evidence:
            arrays.append(pa.array([], pa.list_(pa.int64())))
            names.append("evidence")
        arrays += [pa.nulls(0)] * len(self.fields)
        return pa.RecordBatch.from_arrays(arrays, [*names, *self.fields])


def _told_when(found: ChainMatches) -> Any:  # a pyarrow.Array
    """Return when matches were certain; null: only because the input ended."""
    return pa.array(found.known, mask=found.known == MAX_TIME)


@lru_cache(maxsize=128)
def _as_words(names: tuple[str, ...]) -> Any:  # a pyarrow.Array
    return pa.array(names)


def demand_shapes(plan: Plan, call: str = "run") -> None:
    """Refuse a plan that kernels cannot run, and say why."""
    reasons = [one for one in shapes_of(plan) if isinstance(one, str)]
    if plan.program.pipes:
        reasons.append("it has pipes")
    if any(stream.sources for stream in plan.program.streams):
        reasons.append("it reads several sources")
    if not is_available():
        reasons.append("Numba is not installed")
    if reasons:
        raise no_kernel(reasons[0], call)


_ANY_ENGINE = {
    "run": 'query.run(events, engine="auto")',
    "detector": 'query.detector(engine="auto")',
    "detect": 'detect(events, query, engine="auto")',
}


def no_kernel(reason: str, call: str = "run") -> CepheidError:
    """Return the refusal of a query that is to run in kernels, and cannot; `call` is how it was asked for."""
    message = f"there is no compiled kernel for this query: {reason}"
    return CepheidError(Diagnostic("no-kernel", message, hints=(_ANY_ENGINE[call],)))


def _not_singly(reason: str) -> CepheidError:
    message = f"this query takes events in batches only: {reason}"
    return CepheidError(Diagnostic("no-kernel", message, hints=("push_batch(pa.RecordBatch.from_pylist([event]))",)))


def _array(column: Column, words: Words) -> Any:  # a pyarrow.Array
    """Return a column of values as Arrow has them; those that were of several kinds may be of one now."""
    told = column_of(values_of(column, words), words) if column.kind is Kind.OBJECT else column
    return array_of(told, told.kind, words)
