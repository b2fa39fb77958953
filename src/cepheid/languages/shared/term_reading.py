"""Terms out of the tree that `expressions.lark` gives."""

from typing import Final

from lark import Token, Tree

from cepheid.diagnostics import Source, Span
from cepheid.events import Duration, Value
from cepheid.languages.shared.grammars import Node, rule_of, span_of
from cepheid.languages.shared.literals import read_name, read_number, read_string
from cepheid.languages.shared.terms import Constant, Member, Name, Operation, Term

_WORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": None}
_SIGNS: Final = {"=": "==", "≠": "!=", "≤": "<=", "≥": ">="}
"""Other ways to write an operator, for grammars that have them."""


def read_term(tree: Node, source: Source) -> Term:
    """Return the term that a tree of the rule `condition` is."""
    match rule_of(tree):
        case "infix":
            left, sign, right = nodes(tree)
            written = str(sign.children[0])
            return _operation(_SIGNS.get(written, written), (left, right), span_of(sign, source), tree, source)
        case "or_" | "and_" | "not_" as rule:
            return _operation(rule.rstrip("_"), nodes(tree), span_of(tree, source), tree, source)
        case "negative":
            return _negative(tree, source)
        case "lone_name":
            return read_name_node(nodes(tree)[0], source)
        case "member":
            part, name = (read_name_node(node, source) for node in nodes(tree))
            return Member(part, name.name, span_of(tree, source))
        case "call":
            function, *arguments = nodes(tree)
            name = read_name_node(function, source)
            return _operation(name.name, tuple(arguments), name.span, tree, source)
        case "member_call":
            owner, function, *arguments = nodes(tree)
            place = span_of(owner, source).to(span_of(function, source))
            names = (read_name_node(node, source).name for node in (owner, function))
            return _operation(".".join(names), tuple(arguments), place, tree, source)
        case _:
            return Constant(_value(tree, source), span_of(tree, source))


def read_name_node(tree: Node, source: Source) -> Name:
    """Return the name that a tree of the rule `name` is."""
    [token] = tree.children
    assert isinstance(token, Token)
    return Name(read_name(token, source), span_of(tree, source))


def nodes(tree: Node) -> tuple[Node, ...]:
    """Return the nodes directly under a node."""
    return tuple(child for child in tree.children if isinstance(child, Tree))


def _operation(function: str, operands: tuple[Node, ...], place: Span, tree: Node, source: Source) -> Operation:
    arguments = tuple(read_term(operand, source) for operand in operands)
    return Operation(function, arguments, place, span_of(tree, source))


def _negative(tree: Node, source: Source) -> Term:
    """Return the negation of a term; that of a number is a number."""
    [operand] = nodes(tree)
    span = span_of(tree, source)
    match rule_of(operand), operand.children:
        case "number", [Token() as token]:
            return Constant(read_number(token, source, negative=True), span)
        case "duration", [Token() as token]:
            return Constant(-Duration.parse(str(token), span_of(token, source)).ticks, span)
        case _:
            return Operation("neg", (read_term(operand, source),), span, span)


def _value(tree: Node, source: Source) -> Value:
    match rule_of(tree), tree.children:
        case "number", [Token() as token]:
            return read_number(token, source)
        case "negative_number", [Token() as token]:
            return read_number(token, source, negative=True)
        case "duration", [Token() as token]:
            return Duration.parse(str(token), span_of(token, source)).ticks
        case "string", [Token() as token]:
            return read_string(token, source)
        case "list", items:
            return tuple(_value(item, source) for item in items if isinstance(item, Tree))
        case rule, _:
            return _WORDS[rule]
