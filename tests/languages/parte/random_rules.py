"""Random rules of PARTElang: as text, and as a pattern of its event algebra."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from cepheid.events import Event
from tests.oracles.event_algebra import COMPARE, TIMESTAMP, Attribute, Comparison, EventPattern
from tests.properties.event_algebra_lowering import Part, Window, event_pattern
from tests.properties.traces import KEYED, TYPES, traces

_SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    "==": ("=", "=="),
    "!=": ("!=", "≠"),
    "<=": ("<=", "≤"),
    ">=": (">=", "≥"),
}


def variables(parts: Sequence[Part]) -> list[str]:
    """Return the variables that are in every match."""
    return [part.variable for part in parts if not part.negated]


def event_pattern_of(parts: Sequence[Part]) -> EventPattern:
    """Return the pattern of the event algebra; what is absent comes after all that its windows speak of."""
    there = [part for part in parts if not part.negated]
    return event_pattern([*there, *(part for part in parts if part.negated)])


def program_text(parts: Sequence[Part], sources: str = "") -> str:
    """Return a text with one rule, which emits the ids of its events."""
    found = ", ".join(f"{name} : Integer" for name in variables(parts))
    templates = [f"template {name} {{ id : Integer, k : Integer, v : Integer }}" for name in TYPES]
    return "\n".join([*templates, f"template Found {{ {found} }}", sources, rule_text(parts)])


def rule_text(parts: Sequence[Part], name: str = "R") -> str:
    """Return a rule as it could be written."""
    lines = [("no " if part.negated else "") + _window(one) for part in parts for one in part.windows]
    ids = ", ".join(f"{one} = {one}.id" for one in variables(parts))
    patterns = ",\n  ".join(map(_pattern, parts))
    when = "\n  ".join(["when", *lines])
    return f"rule {name} where\n  {patterns}\n{when}\nthen emit Found at {parts[0].variable}.timestamp with {{ {ids} }}"


def _pattern(part: Part) -> str:
    conditions = ", ".join(_condition(one, part.variable) for one in part.conditions)
    head = f"{'no ' if part.negated else ''}{part.variable} : {part.relation}"
    return f"{head} {{ {conditions} }}" if conditions else head


def _condition(comparison: Comparison, own: str) -> str:
    signs = _SIGNS.get(comparison.operator, (comparison.operator,))
    sign = signs[comparison.plus % len(signs)]
    plus = f" + {comparison.plus}" if comparison.plus else ""
    return f"{_operand(comparison.left, own)} {sign} {_operand(comparison.right, own)}{plus}"


def _operand(operand: Attribute | int, own: str) -> str:
    if isinstance(operand, int):
        return str(operand)
    return operand.name if operand.variable == own else f"{operand.variable}.{operand.name}"


def _window(window: Window) -> str:
    return f"{window.variable} in {window.other} [{window.low} us, {window.high} us]"


@st.composite
def _rules(draw: st.DrawFn) -> list[Part]:
    """One to four positive patterns, and up to two negated ones anywhere after the first."""
    negated = [False, *draw(st.permutations([False] * draw(st.integers(0, 3)) + [True] * draw(st.integers(0, 2))))]
    names = [f"x{number}" for number in range(len(negated))]
    there = [name for name, absent in zip(names, negated, strict=True) if not absent]
    parts: list[Part] = []
    for name, absent in zip(names, negated, strict=True):
        bound = [part.variable for part in parts if not part.negated]
        anchors = [one for one in there if one != name] if absent else bound
        windows = draw(_windows(name, anchors)) if anchors else ()
        most = 2 if absent else draw(st.sampled_from([0, 0, 1, 2]))
        conditions = tuple(draw(st.lists(_comparisons(name, bound), max_size=most)))
        parts.append(Part(name, draw(st.sampled_from("aab")), conditions, windows, absent))
    return parts


@st.composite
def _windows(draw: st.DrawFn, variable: str, anchors: Sequence[str]) -> tuple[Window, ...]:
    """One window or two, with any signs and any width, none included."""
    found = []
    for _ in range(draw(st.sampled_from([1, 1, 1, 2]))):
        low = draw(st.integers(-4, 1))
        high = low + draw(st.sampled_from([0, 2, 4, 5, 6]))
        found.append(Window(variable, draw(st.sampled_from(anchors)), low, high))
    return tuple(found)


def _comparisons(variable: str, bound: Sequence[str]) -> st.SearchStrategy[Comparison]:
    names = st.sampled_from(["k", "v", "id", TIMESTAMP])
    others: st.SearchStrategy[Attribute | int] = st.integers(0, 3)
    if bound:
        others = st.one_of(others, st.builds(Attribute, st.sampled_from(bound), names))
    mine = st.builds(Attribute, st.just(variable), names)
    operators = st.sampled_from([*sorted(COMPARE), "!=", "<=", ">=", "!="])
    return st.builds(Comparison, mine, operators, others, st.sampled_from([0, 0, 1]))


def _identified(trace: list[Event]) -> list[Event]:
    """Return a trace whose events know their own id."""
    return [replace(event, fields={**event.fields, "id": event.id}) for event in trace]


RULES = _rules()
TRACES = traces("aabc", latest=5, least=4, fields=KEYED).map(_identified)
SMALL_TRACES = traces("aab", latest=5, least=3, most=6, fields=KEYED).map(_identified)
