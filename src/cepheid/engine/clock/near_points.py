"""The points of a schedule that matter: those near a record. Where there is a gap, those within it are never made."""

from bisect import insort
from collections.abc import Iterable, Sequence

from cepheid.algebra.expressions import Expr
from cepheid.algebra.schedules import fixed_point, next_point, points
from cepheid.analysis.plans.plan import Near
from cepheid.events import MAX_TIME

Stretch = tuple[int, int]  # from its first tick to its last


class NearPoints:
    """Stretches of time around records in which points are still to come; they are apart, and each has a point.

    >>> from cepheid.algebra.expressions import Call, Literal
    >>> some = NearPoints(Call("every", (Literal(10), Literal(0))), Near(5, 10))
    >>> some.see([3, 1000]), some.due(0, 1002, 1003), some.held
    (None, [0, 10, 1000], [(995, 1010)])
    """

    __slots__ = ("held", "near", "schedule")

    def __init__(self, schedule: Expr, near: Near) -> None:
        self.schedule, self.near = schedule, near
        self.held: list[Stretch] = []

    def see(self, ends: Iterable[int]) -> None:
        """Note that there are records that end so."""
        for end in ends:
            self.add((end - self.near.before, end + self.near.after))

    def add(self, stretch: Stretch) -> None:
        """Note that points within a stretch of time matter."""
        first, last = stretch
        held = self.held
        if held and held[-1][0] <= first <= held[-1][1] + 1:
            held[-1] = (held[-1][0], max(held[-1][1], last))
        elif first <= last and self._first_point(first) <= last:
            in_order = not held or held[-1] < stretch
            insort(held, stretch)
            self.held = held if in_order else together(held)

    def due(self, first: int, last: int, frontier: int) -> list[int]:
        """Return the points from `first` to `last` that matter, and forget them; records to come end at `frontier`."""
        coming = [] if frontier == MAX_TIME else [(frontier - self.near.before, MAX_TIME)]
        stretches = together([*self.held, *coming])
        self.held = [one for one in self.held if one[1] > last]
        return [time for low, high in stretches for time in points(self.schedule, max(low, first), min(high, last))]

    def _first_point(self, first: int) -> int:
        following = next_point(self.schedule, first)
        return MAX_TIME if following is None else following


def near_points(schedule: Expr, near: Near | None) -> NearPoints | None:
    """Return what leaves out points that do not matter; None where all may, or there is but one."""
    return None if near is None or fixed_point(schedule) is not None else NearPoints(schedule, near)


def together(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Return stretches apart and in order, those that touch each other as one."""
    found: list[Stretch] = []
    for first, last in sorted(stretches):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found
