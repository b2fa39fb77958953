"""What the events of a definition are called: by their label, else by their type in small letters, then numbered."""

import re
from collections.abc import Sequence

from cepheid.diagnostics import CepheidError, Diagnostic, Label
from cepheid.languages.algebra.syntax import By, Combination, Expression, Operator, Primitive, Within
from cepheid.languages.shared.terms import Name


def names_of(types_and_labels: Sequence[tuple[str, str | None]]) -> list[str]:
    """Return the names of events with these types and labels, in the order of the text.

    >>> names_of([("Button", None), ("Button", None), ("Alarm", "button3"), ("Button", None)])
    ['button', 'button2', 'button3', 'button4']
    """
    taken = {label for _, label in types_and_labels if label is not None}
    names = []
    for event_type, label in types_and_labels:
        name = _free(_word(event_type), taken) if label is None else label
        taken.add(name)
        names.append(name)
    return names


def check_labels(expression: Expression) -> dict[str, Name]:
    """Return the labels of an expression; only the two sides of an `or` may have the same one."""
    match expression:
        case Primitive(_, label):
            return {} if label is None else {label.name: label}
        case Combination(operator, left, right):
            on_left, on_right = check_labels(left), check_labels(right)
            twice = [name for name in on_right if name in on_left]
            if twice and operator is not Operator.OR:
                raise _duplicate(on_left[twice[0]], on_right[twice[0]])
            return on_left | on_right
        case Within(inner) | By(inner):
            return check_labels(inner)


def _duplicate(first: Name, second: Name) -> CepheidError:
    labels = (Label(second.span, f"a second `{second.name}`"), Label(first.span, "the first one"))
    message = f"two events are called `{second.name}`"
    return CepheidError(Diagnostic("duplicate-part", message, labels, hints=(f"call one of them `{second.name}2`",)))


def _word(event_type: str) -> str:
    plain = re.sub(r"\W", "_", event_type.lower())
    return plain if plain.isidentifier() else f"_{plain}"


def _free(word: str, taken: set[str]) -> str:
    candidates = (word, *(f"{word}{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in candidates if name not in taken)
