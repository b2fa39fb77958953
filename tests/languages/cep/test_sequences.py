"""A sequence finds what trying everything finds, in every way of running it."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cepheid
from cepheid.algebra.matches import same_matches
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.diagnostics import CepheidError
from cepheid.events import Event
from cepheid.languages.cep import parse, show
from tests.engine_runner import EngineRunner
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels_runner import KernelsRunner
from tests.languages.cep.brute_sequences import BruteStep, Record, found_by_trying, sequences, text_of

RECORDS = st.lists(st.tuples(st.sampled_from("AABBC"), st.integers(0, 3)), max_size=7)
CLOSING = st.sampled_from([None, None, "C"])


def accepted(text: str) -> Program:
    """Return what a text means; some combinations are refused, with a reason, and not tried."""
    try:
        program = parse(text, time_unit=1)
    except CepheidError as error:
        assume(error.diagnostics[0].code != "syntax")
        raise
    validate(program)
    return program


def trace_of(records: list[Record]) -> list[Event]:
    return [Event(kind, at, at, at, {"v": value}) for at, (kind, value) in enumerate(records)]


@given(sequences(), RECORDS, CLOSING, st.integers(1, 8))
def test_a_sequence_means_what_trying_everything_finds(
    steps: list[BruteStep], records: list[Record], closing: str | None, within: int
) -> None:
    program = accepted(text_of(steps, closing, within))
    found = [tuple(sorted(int(str(one)) for one in match.evidence)) for match in matches(program, trace_of(records))]
    assert sorted(set(found)) == sorted(found_by_trying(steps, records, closing, within))
    assert len(set(found)) == len(found)


@given(sequences(), RECORDS, CLOSING, st.integers(1, 8))
def test_every_way_of_running_finds_the_same(
    steps: list[BruteStep], records: list[Record], closing: str | None, within: int
) -> None:
    program, trace = accepted(text_of(steps, closing, within)), trace_of(records)
    expected = matches(program, trace)
    assert parse(show(program), time_unit=1) == program
    for runner in (EngineRunner(), EngineRunner("restarted", restarts=True)):
        assert same_matches(runner.run(program, trace).matches, expected)
    with plain_kernels():
        assert same_matches(KernelsRunner().run(program, trace).matches, expected)


def test_a_sequence_with_a_window_is_bounded() -> None:
    text = "sequence within 10 min { 2..* of f: A consecutive, strict b: B[v > f.v], not c: C, d: D, any e: A }"
    assert cepheid.check(text).bounded
    assert not cepheid.check("sequence { 1..* of f: A, b: B }").bounded


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sequence { not a: A, b: B }", "a sequence cannot begin with `not`"),
        ("sequence { optional a: A }", "a sequence takes at least one record"),
        ("sequence { a: A, not b: B }", "a `not` at the end needs a window"),
        ("sequence { a: A, not b: B, optional c: C }", "nothing says until when this is absent"),
        ("sequence { a: A, any 2 of b: B }", "`any` takes one record"),
        ("sequence { a: A, any b: B[v > a.v] }", "this reads a step that is looked for apart"),
        ("sequence { a: A, not b: B, not c: C, d: D }", "two things are absent at once"),
    ],
)
def test_what_cannot_be_said_is_refused_at_its_place(text: str, message: str) -> None:
    with pytest.raises(CepheidError) as raised:
        parse(text)
    [told] = raised.value.diagnostics
    assert told.message == message
    assert told.labels
    assert told.hints
