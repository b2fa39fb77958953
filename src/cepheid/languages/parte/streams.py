"""What `source` lines say about the streams of input events."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cepheid.algebra.programs import Stream
from cepheid.diagnostics import Label
from cepheid.languages.parte.binding import known_template
from cepheid.languages.parte.definitions import Definitions
from cepheid.languages.parte.syntax import Clause, SourceText
from cepheid.languages.shared.findings import head, refusal


def streams_of(definitions: Definitions) -> tuple[Stream, ...]:
    """Return a stream for every template that a source is declared for."""
    first: dict[str, SourceText] = {}
    for source in definitions.sources:
        known_template(source.type, definitions)
        known = first.setdefault(source.type.name, source)
        if known is not source:
            others = (Label(known.type.span, "first declared here"),)
            message, label = f"the sources of `{source.type.name}` are declared twice", "declared again"
            hint = "say all in one line: `source A 10 per ms from 2 sources disorder 5 s`"
            raise refusal("bad-declaration", message, source.type.span, label, hint, others=others)
    return tuple(map(_stream, first.values()))


def source_names(template: str, count: int) -> tuple[str, ...]:
    """Return what the sources of a template are called where only their number is said.

    >>> source_names("MoneyTransferred", 2)
    ('MoneyTransferred_1', 'MoneyTransferred_2')
    """
    return tuple(f"{template}_{number}" for number in range(1, count + 1))


def _stream(source: SourceText) -> Stream:
    _check_once(source.clauses)
    stream = Stream(source.type.name)
    for clause in source.clauses:
        value: Any = clause.value  # what a clause says depends on its field
        if isinstance(value, int) and clause.field == "sources":
            value = source_names(source.type.name, value)
        stream = replace(stream, **{clause.field: value})
    return stream


def _check_once(clauses: Sequence[Clause]) -> None:
    first: dict[str, Clause] = {}
    for clause in clauses:
        known = first.setdefault(clause.field, clause)
        if known is not clause:
            others = (Label(known.span, "said here already"),)
            message, label = "a source says one thing twice", "said again"
            raise refusal("bad-declaration", message, head(clause.span), label, "leave one out", others=others)
