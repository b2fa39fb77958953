"""Where the text of a query says what a run notices: the characters of a name, of a comparison, of a type."""

import re
from collections.abc import Sequence

from cepheid.algebra.programs import Program
from cepheid.diagnostics import Label, Span

Spans = tuple[Span, ...]


def spans_of(program: Program) -> list[Spans]:
    """Return where to look for what each rule says: in its pattern, then after it, then before it."""
    patterns = [rule.pattern.span for rule in program.rules]
    return [_around(own, [one for one in patterns if one is not None]) for own in patterns]


def _around(own: Span | None, others: Sequence[Span]) -> Spans:
    if own is None:
        return ()
    near = [one for one in others if one.source is own.source]
    after = min((one.start for one in near if one.start >= own.end), default=len(own.source.text))
    before = max((one.end for one in near if one.end <= own.start), default=0)
    return own, own.source.span(own.end, after), own.source.span(before, own.start)


def found(spans: Sequence[Span | None], *texts: str) -> tuple[str, Span] | None:
    """Return the first of some texts that stands in one of the spans as a whole, and where; spaces do not count.

    >>> from cepheid.diagnostics import Source
    >>> whole = Source("<query>", "a: A where a.users == a.user").span(0, 28)
    >>> found([whole], "a.user ==  a.users", "a.user")[1].start
    22
    """
    for text in texts:
        words = r"\s*".join(map(re.escape, text.split()))
        expression = re.compile(rf"(?<![\w.]){words}(?!\w|\s*:)")
        for span in spans:
            if span is not None and (match := expression.search(span.source.text, span.start, span.end)):
                return text, span.source.span(*match.span())
    return None


def label_at(spans: Sequence[Span | None], *texts: str, otherwise: Span | None = None) -> tuple[Label, ...]:
    """Return a label at the first of some texts, or at a span where none is found, if there is one."""
    place = found(spans, *texts)
    span = otherwise if place is None else place[1]
    return () if span is None else (Label(span),)
