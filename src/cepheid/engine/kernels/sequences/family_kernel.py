"""A family of rules at work in one kernel: each event is looked at once, by all rules that have a part for it."""

from collections.abc import Mapping

import numpy as np

from cepheid.algebra.programs import Table
from cepheid.engine.kernels.columns.batches import Batch
from cepheid.engine.kernels.columns.column_evaluation import Frame, where_true
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.facts.families import Family, routes_of
from cepheid.engine.kernels.intake.event_log import EventLog
from cepheid.engine.kernels.intake.plain_intake import PlainIntake
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel, gaps_of, only_part


class FamilyKernel(RuleKernel):
    """The rules of a family; what an event can be is its type, and routes lead from there to the rules."""

    def __init__(
        self, family: Family, words: Words, marks: KeyMarks, tables: Mapping[str, Table], most: int | None = None
    ) -> None:
        self.routes = routes_of(family)
        self.lanes = len(family.members)
        super().__init__(family, words, marks, tables, most)
        log = self.log
        self.log = EventLog(sorted(log.fields), len(log.key), log.compared, len(self.routes.conditions), self.pool)
        self.intake = PlainIntake(family.shape, self.keys, words, conditions=True)

    def membership(self, name: str | None) -> int:
        """Return the class of events of a type."""
        return 0 if name is None else self.routes.classes.get(name, 0)

    def _constants(self) -> list[Data]:
        return [np.stack([gaps_of(member) for member in self.family.members])]

    def _arguments(self) -> list[Data]:
        routes = self.routes
        return [*super()._arguments(), self.log.truth, routes.first, routes.queries, routes.condition]

    def _append(self, batch: Batch, rows: Rows, members: Data, frame: Frame) -> Rows:
        keys = np.zeros((1, len(rows)), np.int32)
        part = self.shape.parts[0]
        keys[0], present = self.keys.numbers(part, frame)
        if present is not None and not present.all():
            used = np.flatnonzero(present)
            rows, members, keys = rows[used], members[used], keys[:, used]
        self.log.append(batch, rows, members, keys, self.words)
        return rows

    def _judge(self, batch: Batch, rows: Rows, first: int) -> None:
        for number, (owner, condition) in enumerate(self.routes.conditions):
            true = where_true(condition, only_part(self._frame(batch, rows), owner))
            self.log.truth[number, first : self.log.top] = True if true is None else true


def kernel_of(
    family: Family, words: Words, marks: KeyMarks, tables: Mapping[str, Table], most: int | None = None
) -> RuleKernel:
    """Return a family at work, also where it is one rule; `most` is how many rows it holds at most, if known."""
    kind = FamilyKernel if len(family.members) > 1 else RuleKernel
    return kind(family, words, marks, tables, most)
