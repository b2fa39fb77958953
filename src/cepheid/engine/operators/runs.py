"""Repetition: runs that grow item by item, in order."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.choices import key_under
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.repeat_semantics import group_of, is_whole, takes
from cepheid.analysis.plan import Operator
from cepheid.engine.certainty import not_before
from cepheid.engine.deadlines import FOREVER, Deadline, deadline, is_past
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.order_buffer import OrderBuffer
from cepheid.engine.turn import Turn


@dataclass(slots=True)
class Run:
    """Items so far, and until when another can join them."""

    items: tuple[Instance, ...]
    limit: Deadline


class Runs(Interpreter):
    """Open runs per key: greedy ones are reported when they cannot grow, all others with every item."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Repeat)
        self.repeat = operator.pattern
        self.buffer = OrderBuffer()
        self.open: dict[Hashable, list[Run]] = {}

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        self.buffer.add(news[0])
        self.settle(inputs)
        found: list[Instance] = []
        for end, instant in self.buffer.release(self.frontier):
            found += self._finish(end, 0, turn)
            for _, item in instant:
                found += self._item(end, item, turn)
        found += self._finish(self.frontier, self.place, turn)
        held = [run.items[-1] for runs in self.open.values() for run in runs] if self._greedy else []
        self.frontier = min([self.frontier, *(item.end for item in held)])
        self.place = min([self.place, *(item.high for item in held if item.high is not None)])
        return found

    def entries(self) -> int:
        return sum(len(runs) for runs in self.open.values())

    def buffered(self) -> int:
        return len(self.buffer)

    def wake(self) -> int:
        limits = (run.limit[0] for runs in self.open.values() for run in runs)
        return self.buffer.first(min(limits, default=FOREVER))

    def state(self) -> object:
        return [self.buffer.held(), [(key, [run.items for run in runs]) for key, runs in self.open.items()]]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for _, item in state[0]:
            self.buffer.add([item])
        self.open = {key: [self._run(items) for items in runs] for key, runs in state[1]}

    @property
    def _greedy(self) -> bool:
        return self.repeat.choice is not Choice.ALL

    def _item(self, end: int, item: Instance, turn: Turn) -> list[Instance]:
        key = key_under(self.repeat.per, scope_of(item, turn.tables))
        if key is None:
            return []
        runs = self.open.setdefault(key, [])
        history = History((), turn.tables)
        takers = [run for run in runs if takes(self.repeat, run.items, item, history)]
        grown = [self._run((*run.items, item)) for run in takers]
        if self._greedy:
            kept = [run for run in runs if not any(run is taker for taker in takers)]
            fresh = grown or [self._run((item,))]
            full = [run for run in fresh if self._is_full(run)]
            self.open[key] = kept + [run for run in fresh if not self._is_full(run)]
            return self._reported(full, end, turn)
        fresh = [*grown, self._run((item,))]
        self.open[key] = runs + [run for run in fresh if not self._is_full(run)]
        return self._reported(fresh, end, turn)

    def _run(self, items: tuple[Instance, ...]) -> Run:
        last, first = items[-1], items[0]
        limits = (
            deadline(self.operator.reach[0, 0], last),
            deadline(self.operator.reach[1, 0], first),
        )
        return Run(items, (min(limit[0] for limit in limits), min(limit[1] for limit in limits)))

    def _is_full(self, run: Run) -> bool:
        return self.repeat.most is not None and len(run.items) >= self.repeat.most

    def _finish(self, frontier: int, place: int, turn: Turn) -> list[Instance]:
        """Close the runs that no further item can join; greedy ones are reported now."""
        closing = turn.closed and frontier == turn.least
        found = []
        for key, runs in list(self.open.items()):
            done = [run for run in runs if closing or is_past(run.limit, frontier, place)]
            if done:
                self.open[key] = [run for run in runs if not any(run is other for other in done)]
                if not self.open[key]:
                    del self.open[key]
                if self._greedy:
                    found += [one for run in done for one in self._reported([run], self._closed_at(run, turn), turn)]
        return found

    def _closed_at(self, run: Run, turn: Turn) -> int | None:
        if run.limit[0] < FOREVER:
            return run.limit[0]
        return None if turn.closed else turn.least

    def _reported(self, runs: Sequence[Run], certain: int | None, turn: Turn) -> list[Instance]:
        history, lag = History((), turn.tables), self.operator.lag
        known = None if certain is None or (lag is None and not self._greedy) else certain + 1
        return [
            replace(whole, known=not_before(whole.known, known))
            for run in runs
            if is_whole(self.repeat, run.items)
            for whole in (group_of(self.repeat, run.items, history),)
        ]
