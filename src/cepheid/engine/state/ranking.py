"""Numbers in the order of a grade: the best of those within two grades are found by search."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from cepheid.algebra.choices import Moment

FEW = 32


class Ranking:
    """Numbers from the lowest grade to the highest; those of one grade in the order in which they came.

    Most come with the highest grade, and most go with the lowest: neither moves the others.
    """

    __slots__ = ("_first", "_grades", "_numbers")

    def __init__(self) -> None:
        self._grades: list[Moment] = []
        self._numbers: list[int] = []
        self._first = 0
        """What lies before this is gone."""

    def __len__(self) -> int:
        return len(self._numbers) - self._first

    def add(self, grade: Moment, number: int) -> None:
        """Take in a number that is higher than all before it."""
        grades = self._grades
        if not grades or grades[-1] <= grade:
            grades.append(grade)
            self._numbers.append(number)
        else:
            place = bisect_right(grades, grade, self._first)
            grades.insert(place, grade)
            self._numbers.insert(place, number)

    def discard(self, grade: Moment, number: int) -> None:
        """Drop a number that has this grade."""
        first = bisect_left(self._grades, grade, self._first)
        last = bisect_right(self._grades, grade, first)
        place = bisect_left(self._numbers, number, first, last)
        if place != self._first:
            del self._grades[place], self._numbers[place]
            return
        self._first += 1
        if self._first > FEW and 2 * self._first > len(self._numbers):
            del self._grades[: self._first], self._numbers[: self._first]
            self._first = 0

    def best(self, least: Moment | None, beyond: Moment | None, *, latest: bool) -> Iterator[list[int]]:
        """Yield what has one grade together, the highest grade first if `latest`, else the lowest.

        Grades below `least` are left out, and those from `beyond` on; None is no limit.
        """
        grades = self._grades
        first = self._first if least is None else bisect_left(grades, least, self._first)
        last = len(grades) if beyond is None else bisect_left(grades, beyond, first)
        while first < last:
            if latest:
                last, until = bisect_left(grades, grades[last - 1], first, last), last
                yield self._numbers[last:until]
            else:
                begin, first = first, bisect_right(grades, grades[first], first, last)
                yield self._numbers[begin:first]
