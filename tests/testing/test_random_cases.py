"""What holds of every random case."""

from itertools import pairwise

import pytest

from cepheid.algebra.json_form import program_from_json, program_to_json
from cepheid.algebra.matches import same_matches
from cepheid.algebra.programs import Program
from cepheid.algebra.text import show
from cepheid.algebra.validation import findings
from cepheid.events import Arrival, Disorder, Duration, sort_events
from cepheid.languages.cep import read_program
from cepheid.testing import Case, random_case
from cepheid.testing.cases.case import most_in
from cepheid.testing.runners import DefinitionRunner

SEEDS = range(200)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [random_case(seed) for seed in SEEDS]


def test_the_same_seed_is_the_same_case(cases: list[Case]) -> None:
    assert [random_case(seed) for seed in SEEDS] == cases


def test_different_seeds_are_different_cases(cases: list[Case]) -> None:
    assert len({show(case.program) for case in cases}) > len(cases) * 0.95


def test_every_program_is_accepted(cases: list[Case]) -> None:
    assert [str(finding) for case in cases for finding in findings(case.program)] == []


def test_every_program_reads_back(cases: list[Case]) -> None:
    programs: list[Program] = [case.program for case in cases]
    assert [read_program(show(program)) for program in programs] == programs
    assert [program_from_json(program_to_json(program)) for program in programs] == programs


def test_a_trace_is_in_the_order_of_its_ends_and_no_id_stands_twice(cases: list[Case]) -> None:
    for case in cases:
        assert all(one.end <= other.end for one, other in pairwise(case.trace))
        assert len({event.id for event in case.trace}) == len(case.trace) <= 10


def test_the_arrivals_are_the_events_of_the_trace(cases: list[Case]) -> None:
    for case in cases:
        firsts = {event.id: event for event in reversed(case.arrivals)}
        assert sort_events(firsts.values()) == sort_events(case.trace)


def test_nothing_arrives_late_and_only_what_was_seen_arrives_twice(cases: list[Case]) -> None:
    for case in cases:
        door = Disorder(Duration(case.disorder))
        seen = [door.see(event) for event in case.arrivals]
        assert Arrival.LATE not in seen
        assert seen.count(Arrival.IN_TIME) == len(case.trace)


def test_arrivals_use_the_disorder_they_are_allowed(cases: list[Case]) -> None:
    disordered = [case for case in cases if case.disorder]
    out_of_order = [case for case in disordered if any(a.end > b.end for a, b in pairwise(case.arrivals))]
    assert len(out_of_order) > len(disordered) / 2


def test_declared_rates_hold(cases: list[Case]) -> None:
    declared = [(case, stream) for case in cases for stream in case.program.streams if stream.arrival]
    assert len(declared) > 15
    for case, stream in declared:
        assert stream.arrival is not None
        assert most_in(case.trace, stream.name, stream.arrival.per) <= stream.arrival.count
        assert stream.disorder == case.disorder


def test_how_events_arrive_changes_nothing(cases: list[Case]) -> None:
    runner = DefinitionRunner()
    for case in cases[:100]:
        arrived = runner.run(case.program, case.arrivals, disorder=case.disorder, cuts=case.cuts)
        assert same_matches(arrived.matches, runner.run(case.program, case.trace).matches)
