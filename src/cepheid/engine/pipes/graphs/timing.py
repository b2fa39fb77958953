"""Graphs with windows of time: their values are pairs of a time and a value.

The time of an output is the latest in the front that released it, so fronts are taken one by one. What wants to know
that time has a method `take_at`.
"""

from collections.abc import Sequence

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Column, Outputs, Running
from cepheid.algebra.graphs.times import time_of


def paired(values: Column, times: Sequence[int | None] | None = None) -> Column:
    """Return values with their times, as they tell them or as they were handed in."""
    if times is None:
        return [(time_of(value), value) for value in values]
    return list(zip(times, values, strict=True))


def alone(pairs: Column) -> Column:
    """Return the values of pairs."""
    return [value for _, value in pairs]


class InTime:
    """An operation whose values are pairs."""

    __slots__ = ("last", "running")

    def __init__(self, running: Running) -> None:
        self.running = running
        self.last: int | None = None

    def take(self, *columns: Column) -> Outputs:
        outputs: list[Column] | None = None
        for front in zip(*columns, strict=True):
            self.last = max((time for time, _ in front if time is not None), default=None)
            new = self._with_time(self._taken([value for _, value in front]))
            outputs = new if outputs is None else [[*one, *other] for one, other in zip(outputs, new, strict=True)]
        return _as_given(outputs or [[]])

    def end(self) -> Outputs:
        return _as_given(self._with_time(self.running.end()))

    def held(self) -> int:
        return self.running.held()

    def state(self) -> Thing:
        return [self.last, self.running.state()]

    def restore(self, state: Thing) -> None:
        self.last, inner = state
        self.running.restore(inner)

    @property
    def is_full(self) -> bool:
        return bool(getattr(self.running, "is_full", False))

    def _taken(self, values: Column) -> Outputs:
        take_at = getattr(self.running, "take_at", None)
        if take_at is None:
            return self.running.take(*([value] for value in values))
        return take_at(self.last, *values)  # type: ignore[no-any-return]  # as take gives it

    def _with_time(self, outputs: Outputs) -> list[Column]:
        columns = (outputs,) if isinstance(outputs, list) else outputs
        return [[(self.last, value) for value in column] for column in columns]


def _as_given(columns: list[Column]) -> Outputs:
    return columns[0] if len(columns) == 1 else tuple(columns)
