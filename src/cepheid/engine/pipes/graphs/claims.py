"""How verdicts on formulas run: what a formula still demands is kept, once for all positions that demand the same."""

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Around, Column, Stepwise, runs
from cepheid.engine.pipes.obligations import Obligations, Rest
from cepheid.palettes.temporal.claims import Knowledge, Verdict, scope_of


@runs(Knowledge)
class RunningKnowledge(Stepwise):
    """What the formula still demands of the values to come."""

    def __init__(self, operation: Knowledge, around: Around) -> None:
        self.around = around
        self.obligations = Obligations(operation.formula)

    def step(self, *front: Thing) -> Column:
        if self.obligations.known is None:
            self.obligations.take(front[0], scope_of(self.around.names()))
        return [self.obligations.known]

    def held(self) -> int:
        return len(self.obligations)

    def state(self) -> Thing:
        return self.obligations.state()

    def restore(self, state: Thing) -> None:
        self.obligations.rest = None
        self.obligations.restore(state)


@runs(Verdict)
class RunningVerdict(Stepwise):
    """What the formula still demands, for each position from the first open one on."""

    def __init__(self, operation: Verdict, around: Around) -> None:
        self.around = around
        self.obligations = Obligations(operation.formula)
        self.open: list[Rest | None] = []

    def step(self, *front: Thing) -> Column:
        scope = scope_of(self.around.names())
        after: dict[Rest | None, Rest | None] = {}
        for rest in {*self.open, None}:
            after[rest] = self._after(rest, front[0], scope)
        self.open = [after[rest] for rest in (*self.open, None)]
        return self._told()

    def _after(self, rest: Rest | None, value: Thing, scope: Scope) -> Rest | None:
        self.obligations.rest = rest
        if self.obligations.known is None:
            self.obligations.take(value, scope)
        return self.obligations.rest

    def _told(self) -> Column:
        told: Column = []
        for rest in self.open:
            self.obligations.rest = rest
            if self.obligations.known is None:
                break
            told.append(self.obligations.known)
        del self.open[: len(told)]
        return told

    def held(self) -> int:
        return len(self.open)

    def state(self) -> Thing:
        told = []
        for rest in self.open:
            self.obligations.rest = rest
            told.append(self.obligations.state())
        return told

    def restore(self, state: Thing) -> None:
        self.open = []
        for told in state:
            self.obligations.rest = None
            self.obligations.restore(told)
            self.open.append(self.obligations.rest)
