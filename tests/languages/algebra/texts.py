"""Random texts of the algebra: terms as they would be written, and whole programs."""

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from tests.oracles.algebra_terms import (
    Conjunction,
    Disjunction,
    Negation,
    Primitive,
    Sequence,
    Term,
    Within,
)

Draw = Callable[[st.SearchStrategy[str]], str]

SIGNS: Final = {Disjunction: ("|", "or"), Conjunction: ("+", "and"), Negation: ("-", "minus"), Sequence: (";", "then")}


def text_of(term: Term) -> str:
    """Return a term with all its parentheses; lengths count ticks."""
    match term:
        case Primitive(name):
            return name
        case Within(inner, longest):
            return f"({text_of(inner)} within {longest} us)"
        case _:
            return f"({text_of(term.left)} {SIGNS[type(term)][0]} {text_of(term.right)})"


TYPES = st.sampled_from(["A", "B", "Button", "Alarm_2", "`two words`", "`tick`", "`then`", "naïve"])
ATTRIBUTES = st.sampled_from(["value", "user", "rate", "`in`", "`a b`"])
NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr)
)
LITERALS = st.one_of(
    NUMBERS,
    st.text(max_size=5).map(
        lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    ),
    st.sampled_from(["true", "false", "null", "5 s", "-250 ms", "[1, -2.5, [true]]", "[]"]),
)


def _larger_value(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(
            lambda left, sign, right: f"({left} {sign} {right})",
            values,
            st.sampled_from(["+", "-", "*", "/", "//", "%"]),
            values,
        ),
        st.builds(lambda value: f"-({value})", values),
        st.builds(lambda value: f"abs({value})", values),
        st.builds(lambda one, two: f"coalesce({one}, {two})", values, values),
    )


def _larger_condition(conditions: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(
            lambda left, word, right: f"({left} {word} {right})", conditions, st.sampled_from(["and", "or"]), conditions
        ),
        st.builds(lambda condition: f"not {condition}", conditions),
    )


def conditions(names: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Conditions over values that are made of `names` and literals."""
    values = st.recursive(st.one_of(names, LITERALS), _larger_value, max_leaves=3)
    comparing = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in"])
    comparisons = st.builds(lambda left, sign, right: f"({left} {sign} {right})", values, comparing, values)
    return st.recursive(st.one_of(comparisons, names), _larger_condition, max_leaves=3)


PRIMITIVES = st.builds(
    lambda name, condition: name + (f"[{condition}]" if condition else ""),
    TYPES,
    st.one_of(st.none(), st.none(), conditions(ATTRIBUTES)),
)
LENGTHS = st.sampled_from(["2 s", "0 s", "1 h 30 min", "250 ms", "3", "0.5", "7 us"])
OPERATORS = st.sampled_from([sign for signs in SIGNS.values() for sign in signs])


def _larger(expressions: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    keys = st.lists(ATTRIBUTES, min_size=1, max_size=2).map(", ".join)
    return st.one_of(
        st.builds(lambda left, sign, right: f"({left}\n {sign} {right})", expressions, OPERATORS, expressions),
        st.builds(lambda left, sign, right: f"({left} {sign} {right})", expressions, OPERATORS, expressions),
        st.builds(lambda inner, longest: f"({inner} within {longest})", expressions, LENGTHS),
        st.builds(lambda inner, key: f"({inner} by {key})", expressions, keys),
    )


EXPRESSIONS = st.recursive(PRIMITIVES, _larger, max_leaves=5)
DECLARATIONS = st.sampled_from(
    [
        "tick 1 ms",
        "policy all",
        "policy latest-start",
        "rate A 5/s",
        "rate B 3/250 ms",
        "rate Button every 200 ms",
        "disorder A 2 s",
        "disorder `two words` 0 s",
        "keys B 1000",
        "let Short = A ; B",
    ]
)


VALUES_OF: Final = {name: conditions(st.just(f"{name}.value")) for name in "xy"}


def _subject(line: str) -> tuple[str, ...]:
    """What a declaration is about: it can be declared once."""
    word, subject, *_ = line.split()
    return (word,) if word in ("tick", "policy") else (word, subject)


@st.composite
def programs(draw: Draw) -> str:
    """Return a text with some declarations and a few definitions, of which the last may use the others."""
    declared = draw(st.lists(DECLARATIONS, max_size=4, unique_by=_subject).map("\n".join))
    first = draw(EXPRESSIONS)
    lines = [declared, f"First = {first}"]
    labelled = draw(st.sampled_from(["x:A ; y:B", "(x:A | x:B) + Button", "(y:Button - x:B) within 3", "A ; x:A"]))
    name = "y" if "- x" in labelled else "x"
    value = draw(VALUES_OF[name])
    lines.append(f"Second = {labelled} emits seen = {value}, late = end({name}) - start({name}) > 5 s")
    lines.append(f"Third = {draw(st.sampled_from(['First', 'Second', 'First ; Second', 'Second[seen] - First']))}")
    return "\n".join(line for line in lines if line)
