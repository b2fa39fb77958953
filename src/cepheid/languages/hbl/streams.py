"""What a text declares about its input: how often records come, how late, with how many keys, and on which clock."""

from collections.abc import Sequence
from dataclasses import replace

from cepheid.algebra.programs import Stream, Ties
from cepheid.diagnostics import Label, Span
from cepheid.languages.hbl.syntax import Clause, Disorder, Keys, Rate, StreamText, Text
from cepheid.languages.shared.findings import refusal


def streams_of(texts: Sequence[StreamText]) -> tuple[Stream, ...]:
    """Return the streams in the order in which they are declared, each once."""
    first: dict[str, StreamText] = {}
    for text in texts:
        if first.setdefault(text.name.name, text) is not text:
            _refuse_second(text.name.name, text.span, first[text.name.name].span)
    return tuple(_stream(text) for text in texts)


def tick_of(text: Text) -> int:
    """Return the step of time that a text declares, one microsecond if it does not."""
    if len(text.ticks) > 1:
        _refuse_second("tick", text.ticks[1][1], text.ticks[0][1])
    ticks = [ticks for ticks, _ in text.ticks] or [1]
    if ticks[0] == 0:
        raise refusal("bad-declaration", "a tick is no time", text.ticks[0][1], "no time at all", "write `tick 1 ms;`")
    return ticks[0]


def ties_said(text: Text) -> Ties | None:
    """Return what a text says about records of one time."""
    if len(text.ties) > 1:
        _refuse_second("ties", text.ties[1][1], text.ties[0][1])
    return text.ties[0][0] if text.ties else None


def _stream(text: StreamText) -> Stream:
    stream = Stream(text.name.name)
    for place, clause in enumerate(text.clauses):
        if any(isinstance(clause, type(before)) for before in text.clauses[:place]):
            message, hint = f"`{stream.name}` is declared in two ways", "leave one of the two out"
            raise refusal("bad-declaration", message, text.span, "it says one thing twice", hint)
        stream = _with(stream, clause)
    return stream


def _with(stream: Stream, clause: Clause) -> Stream:
    match clause:
        case Rate(arrival):
            return replace(stream, arrival=arrival)
        case Disorder(longest):
            return replace(stream, disorder=longest)
        case Keys(count):
            return replace(stream, keys=count)


def _refuse_second(what: str, again: Span, before: Span) -> None:
    others = (Label(before, "first declared here"),)
    hint = "leave one of the two out"
    raise refusal("bad-declaration", f"`{what}` is declared twice", again, "declared again", hint, others=others)
