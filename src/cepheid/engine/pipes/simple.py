"""Processors that look at one front at a time: sources, functions, folds, gates and resampling."""

from collections.abc import Sequence

from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.pipes import Detect, Fold, Map, Resample, Source
from cepheid.engine.pipes.processor import Feed, Fronts, Processor
from cepheid.events import Value


class SourceProcessor(Processor):
    """The records of a type, or the input of a body."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.stream = source.stream

    def turn(self, feed: Feed) -> list[Timed]:
        return list(feed.records.get(self.stream, ()))


class DetectProcessor(Processor):
    """The matches of a rule."""

    def __init__(self, detect: Detect) -> None:
        super().__init__()
        self.rule = detect.rule

    def turn(self, feed: Feed) -> list[Timed]:
        return list(feed.matches.get(self.rule, ()))


class _Fronted(Processor):
    def __init__(self, inputs: Sequence[Processor]) -> None:
        super().__init__(inputs)
        self.fronts = Fronts(inputs)

    def held(self) -> int:
        return self.fronts.held()

    def state(self) -> object:
        return self.fronts.state()

    def restore(self, state: object) -> None:
        self.fronts.restore(state)


class MapProcessor(_Fronted):
    """A function of each front."""

    def __init__(self, pipe: Map, inputs: Sequence[Processor]) -> None:
        super().__init__(inputs)
        self.function = pipe.function

    def turn(self, feed: Feed) -> list[Timed]:
        return [Timed(time, feed.value(self.function, front)) for time, front in self.fronts.turn(feed)]


class GateProcessor(_Fronted):
    """The fronts whose last value is true, without it."""

    def turn(self, feed: Feed) -> list[Timed]:
        fronts = [(time, front) for time, front in self.fronts.turn(feed) if front[-1] is True]
        return [Timed(time, front[0] if len(front) == 2 else front[:-1]) for time, front in fronts]


class FoldProcessor(_Fronted):
    """An accumulator that takes in every front."""

    def __init__(self, pipe: Fold, inputs: Sequence[Processor]) -> None:
        super().__init__(inputs)
        self.pipe = pipe
        self.begun = False
        self.total: Value = None

    def turn(self, feed: Feed) -> list[Timed]:
        if not self.begun:
            self.begun, self.total = True, feed.value(self.pipe.initial, ())
        return [Timed(time, self._step(front, feed)) for time, front in self.fronts.turn(feed)]

    def _step(self, front: tuple[Value, ...], feed: Feed) -> Value:
        self.total = feed.value(self.pipe.step, front, **{"$total": self.total})
        if self.pipe.output is None:
            return self.total
        return feed.value(self.pipe.output, front, **{"$total": self.total})

    def held(self) -> int:
        return 1 + self.fronts.held()

    def state(self) -> object:
        return [self.begun, self.total, self.fronts.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.begun, self.total, below = state
        self.fronts.restore(below)


class ResampleProcessor(_Fronted):
    """Values by their number: some skipped, some repeated."""

    def __init__(self, pipe: Resample, inputs: Sequence[Processor]) -> None:
        super().__init__(inputs)
        self.pipe = pipe
        self.seen = 0

    def turn(self, feed: Feed) -> list[Timed]:
        given = []
        for time, (value,) in self.fronts.turn(feed):
            if self._stays(self.seen - self.pipe.skip):
                given += [Timed(time, value)] * self.pipe.copies
            self.seen += 1
        return given

    def _stays(self, number: int) -> bool:
        turn, rest = divmod(number, self.pipe.every)
        return number >= 0 and rest == 0 and (self.pipe.limit is None or turn < self.pipe.limit)

    def state(self) -> object:
        return [self.seen, self.fronts.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.seen, below = state
        self.fronts.restore(below)
