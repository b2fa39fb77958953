"""Rules with variables derive what unification says, through up to three rules that feed each other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.semantics import matches
from cepheid.events import Event, sort_events
from cepheid.languages.etalis import parse
from tests.engine_runner import EngineRunner
from tests.oracles.unification import Fact, Way, atoms, either, joined, kept, without_between
from tests.properties.traces import traces

Found = Callable[[Sequence[Fact]], list[Way]]
INPUTS = ("a", "b", "c")
OPERATORS = ["SEQ", "AND", "PAR", "DURING", "MEETS"]


@dataclass(frozen=True)
class Written:
    """A pattern as it is written, how it is found, and the variables that it binds; no other occurs outside."""

    text: str
    found: Found
    bound: frozenset[str]
    loose: frozenset[str] = frozenset()


def _atom(kind: str, argument: str | int | None) -> Written:
    shown = "_" if argument is None else str(argument)
    bound = frozenset([argument]) if isinstance(argument, str) else frozenset[str]()
    return Written(f"{kind}({shown})", lambda history: atoms(kind, argument, history), bound)


def _clash(left: Written, right: Written) -> bool:
    return bool(left.loose & (right.bound | right.loose) or right.loose & left.bound)


def _joined(operator: str, left: Written, right: Written) -> Written:
    if _clash(left, right):
        return left
    text = f"({left.text} {operator} {right.text})"
    bound, loose = left.bound | right.bound, left.loose | right.loose
    return Written(text, lambda history: joined(operator, left.found(history), right.found(history)), bound, loose)


def _either(left: Written, right: Written) -> Written:
    bound = left.bound & right.bound
    loose = (left.bound | right.bound | left.loose | right.loose) - bound
    text = f"({left.text} OR {right.text})"
    return Written(text, lambda history: either(left.found(history), right.found(history), bound), bound, loose)


def _absence(absent: Written, first: Written, last: Written) -> Written:
    if _clash(first, last) or absent.loose & (first.bound | last.bound):
        return first
    bound = first.bound | last.bound
    loose = first.loose | last.loose | ((absent.bound | absent.loose) - bound)
    text = f"NOT({absent.text}).[{first.text}, {last.text}]"
    parts = (absent, first, last)
    return Written(text, lambda history: without_between(*(part.found(history) for part in parts)), bound, loose)


def _where(inner: Written, least: int) -> Written:
    if not inner.bound:
        return inner
    name = min(inner.bound)

    def holds(way: Way) -> bool:
        value = way.values[name]
        return value is not None and value >= least

    text = f"({inner.text} WHERE ({name} >= {least}))"
    return Written(text, lambda history: kept(inner.found(history), holds), inner.bound, inner.loose)


def _limit(inner: Written, longest: int) -> Written:
    def found(history: Sequence[Fact]) -> list[Way]:
        return kept(inner.found(history), lambda way: way.end - way.start <= longest)

    return Written(f"({inner.text}).{longest} us", found, inner.bound, inner.loose)


def _larger(patterns: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    return st.one_of(
        st.builds(_joined, st.sampled_from(OPERATORS), patterns, patterns),
        st.builds(_joined, st.sampled_from(OPERATORS), patterns, patterns),
        st.builds(_either, patterns, patterns),
        st.builds(_absence, patterns, patterns, patterns),
        st.builds(_where, patterns, st.integers(0, 1)),
        st.builds(_limit, patterns, st.integers(0, 5)),
    )


def patterns(kinds: Sequence[str]) -> st.SearchStrategy[Written]:
    """Patterns over events of some kinds."""
    arguments = st.sampled_from(["X", "X", "Y", None, 1])
    return st.recursive(st.builds(_atom, st.sampled_from(kinds), arguments), _larger, max_leaves=4)


@st.composite
def programs(draw: st.DrawFn) -> list[tuple[str, Written]]:
    """Return up to three patterns, each with what its rule tells; a rule may read what the ones before it derive."""
    found: list[tuple[str, Written]] = []
    for number in range(draw(st.integers(1, 3))):
        pattern = draw(patterns([*INPUTS, *(f"r{earlier}" for earlier in range(number))]))
        found.append((draw(st.sampled_from([*sorted(pattern.bound), "1"])), pattern))
    return found


def derived(rules: list[tuple[str, Written]], trace: list[Event]) -> list[Fact]:
    """Return what the rules derive, one after the other."""
    history = [Fact(event.type, event.start, event.end, _value(event.fields["arg1"])) for event in trace]
    known = len(history)
    for number, (value, pattern) in enumerate(rules):
        ways = pattern.found(history)
        history += [Fact(f"r{number}", way.start, way.end, way.values.get(value, 1)) for way in ways]
    return history[known:]


def _value(value: object) -> int | None:
    return value if isinstance(value, int) else None


@given(programs(), traces(least=3, most=6, longest=2, fields={"arg1": st.sampled_from([0, 1, 1, None])}))
def test_rules_derive_what_unification_says(rules: list[tuple[str, Written]], trace: list[Event]) -> None:
    program = parse("\n".join(f"r{number}({value}) <- {one.text}." for number, (value, one) in enumerate(rules)))
    wanted = sorted((fact.kind, fact.start, fact.end, repr(fact.value)) for fact in derived(rules, trace))
    for found in (matches(program, trace), EngineRunner().run(program, sort_events(trace)).matches):
        told = sorted((one.name, one.start, one.end, repr(one.values["arg1"])) for one in found)
        assert told == wanted
