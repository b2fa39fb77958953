"""Numbers, lengths and points of time: windows, schedules, and what a source says about its template."""

from typing import Final

from lark import Token

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.programs import Arrival
from cepheid.algebra.schedules import DAYS
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source
from cepheid.events import Duration, parse_time
from cepheid.languages.parte.syntax import Clause, Tick, Window
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.grammars import Node, rule_of, span_of
from cepheid.languages.shared.lengths import read_unit
from cepheid.languages.shared.literals import read_number
from cepheid.languages.shared.term_reading import nodes, read_name_node

LARGEST_LIST: Final = 1000


def read_window(tree: Node, source: Source) -> Window:
    """Return the two bounds of a window."""
    low, high = (_bound(node, source) for node in nodes(tree))
    return Window(low, high, span_of(tree, source))


def _bound(tree: Node, source: Source) -> int | None:
    *sign, token = _tokens(tree)
    if token == "*":
        return None
    ticks = _bare(token, source) if token.type == "NUMBER" else _length(token, source)
    return -ticks if sign else ticks


def _bare(token: Token, source: Source) -> int:
    """Return nothing at all, the one length that needs no unit."""
    if float(token) == 0:
        return 0
    label, hint = "this number has no unit", f"write the unit, for example `{token} s`"
    raise refusal("bad-duration", f"`{token}` is not a duration", span_of(token, source), label, hint)


def read_schedule(tree: Node, source: Source) -> Expr:
    """Return the points of time that a pattern names."""
    tokens = _tokens(tree)
    match rule_of(tree):
        case "at":
            return Call("at", (Literal(parse_time(str(tokens[0]), place=span_of(tokens[0], source))),))
        case "every":
            return Call("every", (Literal(_positive(tokens[0], source)), Literal(0)))
        case "weekly":
            return Call("weekly", (Literal(_day(tokens[0], source)), *_clock(tokens[1:])))
        case _:
            return Call("daily", _clock(tokens))


def _clock(tokens: list[Token]) -> tuple[Literal, Literal]:
    time, zone = map(str, tokens)
    return Literal(time.zfill(len(time) + (time.index(":") == 1))), Literal(zone)


def _day(token: Token, source: Source) -> str:
    day = token[:3].lower()
    if day in DAYS:
        return day
    hint = f"write {', '.join(f'`{name}`' for name in DAYS[:-1])} or `{DAYS[-1]}`"
    message, label = f"there is no day `{token}` of the week", "not a day"
    raise refusal("bad-schedule", message, span_of(token, source), label, hint)


def read_clause(tree: Node, source: Source) -> Clause:
    """Return what one clause of a source says."""
    span = span_of(tree, source)
    match rule_of(tree):
        case "rate":
            return Clause("arrival", _rate(tree, source), span)
        case "spacing":
            return Clause("arrival", Arrival(1, _positive(_tokens(tree)[0], source), spaced=True), span)
        case "counted":
            return Clause("sources", _count(_tokens(tree)[0], source, "from 2 sources"), span)
        case "named":
            return Clause("sources", tuple(read_name_node(node, source).name for node in nodes(tree)), span)
        case "disorder":
            return Clause("disorder", _length(_tokens(tree)[0], source), span)
        case _:
            return Clause("keys", _count(_tokens(tree)[0], source, "keys 1000"), span)


def _rate(tree: Node, source: Source) -> Arrival:
    number, per = _tokens(tree)
    length = _positive(per, source) if per.type == "DURATION" else read_unit(per, source)
    return Arrival(_count(number, source, "10 per ms"), length)


def read_tick(tree: Node, source: Source) -> Tick:
    """Return the step of time that a text declares."""
    return Tick(_positive(_tokens(tree)[0], source), span_of(tree, source))


def read_size(token: Token, source: Source) -> int:
    """Return how many entries a list has at most."""
    size = _count(token, source, "[AccountId; 3]")
    if size <= LARGEST_LIST:
        return size
    hint = f"write a smaller number: `{LARGEST_LIST}`"
    label = f"more than {LARGEST_LIST}"
    raise refusal("bad-declaration", f"a list of {size} is too long", span_of(token, source), label, hint)


def _length(token: Token, source: Source) -> int:
    return Duration.parse(str(token), span_of(token, source)).ticks


def _positive(token: Token, source: Source) -> int:
    ticks = _length(token, source)
    if ticks > 0:
        return ticks
    message, hint = "a length of time is zero here", "write a length that is more than nothing: `1 ms`"
    raise refusal("bad-declaration", message, span_of(token, source), "no time at all", hint)


def _count(token: Token, source: Source, example: str) -> int:
    number = read_number(token, source)
    if isinstance(number, int) and number > 0:
        return number
    message, label = f"`{token}` is no number of things", "not a positive whole number"
    hint = f"write a whole number that is at least 1: `{example}`"
    raise CepheidError(Diagnostic("bad-declaration", message, (Label(span_of(token, source), label),), hints=(hint,)))


def _tokens(tree: Node) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]
