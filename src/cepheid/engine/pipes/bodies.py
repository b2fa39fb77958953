"""Processors with a body of their own for every window or slice."""

from collections import deque
from collections.abc import Callable, Sequence

from cepheid.algebra.pipe_semantics import EVERY_SLICE, Timed
from cepheid.algebra.pipes import INPUT, Slice, Window
from cepheid.algebra.slice_labels import label
from cepheid.analysis.certificates.pipe_tree import processors
from cepheid.engine.pipes.processor import Feed, Processor
from cepheid.events import Value, values

Body = Callable[[], Processor]


def _inner(feed: Feed, some: list[Timed]) -> Feed:
    """A body reads its own part of the trace and nothing else."""
    return Feed({INPUT: some}, tables=feed.tables)


class WindowProcessor(Processor):
    """The last values, and a fresh body over them whenever one comes."""

    def __init__(self, pipe: Window, source: Processor, body: Body) -> None:
        super().__init__([source])
        self.pipe, self.source, self.body = pipe, source, body
        self.window: deque[Timed] = deque()
        self.nothing = [0] * len(list(processors(pipe.body)))

    def turn(self, feed: Feed) -> list[Timed]:
        given = []
        for timed in self.source.turn(feed):
            self.window.append(timed)
            self._shrink(timed)
            shown = self._shown(feed)
            if shown is not None:
                given.append(Timed(timed.time, shown.value))
        return given

    def _shrink(self, last: Timed) -> None:
        if self.pipe.count is not None:
            while len(self.window) > self.pipe.count:
                self.window.popleft()
            return
        length = self.pipe.length or 0
        if any(last.time - timed.time > length for timed in self.window):
            self.window = deque(timed for timed in self.window if last.time - timed.time <= length)

    def _shown(self, feed: Feed) -> Timed | None:
        count = self.pipe.count
        if count is not None and len(self.window) < count:
            return None
        given = self.body().turn(_inner(feed, list(self.window)))
        if count is None:
            return given[-1] if given else None
        return given[count - 1] if len(given) >= count else None

    def held(self) -> int:
        return len(self.window)

    def body_sizes(self) -> list[int]:
        """A body is made anew for every window, and nothing of it stays."""
        return self.nothing

    def state(self) -> object:
        return [[tuple(timed) for timed in self.window], self.source.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.window = deque(Timed(*timed) for timed in state[0])
        self.source.restore(state[1])


class SliceProcessor(Processor):
    """One body per key, and the last that each has given."""

    def __init__(self, pipe: Slice, source: Processor, body: Body) -> None:
        super().__init__([source])
        self.pipe, self.source, self.body = pipe, source, body
        # What all bodies keep together; only the ones that take a turn are counted again.
        self.kept = [0] * len(list(processors(pipe.body)))
        self.keys: dict[object, Value] = {}
        self.bodies: dict[object, Processor] = {}
        self.last: dict[object, Value] = {}

    def turn(self, feed: Feed) -> list[Timed]:
        return [self._value(timed, feed) for timed in self.source.turn(feed)]

    def _value(self, timed: Timed, feed: Feed) -> Timed:
        for place in self._places(feed.value(self.pipe.key, (timed.value,))):
            given = self._turned(self.bodies[place], _inner(feed, [timed]))
            if given:
                self.last[place] = given[-1].value
        return Timed(timed.time, self._gathered())

    def _turned(self, body: Processor, feed: Feed) -> list[Timed]:
        before = body.sizes()
        given = body.turn(feed)
        self._count(before, body.sizes())
        return given

    def _count(self, before: Sequence[int], now: Sequence[int]) -> None:
        self.kept = [kept - old + new for kept, old, new in zip(self.kept, before, now, strict=True)]

    def _places(self, key: Value) -> list[object]:
        if key is None:
            return []
        if key == EVERY_SLICE:
            return list(self.keys)
        place = values.key_of(key)
        if place not in self.keys:
            self._begin(place, key)
        return [place]

    def _begin(self, place: object, key: Value) -> Processor:
        self.keys[place], self.bodies[place] = key, self.body()
        self._count([0] * len(self.kept), self.bodies[place].sizes())
        return self.bodies[place]

    def _gathered(self) -> Value:
        shown = [place for place in self.keys if place in self.last]
        if self.pipe.gather == "set":
            return tuple(self.last[place] for place in shown)
        return {label(self.keys[place]): self.last[place] for place in shown}

    def held(self) -> int:
        return len(self.keys)

    def body_sizes(self) -> list[int]:
        return self.kept

    def state(self) -> object:
        slices = [
            (key, self.bodies[place].state(), place in self.last, self.last.get(place))
            for place, key in self.keys.items()
        ]
        return [slices, self.source.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        for key, its, has_given, last in state[0]:
            place = values.key_of(key)
            body = self._begin(place, key)
            before = body.sizes()
            body.restore(its)
            self._count(before, body.sizes())
            if has_given:
                self.last[place] = last
        self.source.restore(state[1])
