"""Temporal logic over what has been seen: only the values from the first open position on are kept."""

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.formula_semantics import verdict
from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.pipes import Verdict
from cepheid.engine.pipes.processor import Feed, Processor


class VerdictProcessor(Processor):
    """Boolean: the verdict of each position, in order, once it is known. Three-valued: what is known of the first."""

    def __init__(self, pipe: Verdict, source: Processor) -> None:
        self.pipe, self.source = pipe, source
        self.open: list[Timed] = []
        self.known: bool | None = None

    def turn(self, feed: Feed) -> list[Timed]:
        given = []
        for timed in self.source.turn(feed):
            given += self._first(timed, feed) if self.pipe.three_valued else self._each(timed, feed)
        return given

    def _first(self, timed: Timed, feed: Feed) -> list[Timed]:
        if self.known is None:
            self.open.append(timed)
            self.known = self._judge(feed)
            if self.known is not None:
                self.open.clear()
        return [Timed(timed.time, self.known)]

    def _each(self, timed: Timed, feed: Feed) -> list[Timed]:
        self.open.append(timed)
        given = []
        while self.open and (known := self._judge(feed)) is not None:
            given.append(Timed(self.open.pop(0).time, known))
        return given

    def _judge(self, feed: Feed) -> bool | None:
        return verdict(self.pipe.formula, [timed.value for timed in self.open], 0, Scope(tables=feed.tables))

    def held(self) -> int:
        return len(self.open) + self.source.held()

    def state(self) -> object:
        return [[tuple(timed) for timed in self.open], self.known, self.source.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.open = [Timed(*timed) for timed in state[0]]
        self.known = state[1]
        self.source.restore(state[2])
