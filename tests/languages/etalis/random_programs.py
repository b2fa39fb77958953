"""Random texts of ETALIS: up to five rules, each of which may read what the ones before it derive."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]  # whatever the strategy makes

INPUTS = ("a", "b", "c")
VARIABLES = ("X", "Y")
OPERATORS = ("SEQ", "SEQ", "AND", "PAR", "EQUALS", "MEETS", "DURING", "STARTS", "FINISHES")
POLICIES = (
    "unrestricted",
    "recent",
    "chronological",
    "recent tie longer",
    "chronological tie longer",
    "recent tie greatest arg1",
    "chronological tie greatest arg1",
)


@dataclass(frozen=True)
class Drawn:
    """A pattern, the variables that it binds, and those that occur in it without a value outside."""

    text: str
    bound: frozenset[str]
    loose: frozenset[str] = frozenset()


def _argument(draw: Draw) -> str:
    return str(draw(st.sampled_from(["X", "X", "Y", "_", "1"])))


def _atom(draw: Draw, kinds: tuple[str, ...]) -> Drawn:
    argument = _argument(draw)
    return Drawn(f"{draw(st.sampled_from(kinds))}({argument})", frozenset({argument}) & set(VARIABLES))


def _joined(draw: Draw, kinds: tuple[str, ...], left: Drawn, right: Drawn) -> Drawn:
    if (left.loose & (right.bound | right.loose)) or (right.loose & left.bound):
        right = Drawn(f"{draw(st.sampled_from(kinds))}(_)", frozenset())
    operator = draw(st.sampled_from(OPERATORS))
    return Drawn(f"({left.text} {operator} {right.text})", left.bound | right.bound, left.loose | right.loose)


def _either(left: Drawn, right: Drawn) -> Drawn:
    bound = left.bound & right.bound
    every = left.bound | right.bound | left.loose | right.loose
    return Drawn(f"({left.text} OR {right.text})", bound, every - bound)


def _conditional(draw: Draw, inner: Drawn) -> Drawn:
    variable = draw(st.sampled_from(sorted(inner.bound)))
    condition = draw(
        st.sampled_from([f"{variable} > 0", f"{variable} == 1", f"{variable} + 1 < 2", f"not {variable} = 0"])
    )
    return Drawn(f"({inner.text} WHERE ({condition}))", inner.bound, inner.loose)


def _absence(draw: Draw, kinds: tuple[str, ...], size: int) -> Drawn:
    first, last, absent = (_pattern(draw, kinds, max(1, size - 2)) for _ in range(3))
    pair = _joined(draw, kinds, first, last)
    inner = (
        Drawn(last.text, last.bound, last.loose) if pair.text.endswith(f"{last.text})") else Drawn("b(_)", frozenset())
    )
    bound = first.bound | inner.bound
    loose = first.loose | inner.loose | ((absent.bound | absent.loose) - bound)
    if absent.loose & bound:
        absent = Drawn("c(_)", frozenset())
    return Drawn(f"NOT({absent.text}).[{first.text}, {inner.text}]", bound, loose - bound)


def _pattern(draw: Draw, kinds: tuple[str, ...], size: int) -> Drawn:
    """Return a pattern of at most `size` events or so."""
    if size <= 1:
        return _atom(draw, kinds)
    match draw(st.sampled_from(["join", "join", "join", "or", "where", "limit", "not", "repeat", "point"])):
        case "join":
            return _joined(draw, kinds, _pattern(draw, kinds, size - 1), _pattern(draw, INPUTS, 1))
        case "or":
            return _either(_pattern(draw, kinds, size - 1), _pattern(draw, INPUTS, 1))
        case "where":
            inner = _pattern(draw, kinds, size)
            return _conditional(draw, inner) if inner.bound else inner
        case "limit":
            inner = _pattern(draw, kinds, size)
            return Drawn(f"({inner.text}).{draw(st.integers(0, 5))} us", inner.bound, inner.loose)
        case "not":
            return _absence(draw, kinds, size)
        case "repeat":
            inner = _pattern(draw, kinds, draw(st.integers(1, 2)))
            repeated = draw(st.sampled_from(["ntimes({}, 2)", "star({})", "(star({})).3 us"]))
            return Drawn(repeated.format(inner.text), inner.bound, inner.loose)
        case _:
            inner = _pattern(draw, kinds, size - 1)
            operator = draw(st.sampled_from(["SEQ", "DURING", "AND"]))
            return Drawn(f"({draw(st.integers(0, 7))} us {operator} {inner.text})", inner.bound, inner.loose)


@st.composite
def programs(draw: Draw, most: int = 5) -> str:
    """Return a text of up to `most` rules; the last ones read what the first ones derive."""
    lines = [f"policy {draw(st.sampled_from(POLICIES))}."] if draw(st.booleans()) else []
    derived: list[str] = []
    for number in range(1, draw(st.integers(1, most)) + 1):
        kinds = (*INPUTS, *derived[-2:])
        pattern = _pattern(draw, kinds, draw(st.integers(1, 3)))
        value = draw(st.sampled_from([*sorted(pattern.bound), "1"]))
        policy = f" policy {draw(st.sampled_from(POLICIES))}" if draw(st.integers(0, 3)) == 0 else ""
        lines.append(f"r{number}({value}) <- {pattern.text}{policy}.")
        derived.append(f"r{number}")
    return "\n".join(lines)


def _bounded(draw: Draw, kinds: tuple[str, ...], size: int) -> Drawn:
    """Return a pattern of at most `size` events or so, in which nothing waits for ever."""
    if size <= 1:
        return _atom(draw, kinds)
    match draw(st.sampled_from(["join", "join", "join", "or", "where", "not"])):
        case "or":
            return _either(_bounded(draw, kinds, size - 1), _atom(draw, kinds))
        case "where":
            inner = _bounded(draw, kinds, size)
            return _conditional(draw, inner) if inner.bound else inner
        case "not":
            inner = _absence(draw, kinds, 1)
        case _:
            inner = _joined(draw, kinds, _bounded(draw, kinds, size - 1), _atom(draw, kinds))
    return Drawn(f"({inner.text}).{draw(st.integers(1, 6))} us", inner.bound, inner.loose)


@st.composite
def bounded_chains(draw: Draw, most: int = 5) -> str:
    """Return a text of up to `most` rules that feed each other, and of which none waits for ever."""
    lines = [f"policy {draw(st.sampled_from(POLICIES[:5]))}."]
    kinds: tuple[str, ...] = INPUTS
    for number in range(1, draw(st.integers(2, most)) + 1):
        pattern = _bounded(draw, kinds, draw(st.integers(1, 3)))
        value = draw(st.sampled_from([*sorted(pattern.bound), "1"]))
        lines.append(f"r{number}({value}) <- {pattern.text}.")
        kinds = (*kinds[-3:], f"r{number}", f"r{number}")
    return "\n".join(lines)
