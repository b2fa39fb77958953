"""The numbers and names of declarations: lengths, rates, counts and policies."""

from typing import Final

from lark import Token

from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Arrival
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span, close_match
from cepheid.languages.shared.grammars import Node, rule_of, span_of
from cepheid.languages.shared.lengths import read_length, read_unit
from cepheid.languages.shared.literals import read_number
from cepheid.languages.shared.term_reading import nodes

POLICIES: Final = (Choice.LATEST_START.value, Choice.ALL.value)


def length_of(tree: Node, source: Source, time_unit: int, *, positive: bool = False) -> int:
    """Return the length of time that a statement or a window names."""
    [length] = [node for node in nodes(tree) if rule_of(node) == "length"]
    [token] = _tokens(length)
    ticks = read_length(token, source, time_unit)
    if positive and ticks == 0:
        hint = "write a length that is more than nothing: `1 ms`"
        raise _refusal("a length of time is zero here", span_of(token, source), "no time at all", hint)
    return ticks


def arrival_of(tree: Node, source: Source, time_unit: int) -> Arrival:
    """Return the rate `5/s`, or `5/100 ms`."""
    [number] = _tokens(tree)
    per = nodes(tree)[-1]
    if rule_of(per) == "length":
        length = length_of(tree, source, time_unit, positive=True)
    else:
        length = read_unit(_tokens(per)[0], source)
    return Arrival(_count(number, source, "5/s"), length)


def key_count(tree: Node, source: Source) -> int:
    """Return how many keys a type has at most."""
    return _count(_tokens(tree)[0], source, "1000")


def policy_named(tree: Node, source: Source) -> str:
    """Return the policy that a statement names."""
    tokens = _tokens(tree)
    span = span_of(tokens[0], source).to(span_of(tokens[-1], source))
    return checked_policy("-".join(tokens), span)


def checked_policy(name: str, span: Span) -> str:
    """Return the name of a policy, if it is one of the algebra's."""
    if name in POLICIES:
        return name
    hint = f"did you mean `policy {close_match(name, POLICIES) or POLICIES[0]}`?"
    label = Label(span, "the algebra has `latest-start` and `all`")
    raise CepheidError(Diagnostic("unknown-choice", f"there is no policy `{name}`", (label,), hints=(hint,)))


def _count(token: Token, source: Source, example: str) -> int:
    number = read_number(token, source)
    if isinstance(number, int) and number > 0:
        return number
    hint = f"write a whole number that is at least 1: `{example}`"
    raise _refusal(f"`{token}` does not count events", span_of(token, source), "not a positive whole number", hint)


def _tokens(tree: Node) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]


def _refusal(message: str, span: Span, label: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-declaration", message, (Label(span, label),), hints=(hint,)))
