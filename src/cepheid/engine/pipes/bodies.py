"""Processors with a body of their own for every window or slice."""

from collections import deque
from collections.abc import Callable

from cepheid.algebra.pipe_semantics import EVERY_SLICE, Timed
from cepheid.algebra.pipes import INPUT, Slice, Window
from cepheid.algebra.slice_labels import label
from cepheid.engine.pipes.processor import Feed, Processor
from cepheid.events import Value, values

Body = Callable[[], Processor]


def _inner(feed: Feed, some: list[Timed]) -> Feed:
    """A body reads its own part of the trace and nothing else."""
    return Feed({INPUT: some}, tables=feed.tables)


class WindowProcessor(Processor):
    """The last values, and a fresh body over them whenever one comes."""

    def __init__(self, pipe: Window, source: Processor, body: Body) -> None:
        self.pipe, self.source, self.body = pipe, source, body
        self.window: deque[Timed] = deque()

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
        return len(self.window) + self.source.held()

    def state(self) -> object:
        return [[tuple(timed) for timed in self.window], self.source.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.window = deque(Timed(*timed) for timed in state[0])
        self.source.restore(state[1])


class SliceProcessor(Processor):
    """One body per key, and the last that each has given."""

    def __init__(self, pipe: Slice, source: Processor, body: Body) -> None:
        self.pipe, self.source, self.body = pipe, source, body
        self.keys: dict[object, Value] = {}
        self.bodies: dict[object, Processor] = {}
        self.last: dict[object, Value] = {}

    def turn(self, feed: Feed) -> list[Timed]:
        return [self._value(timed, feed) for timed in self.source.turn(feed)]

    def _value(self, timed: Timed, feed: Feed) -> Timed:
        for place in self._places(feed.value(self.pipe.key, (timed.value,))):
            given = self.bodies[place].turn(_inner(feed, [timed]))
            if given:
                self.last[place] = given[-1].value
        return Timed(timed.time, self._gathered())

    def _places(self, key: Value) -> list[object]:
        if key is None:
            return []
        if key == EVERY_SLICE:
            return list(self.keys)
        place = values.key_of(key)
        if place not in self.keys:
            self.keys[place], self.bodies[place] = key, self.body()
        return [place]

    def _gathered(self) -> Value:
        shown = [place for place in self.keys if place in self.last]
        if self.pipe.gather == "set":
            return tuple(self.last[place] for place in shown)
        return {label(self.keys[place]): self.last[place] for place in shown}

    def held(self) -> int:
        return len(self.last) + self.source.held() + sum(body.held() for body in self.bodies.values())

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
            self.keys[place], self.bodies[place] = key, self.body()
            self.bodies[place].restore(its)
            if has_given:
                self.last[place] = last
        self.source.restore(state[1])
