"""S1 to S4 as a programmer would write them by hand: one generator for each processor."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, tee
from typing import Any

Row = dict[str, Any]


def source(rows: Iterable[Row]) -> Iterator[Row]:
    yield from rows


def of_symbol(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        if row["symbol"] == 1:
            yield row


def closes(rows: Iterable[Row]) -> Iterator[float]:
    for row in rows:
        yield row["close"]


def means(values: Iterable[float], size: int) -> Iterator[float]:
    window: deque[float] = deque()
    total = 0.0
    for value in values:
        window.append(value)
        total += value
        if len(window) > size:
            total -= window.popleft()
        if len(window) == size:
            yield total / size


def compared(rows: Iterable[Row], averages: Iterable[float]) -> Iterator[tuple[Row, bool]]:
    for row, mean in zip(rows, averages, strict=False):
        yield row, row["close"] > mean


def passed(pairs: Iterable[tuple[Row, bool]]) -> Iterator[Row]:
    for row, is_so in pairs:
        if is_so:
            yield row


def above_the_mean(rows: Iterable[Row]) -> Iterator[Row]:
    one, other = tee(rows)
    return passed(compared(islice(one, 49, None), means(closes(other), 50)))


GENERATORS: dict[str, Callable[[Iterable[Row]], Iterator[Any]]] = {
    "S1": lambda rows: source(rows),
    "S2": lambda rows: of_symbol(source(rows)),
    "S3": lambda rows: means(closes(of_symbol(source(rows))), 5),
    "S4": lambda rows: above_the_mean(source(rows)),
}
