"""The syntax as a tree to look at.

    Alarm
    └─ minus
       ├─ within 2 s
       │  └─ then
       │     ├─ Button
       │     └─ Button
       └─ Pressure

Operators are shown by their words, so that no sign has to be known.
"""

from collections.abc import Iterator, Sequence

from cepheid.events import Duration
from cepheid.languages.algebra.syntax import (
    By,
    Combination,
    Declaration,
    Definition,
    Expression,
    Primitive,
    Text,
    Within,
)


def drawn(text: Text) -> str:
    """Return all statements of a text: declarations as they are written, definitions as trees."""
    rows = [_as_written(declaration) for declaration in text.declarations]
    for definition in text.definitions:
        rows += [_head(definition), *_below([definition.expression])]
    return "\n".join(rows)


def _as_written(declaration: Declaration) -> str:
    return " ".join(declaration.span.text.split())


def _head(definition: Definition) -> str:
    name = "match" if definition.name is None else definition.name.span.text
    let = "let " if definition.is_abbreviation else ""
    values = ", ".join(f"{field.name.span.text} = {field.value.span.text}" for field in definition.emitted)
    return f"{let}{name}" + (f" emits {values}" if values else "")


def _below(children: Sequence[Expression]) -> Iterator[str]:
    for child in children[:-1]:
        yield from _branch(child, "├─ ", "│  ")
    for child in children[-1:]:
        yield from _branch(child, "└─ ", "   ")


def _branch(expression: Expression, elbow: str, indent: str) -> Iterator[str]:
    yield elbow + _label(expression)
    for row in _below(_children(expression)):
        yield indent + row


def _label(expression: Expression) -> str:
    match expression:
        case Primitive():
            return " ".join(expression.span.text.split())
        case Combination(operator):
            return operator.word
        case Within(_, longest):
            return f"within {Duration(longest)}"
        case By(_, attributes):
            return f"by {', '.join(attributes)}"


def _children(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Primitive():
            return ()
        case Combination(_, left, right):
            return (left, right)
        case Within(inner) | By(inner):
            return (inner,)
