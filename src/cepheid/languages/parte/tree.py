"""The syntax as a tree to look at, with the words of the text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cepheid.diagnostics import Span
from cepheid.languages.parte.syntax import (
    Action,
    AggregatePattern,
    Emission,
    EventPattern,
    InstantPattern,
    NegatedPattern,
    Reaction,
    RulePattern,
    RuleText,
    Slot,
    Statement,
    Template,
    Text,
    Use,
)
from cepheid.languages.shared.terms import Term

_QUOTED_OR_REMARK: Final = re.compile(r'("(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)|(?://|#)[^\n]*')


@dataclass(frozen=True, slots=True)
class _Branch:
    label: str
    below: tuple["_Branch", ...] = ()


def drawn(text: Text) -> str:
    """Return all statements of a text: templates and rules as trees, all others as they are written."""
    rows: list[str] = []
    for statement in text.statements:
        branch = _statement(statement)
        rows += [branch.label, *_rows(branch.below)]
    return "\n".join(rows)


def _rows(branches: Sequence[_Branch]) -> Iterator[str]:
    for number, branch in enumerate(branches, start=1):
        elbow, indent = ("└─ ", "   ") if number == len(branches) else ("├─ ", "│  ")
        yield elbow + branch.label
        for row in _rows(branch.below):
            yield indent + row


def _statement(statement: Statement) -> _Branch:
    match statement:
        case Template(name, slots):
            return _Branch(f"template {name.span.text}", tuple(map(_slot, slots)))
        case RuleText():
            return _rule(statement)
        case Use(span=span):
            return _Branch(f"use {span.text}")
        case _:
            return _Branch(_words(statement.span))


def _slot(slot: Slot) -> _Branch:
    written = "" if slot.type is None else f" : {_words(slot.type.span)}"
    return _Branch(slot.name.span.text + written)


def _rule(rule: RuleText) -> _Branch:
    clauses = [_Branch("where", tuple(map(_pattern, rule.patterns)))]
    if rule.windows:
        clauses.append(_Branch("when", tuple(_Branch(_words(line.span)) for line in rule.windows)))
    if rule.reactions:
        clauses.append(_Branch("then", tuple(map(_reaction, rule.reactions))))
    return _Branch(f"rule {rule.name.span.text}", tuple(clauses))


def _pattern(pattern: RulePattern) -> _Branch:
    match pattern:
        case NegatedPattern(inner):
            positive = _pattern(inner)
            return _Branch(f"no {positive.label}", positive.below)
        case AggregatePattern(variable, function, arguments, item, anchor, window, conditions):
            given = ", ".join(_words(argument.span) for argument in arguments)
            head = f"{variable.span.text} : {function.span.text}({given}) in {anchor.span.text} {_words(window.span)}"
            return _Branch(head, (_Branch("of", (_pattern(item),)), *_conditions(conditions)))
        case EventPattern(variable, event_type, arguments, conditions):
            given = "" if arguments is None else f"({', '.join(_words(one.span) for one in arguments)})"
            return _Branch(f"{variable.span.text} : {event_type.span.text}{given}", _conditions(conditions))
        case InstantPattern(conditions=conditions, span=span):
            return _Branch(_words(span).partition(" {")[0], _conditions(conditions))


def _conditions(conditions: Sequence[Term]) -> tuple[_Branch, ...]:
    return tuple(_Branch(_words(one.span)) for one in conditions)


def _reaction(reaction: Reaction) -> _Branch:
    match reaction:
        case Emission(event_type, at, assignments):
            below = (f"{one.name.span.text} = {_words(one.value.span)}" for one in assignments)
            return _Branch(f"emit {event_type.span.text} at {_words(at.span)}", tuple(map(_Branch, below)))
        case Action(span=span):
            return _Branch(_words(span))


def _words(span: Span) -> str:
    """Return a piece of text on one line, without remarks."""
    return " ".join(_QUOTED_OR_REMARK.sub(lambda found: found[1] or " ", span.text).split())
