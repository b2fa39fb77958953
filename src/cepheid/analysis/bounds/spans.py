"""A stretch of the stream: so many ticks, so many records, or both; what ends in it is counted."""

from dataclasses import dataclass

from cepheid.analysis.bounds.bound_algebra import product, total
from cepheid.analysis.bounds.bounds import Bound, Number, Unbounded


@dataclass(frozen=True, slots=True)
class Span:
    """At most `ticks` from the first end to the last, and at most `records` records, over all keys; None is no limit.

    Where there is neither limit, `gap` says why.
    """

    ticks: int | None
    records: Bound | None = None
    gap: Unbounded | None = None

    @property
    def limited(self) -> bool:
        return self.ticks is not None or self.records is not None


@dataclass(frozen=True, slots=True)
class Margin:
    """How far before the end of a whole one of its parts can have ended, in ticks and in records."""

    ticks: int | None
    records: int | None
    gap: Unbounded | None = None


def widened(span: Span, margin: Margin, inside: Bound | None, keyed: bool) -> Span:
    """Return a span that begins earlier by a margin.

    `inside` is how many records the span holds where it does not say so itself. Records of a key count by themselves,
    and there may be as many keys in a span as records: each of them begins earlier.
    """
    ticks = None if span.ticks is None or margin.ticks is None else span.ticks + margin.ticks
    held = span.records if span.records is not None else inside
    records = None
    if held is not None and margin.records is not None:
        records = product(held, Number(1 + margin.records)) if keyed else total(held, Number(margin.records))
    gap = None if ticks is not None or records is not None else span.gap or margin.gap
    return Span(ticks, records, gap)
