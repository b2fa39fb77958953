"""The syntax as a tree to look at.

ce4
└─ at most 20 s
   └─ AND
      ├─ ce1
      └─ ce2
"""

from collections.abc import Iterator, Sequence

from cepheid.events import Duration
from cepheid.languages.etalis.definitions import background_of
from cepheid.languages.etalis.syntax import (
    Absence,
    AtomText,
    Binary,
    Limit,
    PatternText,
    PointText,
    Repetition,
    RuleText,
    Statement,
    Where,
)
from cepheid.languages.etalis.walking import below


def drawn(statements: Sequence[Statement]) -> str:
    """Return all statements of a text: rules for events as trees, everything else as it is written."""
    rows: list[str] = []
    background = background_of(statements)
    for statement in statements:
        if isinstance(statement, RuleText) and statement.head.predicate.name not in background and not statement.goals:
            rows += [_head(statement), *_below([statement.pattern])]
        else:
            rows.append(_plain(statement.span.text).removesuffix("."))
    return "\n".join(rows)


def _head(rule: RuleText) -> str:
    label = "" if rule.label is None else f"{rule.label.span.text}: "
    policy = "" if rule.policy is None else f" {_plain(rule.policy.span.text)}"
    return f"{label}{_plain(rule.head.span.text)}{policy}"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _below(children: Sequence[PatternText]) -> Iterator[str]:
    for child in children[:-1]:
        yield from _branch(child, "├─ ", "│  ")
    for child in children[-1:]:
        yield from _branch(child, "└─ ", "   ")


def _branch(pattern: PatternText, elbow: str, indent: str) -> Iterator[str]:
    yield elbow + _label(pattern)
    for row in _below(below(pattern)):
        yield indent + row


def _label(pattern: PatternText) -> str:
    match pattern:
        case AtomText(span=span) | PointText(span=span):
            return _plain(span.text)
        case Binary(operator):
            return operator.value
        case Where(_, conditions):
            return "where " + ", ".join(_plain(condition.span.text) for condition in conditions)
        case Limit(_, longest):
            return f"at most {Duration(longest)}"
        case Absence():
            return "NOT, between"
        case Repetition(count=count):
            return "one or more" if count is None else f"{count} times"
