"""Repetition: runs that grow item by item, in order."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from cepheid.algebra.closures import key_maker
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.repeat_semantics import group_of, is_whole, takes
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.certainty import not_before, past_at
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER, Deadline, deadline, is_past
from cepheid.engine.state.keyed_times import KeyedTimes
from cepheid.engine.state.order_buffer import OrderBuffer


@dataclass(slots=True)
class Run:
    """Items so far, and until when another can join them."""

    items: list[Instance]
    limit: Deadline


class Runs(Interpreter):
    """Open runs per key: greedy ones are reported when they cannot grow, all others with every item."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Repeat)
        self.repeat = operator.pattern
        self.buffer = OrderBuffer()
        self.open: dict[Hashable, list[Run]] = {}
        self.count = 0
        # For every key, when the first of its runs is over, in time and in positions.
        self.over: tuple[KeyedTimes[Hashable], KeyedTimes[Hashable]] = (KeyedTimes(), KeyedTimes())
        # For every key, the least end and position of the last items of runs that will be reported.
        self.untold: tuple[KeyedTimes[Hashable], KeyedTimes[Hashable]] = (KeyedTimes(), KeyedTimes())

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        self.buffer.add(news[0])
        self.settle(inputs)
        lag = inputs[0].operator.lag
        found: list[Instance] = []
        certain = inputs[0].certain_at
        for end, instant in self.buffer.release(self.complete(turn)):
            found += self._finish(end, 0, lag, turn)
            for _, item in instant:
                found += self._item(item, certain(end), turn)
        self.place = self.buffer.place(self.place)
        found += self._finish(self.frontier, self.place, lag, turn)
        self.frontier = min(self.frontier, self.untold[0].first())
        self.place = min(self.place, self.untold[1].first())
        return found

    def entries(self) -> int:
        return self.count

    def buffered(self) -> int:
        return len(self.buffer)

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        least = min(*below, self.untold[0].first())
        return self.buffer.first(least) if buffered else least

    def wake(self) -> int:
        return self.buffer.first(self.over[0].first())

    def state(self) -> object:
        return [self.buffer.held(), [(key, [tuple(run.items) for run in runs]) for key, runs in self.open.items()]]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for _, item in state[0]:
            self.buffer.add([item])
        for key, runs in state[1]:
            self._keep(key, [self._run(list(items)) for items in runs])

    @property
    def _greedy(self) -> bool:
        return self.repeat.choice is not Choice.ALL

    def _item(self, item: Instance, certain: int | None, turn: Turn) -> list[Instance]:
        key = key_maker(self.repeat.per)(scope_of(item, turn.tables))
        if key is None:
            return []
        runs, history = self.open.get(key, []), History((), turn.tables)
        takers = [run for run in runs if takes(self.repeat, run.items, item, history)]
        grown = [self._grown(run, item) for run in takers]
        if self._greedy:
            runs = [run for run in runs if not any(run is taker for taker in takers)]
        fresh = grown if grown and self._greedy else [*grown, self._run([item])]
        self._keep(key, runs + [run for run in fresh if not self._is_full(run)])
        told = [run for run in fresh if self._is_full(run) or not self._greedy]
        return [one for run in told for one in self._reported(run, certain, turn)]

    def _keep(self, key: Hashable, runs: list[Run]) -> None:
        self.count += len(runs) - len(self.open.get(key, ()))
        self.open[key] = runs
        for axis, over in enumerate(self.over):
            over.set(key, min((run.limit[axis] for run in runs), default=FOREVER))
        if self._greedy:
            last = [run.items[-1] for run in runs]
            self.untold[0].set(key, min((item.end for item in last), default=FOREVER))
            self.untold[1].set(key, min((item.high for item in last if item.high is not None), default=FOREVER))
        if not runs:
            del self.open[key]

    def _grown(self, run: Run, item: Instance) -> Run:
        """Return a run with one item more: a greedy one is what it becomes, any other stays beside it."""
        if not self._greedy:
            return self._run([*run.items, item])
        run.items.append(item)
        run.limit = self._limit(run.items)
        return run

    def _run(self, items: list[Instance]) -> Run:
        return Run(items, self._limit(items))

    def _limit(self, items: Sequence[Instance]) -> Deadline:
        limits = (
            deadline(self.operator.reach[0, 0], items[-1]),
            deadline(self.operator.reach[1, 0], items[0]),
        )
        return (min(limit[0] for limit in limits), min(limit[1] for limit in limits))

    def _is_full(self, run: Run) -> bool:
        return self.repeat.most is not None and len(run.items) >= self.repeat.most

    def _finish(self, frontier: int, place: int, lag: int | None, turn: Turn) -> list[Instance]:
        """Close the runs that no further item can join; greedy ones are reported now."""
        found = []
        for key in self._ending(frontier, place):
            runs = self.open[key]
            done = [run for run in runs if frontier == FOREVER or is_past(run.limit, frontier, place)]
            if done:
                self._keep(key, [run for run in runs if not any(run is other for other in done)])
                reported = done if self._greedy else []
                found += [one for run in reported for one in self._reported(run, past_at(run.limit, lag, turn), turn)]
        return found

    def _ending(self, frontier: int, place: int) -> list[Hashable]:
        """Return the keys with runs that are over."""
        if frontier == FOREVER:
            return list(self.open)
        over = [
            key for times, bound in zip(self.over, (frontier, place), strict=True) for key in times.pop_before(bound)
        ]
        return list(dict.fromkeys(over))

    def _reported(self, run: Run, certain: int | None, turn: Turn) -> list[Instance]:
        if not is_whole(self.repeat, run.items):
            return []
        whole = group_of(self.repeat, run.items, History((), turn.tables))
        return [whole.certain_at(not_before(whole.known, certain))]
