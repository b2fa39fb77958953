"""Where values wait for those of other inputs."""

from collections.abc import Sequence

from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Column


class Queues:
    """The values of each input of a step that wait for the others to make a front.

    `waiting` and all that is in it stay the same lists as long as a run goes on.
    """

    __slots__ = ("waiting",)

    def __init__(self, count: int) -> None:
        self.waiting: list[Column] = [[] for _ in range(count)]

    def fronts(self, columns: Sequence[Column]) -> Sequence[Column]:
        """Add new values, and return the columns of the fronts that are complete."""
        waiting = self.waiting
        if not any(waiting):
            lengths = {len(column) for column in columns}
            if len(lengths) == 1:
                return columns
        for queue, column in zip(waiting, columns, strict=True):
            queue += column
        count = min(map(len, waiting))
        taken = [queue[:count] for queue in waiting]
        for queue in waiting:
            del queue[:count]
        return taken

    def front(self, *values: Thing) -> tuple[Thing, ...]:
        """Add the new value of each input, which may be `NOTHING`, and return the front that this makes, or none."""
        for queue, value in zip(self.waiting, values, strict=True):
            if value is not NOTHING:
                queue.append(value)
        if not all(self.waiting):
            return (NOTHING,) * len(values)
        return tuple(queue.pop(0) for queue in self.waiting)
