"""Terms out of the tree that the grammar gives: variables are names, lone words are texts."""

from typing import Final

from lark import Token, Tree

from cepheid.diagnostics import Source, Span
from cepheid.events import Duration, Value
from cepheid.languages.etalis.words import read_escapes, read_quoted
from cepheid.languages.shared.grammars import Node, rule_of, span_of
from cepheid.languages.shared.literals import read_number
from cepheid.languages.shared.term_reading import nodes
from cepheid.languages.shared.terms import Constant, Name, Operation, Term

_SIGNS: Final = {"=": "==", "=:=": "==", "\\=": "!=", "=\\=": "!=", "=<": "<=", "mod": "%"}
_WORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": None}


def read_term(tree: Node, source: Source) -> Term:
    """Return the term that a tree of the rule `condition` is."""
    span = span_of(tree, source)
    match rule_of(tree):
        case "infix":
            left, sign, right = nodes(tree)
            written = str(sign.children[0]).lower()
            return _operation(_SIGNS.get(written, written), (left, right), span_of(sign, source), span, source)
        case "or_" | "and_" | "not_" as rule:
            return _operation(rule.rstrip("_"), nodes(tree), span, span, source)
        case "negative":
            return _negative(tree, source)
        case "variable":
            return Name(str(tree.children[0]), span)
        case "call":
            predicate, arguments = nodes(tree)
            name = read_predicate(predicate, source)
            return _operation(name.name, nodes(arguments), name.span, span, source)
        case _:
            return Constant(_value(tree, source), span)


def read_predicate(tree: Node, source: Source) -> Name:
    """Return the name of an event, an attribute or a rule, whether in quotes or not."""
    token, span = tree.children[0], span_of(tree, source)
    assert isinstance(token, Token)
    return Name(read_quoted(str(token), span) if token.type == "QUOTED" else str(token), span)


def _operation(function: str, operands: tuple[Node, ...], place: Span, span: Span, source: Source) -> Operation:
    return Operation(function, tuple(read_term(operand, source) for operand in operands), place, span)


def _negative(tree: Node, source: Source) -> Term:
    """Return the negation of a term; that of a number is a number."""
    span = span_of(tree, source)
    inside = tree.children[0]
    if isinstance(inside, Tree) and rule_of(inside) == "number":
        inside = inside.children[0]
    if isinstance(inside, Token):
        return Constant(read_number(inside, source, negative=True), span)
    [operand] = nodes(tree)
    return Operation("neg", (read_term(operand, source),), span, span)


def _value(tree: Node, source: Source) -> Value:
    span = span_of(tree, source)
    match rule_of(tree), tree.children:
        case "number", [Token() as token]:
            return read_number(token, source)
        case "negative", [Token() as token]:
            return read_number(token, source, negative=True)
        case "duration", [Token() as token]:
            return Duration.parse(str(token), span).ticks
        case "string", [Token() as token]:
            return read_escapes(str(token), span)
        case "quoted", [Token() as token]:
            return read_quoted(str(token), span)
        case "word", [Token() as token]:
            return str(token)
        case "list", _:
            return tuple(_value(item, source) for item in nodes(tree))
        case rule, _:
            return _WORDS[rule]
