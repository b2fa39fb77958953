"""The numbers of a text: lengths of time, rates and counts."""

from lark import Token

from cepheid.algebra.programs import Arrival
from cepheid.diagnostics import Source
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.grammars import Node, rule_of, span_of
from cepheid.languages.shared.lengths import read_length, read_unit
from cepheid.languages.shared.literals import read_number
from cepheid.languages.shared.term_reading import nodes


def length_of(tree: Node, source: Source, time_unit: int, *, positive: bool = False) -> int:
    """Return a length of time; where it must be `positive`, zero is refused."""
    [token] = _tokens(tree)
    ticks = read_length(token, source, time_unit)
    if positive and ticks == 0:
        message, hint = "a length of time is zero here", "write a length that is more than nothing: `1 ms`"
        raise refusal("bad-declaration", message, span_of(token, source), "no time at all", hint)
    return ticks


def arrival_of(tree: Node, source: Source, time_unit: int) -> Arrival:
    """Return the rate `5/s`, or `5/100 ms`."""
    [number] = _tokens(tree)
    _, per = nodes(tree)
    if rule_of(per) == "length":
        length = length_of(per, source, time_unit, positive=True)
    else:
        length = read_unit(_tokens(per)[0], source)
    return Arrival(_count(number, source, "rate stock 5/s."), length)


def key_count(tree: Node, source: Source) -> int:
    """Return how many values a key has at most."""
    [number] = _tokens(tree)
    return _count(number, source, "keys stock 1000.")


def repeat_count(tree: Node, source: Source) -> int:
    """Return how often something is repeated."""
    [number] = [token for token in _tokens(tree) if token.type == "NUMBER"]
    return _count(number, source, "ntimes(a, 3)")


def _count(token: Token, source: Source, example: str) -> int:
    number = read_number(token, source)
    if isinstance(number, int) and number > 0:
        return number
    message, label = f"`{token}` counts nothing", "not a positive whole number"
    hint = f"write a whole number that is at least 1: `{example}`"
    raise refusal("bad-declaration", message, span_of(token, source), label, hint)


def _tokens(tree: Node) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]
