"""What a text declares about its input: how often events come, how late, and with how many keys."""

from collections.abc import Sequence
from dataclasses import replace

from cepheid.algebra.programs import Stream
from cepheid.diagnostics import Label
from cepheid.languages.etalis.syntax import Disorder, Keys, Rate, Statement
from cepheid.languages.shared.findings import refusal


def streams_of(statements: Sequence[Statement]) -> tuple[Stream, ...]:
    """Return one stream for each kind of event that is declared, in the order of their first declaration."""
    streams: dict[str, Stream] = {}
    declared: dict[tuple[type, str], Rate | Disorder | Keys] = {}
    for statement in statements:
        if not isinstance(statement, Rate | Disorder | Keys):
            continue
        name = statement.predicate.name
        first = declared.setdefault((type(statement), name), statement)
        if first is not statement:
            message = f"the `{statement.span.text.split()[0]}` of `{name}` is declared twice"
            others = (Label(first.span, "first declared here"),)
            hint = "leave one of the two out"
            raise refusal("bad-declaration", message, statement.span, "declared again", hint, others=others)
        streams[name] = _with(streams.get(name, Stream(name)), statement)
    return tuple(streams.values())


def _with(stream: Stream, statement: Rate | Disorder | Keys) -> Stream:
    match statement:
        case Rate(arrival=arrival):
            return replace(stream, arrival=arrival)
        case Disorder(longest=longest):
            return replace(stream, disorder=longest)
        case Keys(count=count):
            return replace(stream, keys=count)
