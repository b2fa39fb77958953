"""What a rule makes of its parts: a form, unless it only hands them on."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from cepheid.diagnostics import Span, internal_error
from cepheid.languages.esql.grammars.rules import FIRST, MORE, SAME, Rule
from cepheid.languages.esql.grammars.syntax import Form, Hole, Number, Part, Text, Word
from cepheid.languages.esql.grammars.tokens import Token
from cepheid.languages.shared.findings import refusal

__all__ = ["made_of"]

_Grown: TypeAlias = Part | list[Part]
_Element: TypeAlias = _Grown | Token

_LEAVES: Final = frozenset({"name", "number", "string", "hole", SAME})
_MOST: Final = 2**63 - 1


def made_of(rule: Rule, elements: Sequence[_Element], span: Span) -> _Grown:
    """Return what a rule makes; a list that still grows is a Python list, and is nobody else's."""
    parts = [_part(element, span) for element in (elements[index] for index in rule.parts)]
    match rule.name, parts:
        case name, [part] if name in _LEAVES:
            return part
        case "[]", [part]:
            assert rule.name == FIRST
            return [_closed(part)]
        case "[+]", [before, part]:
            assert rule.name == MORE
            found = before if isinstance(before, list) else [before]
            found.append(_closed(part))
            return found
        case (("negative" | "negative_number"), [Number(value)]) if value >= 0:
            return Number(-value)
        case _:
            return Form(rule.name, rule.symbol, tuple(map(_closed, parts)), span)


def _closed(part: _Grown) -> Part:
    return tuple(part) if isinstance(part, list) else part


def _part(element: _Element, span: Span) -> _Grown:
    if not isinstance(element, Token):
        return element
    kind, text = element.kind, element.text
    match kind.partition("<")[0]:
        case "word":
            return Word(text)
        case "quoted":
            return Word(text[1:-1])
        case "input" | "slot":
            return Word(text[1:])
        case "string":
            return Text(text[1:-1].replace(text[0] * 2, text[0]))
        case "number":
            return Number(_number(element, span))
        case "hole":
            return Hole(text[1:], kind[len("hole") :])
    raise internal_error(f"a token of the kind `{kind}` has a value")


def _number(token: Token, span: Span) -> int | float:
    if token.text.isdecimal() and len(token.text) <= len(str(_MOST)) and int(token.text) <= _MOST:
        return int(token.text)
    found = float(token.text)
    if token.text.isdecimal() or found == float("inf"):
        place = token.span(span.source)
        raise refusal("bad-literal", "a number is too large", place, f"at most {_MOST}", "write a smaller number")
    return found
