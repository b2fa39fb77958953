"""Random queries of every language, converted to `cep`: is it the same program, and does it keep its matches?

Run as a program it goes through so many queries of each language, from a seed, and prints how many of them had matches:

    python -m tests.languages.cep.conversion 5000 7
    python -m tests.languages.cep.conversion 5000 7 hbl json
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from cepheid.algebra.json_form import program_to_json
from cepheid.algebra.matches import same_matches
from cepheid.algebra.programs import Program, Ties
from cepheid.algebra.semantics import matches
from cepheid.events import Event, sort_events
from cepheid.languages import LANGUAGES, cep, hbl, json_form
from cepheid.testing.cases import Draw, random_case
from cepheid.testing.strategies import drawn
from tests.engine_runner import EngineRunner
from tests.languages.algebra.texts import EXPRESSIONS
from tests.languages.etalis.random_programs import programs as etalis_texts
from tests.languages.hbl.random_watchpoints import random_watchpoints
from tests.languages.parte.soak_cases import soak_case
from tests.properties.traces import traces

UNIT: Final = 1_000_000
HALF: Final = UNIT // 2
SEEDS: Final = st.integers(0, 10**9)


@dataclass(frozen=True, slots=True)
class Query:
    """A query of a language, and events for it."""

    program: Program
    trace: tuple[Event, ...]


@st.composite
def _algebra(draw: st.DrawFn) -> Query:
    policy = draw(st.sampled_from(["latest-start", "all"]))
    program = LANGUAGES["algebra"].parse(draw(EXPRESSIONS), policy=policy)  # type: ignore[call-arg]  # it has one
    fields = {"value": st.integers(0, 3), "user": st.sampled_from([1, 2]), "rate": st.just(1)}
    named = ["A", "B", "Button"]
    rows = st.lists(st.tuples(st.sampled_from(named), st.integers(0, 5), st.fixed_dictionaries(fields)), max_size=7)
    found = draw(rows)
    trace = (Event(kind, time * HALF, time * HALF, number, values) for number, (kind, time, values) in enumerate(found))
    return Query(program, tuple(trace))


@st.composite
def _etalis(draw: st.DrawFn) -> Query:
    program = LANGUAGES["etalis"].parse(draw(etalis_texts(most=3)))
    values = {"arg1": st.sampled_from([1, 1, 1, 0, None])}
    return Query(program, tuple(draw(traces(least=3, most=6, longest=3, fields=values))))


def _parte(seed: int) -> Query:
    case = soak_case(seed)
    return Query(case.program, tuple(case.trace))


@st.composite
def _hbl(draw: st.DrawFn) -> Query:
    text = draw(drawn(_watchpoint_text))
    values = {"key": st.sampled_from([1, 2, None]), "value": st.integers(0, 3)}
    return Query(hbl.parse(text, time_unit=1), tuple(draw(traces(least=3, most=7, fields=values))))


def _watchpoint_text(draw: Draw) -> str:
    return random_watchpoints(draw)[0]


def _native(seed: int) -> Query:
    case = random_case(seed)
    ties = Ties.ARRIVAL if seed % 2 else Ties.SIMULTANEOUS
    return Query(replace(case.program, ties=ties), case.trace)


def _from_json(seed: int) -> Query:
    case = random_case(seed)
    return Query(json_form.parse(json_form.show(case.program)), case.trace)


QUERIES: Final[Mapping[str, st.SearchStrategy[Query]]] = {
    "algebra": _algebra(),
    "etalis": _etalis(),
    "parte": SEEDS.map(_parte),
    "hbl": _hbl(),
    "cep": SEEDS.map(_native),
    "json": SEEDS.map(_from_json),
}


def changed(query: Query) -> str | None:
    """Return what is not as it was after a query was converted to `cep`; None if all is."""
    shown = cep.show(query.program)
    found = cep.parse(shown, time_unit=UNIT)
    if program_to_json(found) != program_to_json(query.program):
        return f"another program:\n{shown}"
    if cep.show(found) != shown:
        return f"another text:\n{shown}"
    if not same_matches(matches(found, query.trace), matches(query.program, query.trace)):
        return f"other matches:\n{shown}"
    if any(stream.sources for stream in found.streams) or found.ties is Ties.ARRIVAL:
        return None
    counted = [replace(event, number=number) for number, event in enumerate(sort_events(query.trace))]
    if not same_matches(EngineRunner().run(found, counted).matches, matches(found, counted)):
        return f"other matches of the engine:\n{shown}"
    return None


def converted(language: str, count: int, first: int | None = None) -> Counter[str]:
    """Convert so many queries of a language, and return how many there were and how many had matches.

    With a seed `first` they are the same ones each time.
    """
    seen: Counter[str] = Counter()

    unhurried = settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))

    @settings(unhurried, max_examples=count)
    @given(QUERIES[language])
    def one(query: Query) -> None:
        wrong = changed(query)
        assert wrong is None, wrong
        seen["queries"] += 1
        seen["with matches"] += bool(matches(query.program, query.trace))

    (one if first is None else seed(first)(one))()
    return seen


if __name__ == "__main__":
    count, first = (int(word) for word in sys.argv[1:3])
    for name in sys.argv[3:] or QUERIES:
        figures = converted(name, count, first)
        print(
            f"{name}: {figures['queries']} queries kept, {figures['with matches']} with matches (seed {first})",
            flush=True,
        )
