"""Kernels for the log of a span: what stands in a span, under the key of who asks.

Rows are in the order of their ends; the lists of their keys go from the last to the first. `latest` is the latest
start of a row and all before it in its list.
"""

from typing import NamedTuple

from cepheid.engine.kernels.compiling.typed_arrays import Data

START_LOW, START_HIGH, END_LOW, END_HIGH = range(4)
SPAN, ROW, NEXT = range(3)
"""Where to go on: from a span, from a row that it has not seen yet, and from which row on to put rows into lists."""


class SpanRows(NamedTuple):
    """Rows of a log and the lists of their keys."""

    start: Data
    end: Data
    key: Data
    heads: Data
    link: Data


class Asked(NamedTuple):
    """Spans by their bounds, each with a key, less than nothing for none; `ends` is when who asks ends."""

    ends: Data
    bounds: Data
    keys: Data


def find_in_spans(asked: Asked, first: int, last: int, rows: SpanRows, latest: Data, found: Data) -> int:
    """Say of every span whether something starts and ends in it; rows from the first on are put into lists."""
    spans, row = asked.ends.shape[0], first
    for span in range(spans + 1):
        while row < last and (span == spans or rows.end[row] <= max(asked.ends[span], asked.bounds[END_HIGH, span])):
            before = rows.heads[rows.key[row]]
            rows.link[row] = before
            latest[row] = rows.start[row] if before < 0 else max(rows.start[row], latest[before])
            rows.heads[rows.key[row]] = row
            row += 1
        if span < spans:
            one = rows.heads[asked.keys[span]] if asked.keys[span] >= 0 else -1
            while one >= 0 and rows.end[one] > asked.bounds[END_HIGH, span]:
                one = rows.link[one]
            found[span] = one >= 0 and latest[one] >= asked.bounds[START_LOW, span]
    return row


def list_in_spans(asked: Asked, first: int, last: int, rows: SpanRows, place: Data, out: Data) -> int:
    """List what stands in every span, from the span and the row in `place` on; return how many.

    Where there is no more room for pairs, `place` says where to go on.
    """
    spans, row, count = asked.ends.shape[0], place[NEXT] if place[NEXT] >= 0 else first, 0
    for span in range(place[SPAN], spans + 1):
        while row < last and (span == spans or rows.end[row] <= max(asked.ends[span], asked.bounds[END_HIGH, span])):
            put_last(row, rows)
            row += 1
        if span == spans:
            break
        one = place[ROW]
        if one == -1:
            one = rows.heads[asked.keys[span]] if asked.keys[span] >= 0 else -2
        while one >= 0 and rows.end[one] >= asked.bounds[END_LOW, span]:
            if lies_in(one, span, asked.bounds, rows):
                if count == out.shape[1]:
                    place[SPAN], place[ROW], place[NEXT] = span, one, row
                    return count
                out[0, count], out[1, count] = span, one
                count += 1
            one = rows.link[one]
        place[ROW] = -1
    place[SPAN], place[NEXT] = spans + 1, row
    return count


def lies_in(row: int, span: int, bounds: Data, rows: SpanRows) -> bool:
    """Say whether a row, which does not end too early, lies in a span."""
    starts = bounds[START_LOW, span] <= rows.start[row] <= bounds[START_HIGH, span]
    return bool(starts and rows.end[row] <= bounds[END_HIGH, span])


def put_last(row: int, rows: SpanRows) -> None:
    """Put a row into the list of its key, behind all that came before it."""
    rows.link[row] = rows.heads[rows.key[row]]
    rows.heads[rows.key[row]] = row


def link_spans(count: int, rows: SpanRows) -> int:
    """Put all rows into the lists of their keys again."""
    rows.heads[:] = -1
    for row in range(count):
        put_last(row, rows)
    return count
