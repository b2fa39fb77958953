"""Complete runs of a chain as occurrences: those that fit its window and that somebody can tell apart."""

import numpy as np

from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint
from cepheid.engine.kernels.automata.automata import Automaton, is_linear
from cepheid.engine.kernels.automata.automaton_conditions import is_alone
from cepheid.engine.kernels.automata.automaton_kernels import (
    AT,
    COUNT,
    FIRST,
    FROM,
    PARENT,
    SERIAL,
    STEP,
    write_runs,
)
from cepheid.engine.kernels.automata.automaton_runs import Runs
from cepheid.engine.kernels.columns.column_evaluation import variable_field
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of, values_of
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.plans.pattern_stages import PLACE, AutomatonShape, key_field
from cepheid.engine.kernels.plans.run_bounds import standing
from cepheid.engine.kernels.stages.records import Records
from cepheid.engine.kernels.stages.stages import Context, of_event
from cepheid.engine.kernels.tables.event_tables import ECHO, SHIFT, unechoed
from cepheid.engine.kernels.tables.made_tables import GroupTable
from cepheid.engine.kernels.tables.occurrences import Occurrences
from cepheid.events import Value


class Telling:
    """What is told of complete runs: their records and variables in a table, and the last records of their leads."""

    def __init__(self, shape: AutomatonShape, automaton: Automaton, runs: Runs, context: Context) -> None:
        self.shape, self.automaton, self.runs, self.context = shape, automaton, runs, context
        self.nodes, self.given, self.words = runs.log.nodes, runs.given, context.tables.words
        own = [key_field(number) for number in range(len(shape.per))]
        fields = [*map(variable_field, shape.told), *own, *([PLACE] if shape.may_be_level else [])]
        self.table = GroupTable(fields, lines=context.standing.height)
        self.number = context.tables.add(self.table)
        binds = [[name in step.lets for step in automaton.steps] for name in shape.told]
        self.binds = np.array(binds, np.bool_).reshape(len(shape.told), len(automaton.steps))
        self.only_step = [one.index(True) if sum(one) == 1 else None for one in binds]
        self.alone = {
            (name, number): of_event(value, step.lead.name)
            for number, step in enumerate(automaton.steps)
            for name, value in step.lets.items()
            if is_alone(value, step.lead.name)
        }
        self.is_linear = is_linear(shape.chain)
        self.always_fits = all(self._is_limited(one) for one in shape.chain.window)
        self.lead_of = np.array([shape.names.index(step.lead.name) for step in automaton.steps], np.int32)

    def occurrences(self, tips: Rows, rows: Rows) -> Occurrences:
        """Return the occurrences that runs are, given by their last nodes and the rows of their last records."""
        if not self.always_fits:
            kept = np.flatnonzero(self._fitting(tips))
            tips, rows = tips[kept], rows[kept]
        if (which := self._apart(tips)) is not None:
            tips, rows = tips[which], rows[which]
        count, nodes = len(tips), self.nodes
        flat, offsets = np.empty(int(np.add.reduce(nodes.node[COUNT, tips])), np.int64), np.zeros(count + 1, np.int64)
        refs, bound = np.full((len(self.shape.names) + 1, count), -1), np.zeros((len(self.binds), count), np.int32)
        begin, places = np.empty(count, np.int64), np.empty((2, count), np.int64)
        made = (flat, offsets, refs, bound, begin, places)
        compiled(write_runs)(tips, nodes.node, nodes.span, self.lead_of, self.binds, ECHO << SHIFT, *made)
        times, records = (begin, self.given.ends(rows), self.given.known(rows)), Ragged(flat, offsets)
        if isinstance(self.given, Records):
            flat, refs[:-1] = self.given.refs(flat), self._echoes(self.given, refs[:-1])
            places, records = self._standing(self.given, tips), Ragged(flat, offsets)
        said = self._said(tips, bound)
        first, last = self.table.append(times, records, said, self._grounds(records), places, self.words)
        refs[-1] = np.arange(first + (self.number << SHIFT), last + (self.number << SHIFT))
        return Occurrences(*times, refs, said)

    def _echoes(self, given: Records, refs: Data) -> Data:
        """Return the echoes of events in the place of those of records."""
        there = refs >= 0
        refs[there] = given.refs(unechoed(refs[there])) | (ECHO << SHIFT)
        return refs

    def _standing(self, given: Records, tips: Rows) -> Data:
        """Return where runs stand among all records of their key, as groups have it."""
        first, last = (given.places(given.refs(self.nodes.span[serial, tips])[None, :]) for serial in (FIRST, SERIAL))
        return np.stack([first[0], last[1], last[2]])

    def _grounds(self, records: Ragged) -> Ragged | None:
        """Return on which given events runs rest, if that is of interest: records may be what rules emit."""
        if not self.context.evidence or not isinstance(self.given, Records):
            return records if self.context.evidence else None
        groups = len(records.offsets) - 1
        of_records = np.repeat(np.arange(groups), np.diff(records.offsets))
        return self.context.tables.rest_on(records.flat[None, :], of_records, groups)

    def _is_limited(self, one: Difference) -> bool:
        """Say whether no run is complete that is longer than a window allows, which has no other side."""
        ends = one.later.part == "$last" and one.later.edge is Edge.END and one.earlier.part == "$first"
        limit = self.shape.limits[one.earlier.edge is Edge.END]
        limit = self.shape.places if one.earlier.axis is Axis.POSITION else limit
        return ends and one.low is None and one.high is not None and limit is not None and limit <= one.high

    def _fitting(self, tips: Rows) -> Mask:
        """Say which runs stand in the window of the chain."""
        places = {"$first": (FIRST, FROM), "$last": (SERIAL, AT)}

        def moment(endpoint: Endpoint) -> Data:
            serial, place = places[endpoint.part]
            if endpoint.axis is Axis.POSITION:
                found: Data = self.nodes.span[place, tips]
                return found
            serials = self.nodes.span[serial, tips]
            rows = (serials - self.given.base).astype(np.int32)
            return self.given.starts(rows) if endpoint.edge is Edge.START else self.given.ends(rows)

        fit = np.ones(len(tips), np.bool_)
        for one in self.shape.chain.window:
            fit &= standing(one, moment)
        return fit

    def _apart(self, tips: Rows) -> Rows | None:
        """Return which runs are matches of their own: of those that nobody can tell apart, the one that began last.

        None: all of them.
        """
        chain = self.shape.chain
        if len(tips) < 2 or (chain.reads_support and self.is_linear):
            return None
        last = self.nodes.span[SERIAL, tips]
        if not np.count_nonzero(last[1:] == last[:-1]):
            return None
        if chain.reads_support:
            kept, unclear = np.ones(len(tips), np.bool_), self._level(tips)
        else:
            kept, unclear = self._latest(tips)
        for serial in np.unique(last[unclear]).tolist():
            some = np.flatnonzero(last == serial)
            kept[some] = False
            kept[some[self.runs.merged(tips[some])]] = True
        return np.flatnonzero(kept)

    def _latest(self, tips: Rows) -> tuple[Mask, Mask]:
        """Return which of the runs that end together and say the same began last, and where that is not clear."""
        nodes, first = self.nodes, self.nodes.span[FIRST, tips]
        lines, unclear = [nodes.span[SERIAL, tips]], np.zeros(len(tips), np.bool_)
        for place in np.flatnonzero(self.automaton.told):
            if self.automaton.variables[place] in self.automaton.coded:
                lines.append(nodes.code[place, tips].astype(np.int64))
            else:
                values = nodes.value[place, tips] + 0.0
                lines.append(values.view(np.int64))
                unclear |= np.isnan(values)
        _, group = np.unique(np.stack(lines), axis=1, return_inverse=True)
        order = np.lexsort((first, group.reshape(-1)))
        group, begun = group.reshape(-1)[order], first[order]
        is_last = np.append(group[1:] != group[:-1], True)
        kept = np.zeros(len(tips), np.bool_)
        kept[order[is_last]] = True
        level = np.flatnonzero(~is_last[:-1] & (begun[1:] == begun[:-1]))
        unclear[order[level]] = True
        return kept, unclear

    def _level(self, tips: Rows) -> Mask:
        """Say which runs may be over the same records as others."""
        node, span = self.nodes.node, self.nodes.span
        before = node[PARENT, tips]
        lines = [span[SERIAL, tips], span[FIRST, tips], node[COUNT, tips], span[SERIAL, before]]
        _, which, counts = np.unique(np.stack(lines), axis=1, return_inverse=True, return_counts=True)
        found: Mask = counts[which.reshape(-1)] > 1
        return found

    def _said(self, tips: Rows, bound: Data) -> dict[str, Column]:
        told = enumerate(self.shape.told)
        said = {variable_field(name): self._values(number, name, bound[number]) for number, name in told}
        if self.shape.per:
            begun = self._records(tips, FIRST, FROM)
            said |= {key_field(number): self.runs.column(key, *begun) for number, key in enumerate(self.shape.per)}
        return {**said, PLACE: self._places(tips)} if self.shape.may_be_level else said

    def _places(self, tips: Rows) -> Column:
        """Return the place of each run among those over the same records."""
        places = np.zeros(len(tips), np.int64)
        level = np.flatnonzero(self._level(tips)).tolist() if len(tips) else []
        ranked = sorted(level, key=lambda one: self.runs.complete(int(tips[one])).rank)
        places[ranked] = np.arange(len(ranked))
        return Column(Kind.INT, places)

    def _values(self, number: int, name: str, nodes: Rows) -> Column:
        """Return a variable of runs, read where each bound it last."""
        if (only := self.only_step[number]) is not None and np.count_nonzero(nodes) == len(nodes):
            return self._bound(name, only, nodes)
        steps = np.where(nodes > 0, self.nodes.node[STEP, nodes], -1)
        some = np.unique(steps).tolist()
        if len(some) == 1:
            return self._bound(name, some[0], nodes)
        found: list[Value] = [None] * len(nodes)
        for step in some:
            places = np.flatnonzero(steps == step)
            told = values_of(self._bound(name, step, nodes[places]), self.words)
            for place, value in zip(places.tolist(), told, strict=True):
                found[place] = value
        return column_of(found, self.words)

    def _bound(self, name: str, number: int, nodes: Rows) -> Column:
        """Return what a variable is after nodes of one step that binds it, or before all steps."""
        alone = self.alone.get((name, number))
        if alone is None:
            return column_of([self.runs.variables(node).get(name) for node in nodes.tolist()], self.words)
        return self.runs.column(alone, *self._records(nodes, SERIAL, AT))

    def _records(self, nodes: Rows, serial: int, place: int) -> tuple[Rows, Data]:
        """Return the rows of the first or the last records of nodes, and their places."""
        return self.nodes.span[serial, nodes] - self.given.base, self.nodes.span[place, nodes]
