"""Temporal logic over what has been seen: of each position in turn, or of the first alone."""

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.formula_semantics import verdict
from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.pipes import Verdict
from cepheid.engine.pipes.obligations import Obligations
from cepheid.engine.pipes.processor import Feed, Processor


class VerdictProcessor(Processor):
    """The verdict of each position, in order, once it is known: the values from the first open position on are kept."""

    def __init__(self, pipe: Verdict, source: Processor) -> None:
        super().__init__([source])
        self.pipe, self.source = pipe, source
        self.open: list[Timed] = []

    def turn(self, feed: Feed) -> list[Timed]:
        given = []
        for timed in self.source.turn(feed):
            self.open.append(timed)
            while self.open and (known := self._judge(feed)) is not None:
                given.append(Timed(self.open.pop(0).time, known))
        return given

    def _judge(self, feed: Feed) -> bool | None:
        return verdict(self.pipe.formula, [timed.value for timed in self.open], 0, Scope(tables=feed.tables))

    def held(self) -> int:
        return len(self.open)

    def state(self) -> object:
        return [[tuple(timed) for timed in self.open], self.source.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.open = [Timed(*timed) for timed in state[0]]
        self.source.restore(state[1])


class KnowledgeProcessor(Processor):
    """After each value, what is known about the first position: only what the formula still demands is kept."""

    def __init__(self, pipe: Verdict, source: Processor) -> None:
        super().__init__([source])
        self.source = source
        self.obligations = Obligations(pipe.formula)

    def turn(self, feed: Feed) -> list[Timed]:
        return [Timed(timed.time, self._after(timed, feed)) for timed in self.source.turn(feed)]

    def _after(self, timed: Timed, feed: Feed) -> bool | None:
        if self.obligations.known is None:
            self.obligations.take(timed.value, Scope(tables=feed.tables))
        return self.obligations.known

    def held(self) -> int:
        return len(self.obligations)

    def state(self) -> object:
        return [self.obligations.state(), self.source.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.obligations.restore(state[0])
        self.source.restore(state[1])
