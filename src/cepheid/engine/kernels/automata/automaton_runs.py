"""Runs of a chain as the algebra has them: for what columns and numbers cannot say.

Here variables are Python's own values. They are made for a node when they are asked for, and kept as long as it is.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from cepheid.algebra.chain_semantics import ChainRun, begin, complete_run, merged_runs, take
from cepheid.algebra.evaluation import Scope, holds
from cepheid.algebra.expressions import TYPE, Expr, Field
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Chain
from cepheid.algebra.programs import EVENT, Table
from cepheid.algebra.relations import Axis, Edge, Endpoint
from cepheid.engine.kernels.automata.automata import Automaton
from cepheid.engine.kernels.automata.automaton_kernels import AT, FIRST, PARENT, SERIAL, STEP
from cepheid.engine.kernels.automata.automaton_log import AutomatonLog
from cepheid.engine.kernels.columns.column_evaluation import Frame, column_for
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.stages.records import Recorded
from cepheid.events import Value, values

Variables = Mapping[str, Value]
_ALONE = frozenset({EVENT})


class Runs:
    """The runs of a log, with records from the table of what is given."""

    def __init__(
        self, automaton: Automaton, log: AutomatonLog, given: Recorded, words: Words, tables: Mapping[str, Table]
    ) -> None:
        self.automaton, self.log, self.given, self.words, self.tables = automaton, log, given, words, tables
        self.chain: Chain = automaton.chain
        self.begun: ChainRun = begin(self.chain, tables)
        self.known: dict[int, Variables] = {0: self.begun.variables}

    def renumbered(self, kept: Mask) -> None:
        """Note that some nodes were kept, and have other numbers."""
        new = (np.cumsum(kept) - 1).tolist()
        self.known = {new[node]: some for node, some in self.known.items() if kept[node]}

    def variables(self, node: int) -> Variables:
        """Return the variables after a run took the record of a node."""
        ahead = []
        while node not in self.known:
            ahead.append(node)
            node = int(self.log.nodes.node[PARENT, node])
        found = self.known[node]
        for one in reversed(ahead):
            found = self.known[one] = self._bound(one, found)
        return found

    def _bound(self, node: int, before: Variables) -> Variables:
        step = self.automaton.steps[int(self.log.nodes.node[STEP, node])]
        if not step.lets:
            return before
        record = self.record(int(self.log.nodes.span[SERIAL, node]), int(self.log.nodes.span[AT, node]))
        return take(step, ChainRun((), (), before), record, self.tables).variables

    def record(self, serial: int, place: int) -> Instance:
        """Return a record and where it stands; its serial number stands for its place in the order."""
        row = serial - self.given.base
        fields = self.given.said(row, self.words)
        rows = np.array([row], np.int32)
        start, end = int(self.given.starts(rows)[0]), int(self.given.ends(rows)[0])
        kind = fields.pop(TYPE, None)
        kind = kind if isinstance(kind, str) else None
        return _place(serial).changed(start=start, end=end, low=place, high=place, fields=fields, type=kind)

    def column(self, expression: Expr, rows: Rows | slice, places: Data) -> Column:
        """Return the value of an expression that reads records alone, which stand at these places."""
        if isinstance(expression, Field) and expression.part == EVENT:  # as most are
            return self.given.read(expression.name, rows)
        return column_for(expression, self.frame(rows, places))

    def frame(self, rows: Rows | slice, places: Data) -> Frame:
        """Return what can be read of records alone, which stand at these places."""
        given = self.given

        def read(part: str, name: str) -> Column | None:
            return given.read(name, rows) if part == EVENT else None

        def moment(endpoint: Endpoint) -> Column | None:
            if endpoint.part != EVENT:
                return None
            if endpoint.axis is Axis.POSITION:
                return Column(Kind.INT, places)
            return Column(Kind.INT, given.starts(rows) if endpoint.edge is Edge.START else given.ends(rows))

        return Frame(len(places), self.words, read, moment, _ALONE, self.tables)

    def satisfies(self, atom: Atom, record: Instance, node: int) -> bool:
        """Say whether a record of the right type satisfies an atom under the variables of a run."""
        return holds(atom.where, Scope({atom.name: record}, self.variables(node), self.tables))

    def merged(self, tips: Rows) -> list[int]:
        """Return which of some runs that are complete with one record are matches of their own."""
        complete = [self.complete(int(tip)) for tip in tips]
        kept = {id(one) for one in merged_runs(self.chain, complete)}
        return [place for place, one in enumerate(complete) if id(one) in kept]

    def complete(self, tip: int) -> Instance:
        """Return a complete run, of which nothing counts but its place in the order, and its variables."""
        serials: list[int] = self.log.records_of(np.array([tip], np.int32)).flat.tolist()
        steps, node = [], tip
        while node > 0:
            steps.append(self.automaton.steps[int(self.log.nodes.node[STEP, node])])
            node = int(self.log.nodes.node[PARENT, node])
        leads = tuple(step.lead.name for step in reversed(steps))
        return complete_run(self.chain, ChainRun(tuple(map(_place, serials)), leads, self.variables(tip)))

    def youngest(self, nodes: Sequence[int], state: int) -> list[int]:
        """Return which of the runs in one state stay, where of those that nobody can tell apart the last one does."""
        observed = self.automaton.observes[state]
        names = [name for name, is_seen in zip(self.automaton.variables, observed, strict=True) if is_seen]
        best: dict[object, int] = {}
        for place, node in enumerate(nodes):
            told = self.variables(node)
            key = tuple((name, values.key_of(told.get(name)), self._is_bound(name, told)) for name in names)
            if key not in best or self._age(nodes[best[key]]) < self._age(node):
                best[key] = place
        return sorted(best.values())

    def _is_bound(self, name: str, told: Variables) -> bool:
        return self.chain.observed is None and name in told

    def _age(self, node: int) -> tuple[int, list[int]]:
        serials = self.log.records_of(np.array([node], np.int32)).flat.tolist()
        return int(self.log.nodes.span[FIRST, node]), serials[::-1]


def _place(serial: int) -> Instance:
    return Instance(0, 0, serial, serial, ((serial,),), (serial,), (serial,), serial, frozenset())
