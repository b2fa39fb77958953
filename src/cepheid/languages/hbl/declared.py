"""The numbers and words of declarations: rates, counts and ties."""

from lark import Token

from cepheid.algebra.programs import Arrival, Ties
from cepheid.diagnostics import Source, close_match
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.grammars import Node, rule_of, span_of
from cepheid.languages.shared.lengths import read_length, read_unit
from cepheid.languages.shared.literals import read_number
from cepheid.languages.shared.term_reading import nodes


def rate_of(tree: Node, source: Source, time_unit: int) -> Arrival:
    """Return the rate `100 per 1 s`, or `100 per s`; spaced ones come at even distances."""
    number, [per] = _tokens(tree)[0], nodes(tree)
    [token] = _tokens(per)
    length = read_length(token, source, time_unit) if rule_of(per) == "length" else read_unit(token, source)
    if length == 0:
        hint = "write a length that is more than nothing: `rate 100 per 1 s`"
        raise refusal("bad-declaration", "a rate is per no time", span_of(token, source), "no time at all", hint)
    return Arrival(_count(number, source), length, spaced=len(_tokens(tree)) > 1)


def count_of(tree: Node, source: Source) -> int:
    """Return the whole number that a statement has, of keys or of records."""
    return _count(_tokens(tree)[0], source)


def ties_of(tree: Node, source: Source) -> Ties:
    """Return what `ties arrival;` says."""
    [token] = _tokens(tree)
    known = {ties.value: ties for ties in Ties}
    if token in known:
        return known[str(token)]
    closest = close_match(str(token), known) or Ties.ARRIVAL.value
    label = f"there are {listed(known)}"
    message = f"`{token}` does not say what holds for records of one time"
    raise refusal("unknown-ties", message, span_of(token, source), label, f"did you mean `ties {closest};`?")


def _count(token: Token, source: Source) -> int:
    number = read_number(token, source)
    if isinstance(number, int) and number > 0:
        return number
    message, label = f"`{token}` counts nothing", "not a positive whole number"
    raise refusal("bad-declaration", message, span_of(token, source), label, "write `1` or more")


def _tokens(tree: Node) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]
