"""A sequence finds what trying everything finds, in every way of running it."""

from collections.abc import Callable

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
from tests.languages.cep.brute_sequences import (
    BruteStep,
    Record,
    found_by_trying,
    one_after_another,
    sequences,
    text_of,
)

RECORDS = st.lists(st.tuples(st.sampled_from("AAABBBCD"), st.integers(0, 3)), max_size=7)
CLOSING = st.sampled_from([None, None, None, "C"])
REFUSED = (
    "a sequence takes at least one record",
    "a group takes at least one record",
    "nothing says until when this is absent",
    "nothing says when a greedy step has all it can get",
)


def accepted(text: str) -> Program:
    """Return what a text means; what takes nothing, never ends, or is too large is refused and not tried."""
    try:
        program = parse(text, time_unit=1)
        validate(program)
    except CepheidError as error:
        assume(error.diagnostics[0].message not in REFUSED and error.diagnostics[0].code != "too-large")
        raise
    return program


def trace_of(records: list[Record]) -> list[Event]:
    return [Event(kind, at, at, at, {"v": value}) for at, (kind, value) in enumerate(records)]


def found_in(program: Program, records: list[Record]) -> list[tuple[int, ...]]:
    return [tuple(sorted(int(str(one)) for one in match.evidence)) for match in matches(program, trace_of(records))]


@given(sequences(), RECORDS, CLOSING, st.integers(1, 8))
def test_a_sequence_means_what_trying_everything_finds(
    steps: list[BruteStep], records: list[Record], closing: str | None, within: int
) -> None:
    found = found_in(accepted(text_of(steps, closing, within)), records)
    assert sorted(found) == sorted(found_by_trying(steps, records, closing, within))


@given(sequences(), RECORDS, CLOSING, st.integers(1, 8), st.sampled_from(["", "skip past last", "skip to next"]))
def test_every_way_of_running_finds_the_same(
    steps: list[BruteStep], records: list[Record], closing: str | None, within: int, skip: str
) -> None:
    program, trace = accepted(text_of(steps, closing, within, skip)), trace_of(records)
    expected = matches(program, trace)
    assert parse(show(program), time_unit=1) == program
    cuts = range(1, len(trace))
    for runner in (EngineRunner(), EngineRunner(direct=False), EngineRunner("restarted", restarts=True)):
        assert same_matches(runner.run(program, trace, cuts=cuts).matches, expected)
    with plain_kernels():
        for kernels in (KernelsRunner(), KernelsRunner("restarted", restarts=True)):
            assert same_matches(kernels.run(program, trace, cuts=cuts).matches, expected)


@given(sequences(), RECORDS, CLOSING, st.integers(1, 8))
def test_after_a_match_it_goes_on_past_its_last_record_or_at_the_next(
    steps: list[BruteStep], records: list[Record], closing: str | None, within: int
) -> None:
    ways: dict[str, Callable[[tuple[int, ...]], int]] = {
        "skip past last": lambda taken: taken[-1] + 1,
        "skip to next": lambda taken: taken[0] + 1,
    }
    for skip, to in ways.items():
        found = found_in(accepted(text_of(steps, closing, within, skip)), records)
        every = found_by_trying(steps, records, closing, within)
        assert sorted(found) == sorted(one_after_another(every, to))


@given(sequences(names="pq"), RECORDS, CLOSING, st.integers(1, 8), st.booleans())
def test_after_a_match_it_goes_on_at_the_first_or_last_of_a_part(
    steps: list[BruteStep], records: list[Record], closing: str | None, within: int, optional: bool
) -> None:
    looked_for = BruteStep("z", "E", least=1, most=None, optional=optional)
    records = [("E" if kind == "D" else kind, value) for kind, value in records]
    all_steps = [*steps, looked_for, BruteStep("end", "B")]
    for skip, pick in (("first", 0), ("last", -1)):

        def to(taken: tuple[int, ...], pick: int = pick) -> int:
            of_part = [at for at in taken if records[at][0] == "E"]
            return of_part[pick] if of_part else 0

        found = found_in(accepted(text_of(all_steps, closing, within, f"skip to {skip} z")), records)
        every = found_by_trying(all_steps, records, closing, within)
        assert sorted(found) == sorted(one_after_another(every, to))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a: A, strict x: *[$type != "C"]', ["0-1", "1-2", "5-6"]),
        ("a: A, b: B[start(b) - end(a) <= 1]", ["1-2", "5-6"]),
        ("a: A, b: B[start(b) - start(a) >= 2]", ["0-2", "1-4"]),
        ("a: A, c: C, b: B[start(b) - end(a) <= 3]", ["1-4"]),
        ("2 of (a: A[is_null(b.v) or v > b.v], b: B)", ["0-6", "1-6"]),
        ("a: A, not x: C[start(x) - end(a) > 1], any b: B", ["0-2", "1-2", "5-6"]),
    ],
)
def test_a_condition_reads_types_and_times_of_steps_before(text: str, expected: list[str]) -> None:
    records = [(kind, at) for at, kind in enumerate("AABCBAB")]
    found = found_in(accepted(f"sequence within 100 {{ {text} }}"), records)
    assert sorted(f"{taken[0]}-{taken[-1]}" for taken in found) == expected


def test_a_sequence_with_a_window_is_bounded() -> None:
    text = (
        "sequence within 10 min skip past last { 2..* of f: A consecutive, strict b: B[v > f.v], not c: C, any e: A }"
    )
    assert cepheid.check(text).bounded
    assert not cepheid.check("sequence { 1..* of f: A, b: B }").bounded
    assert not cepheid.check("sequence { 1..* of f: A combinations, b: B }").bounded


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sequence { not a: A, b: B }", "a sequence cannot begin with `not`"),
        ("sequence { optional a: A }", "a sequence takes at least one record"),
        ("sequence { a: A, (optional b: B) }", "a group takes at least one record"),
        ("sequence { a: A, not b: B }", "a `not` at the end needs a window"),
        ("sequence { a: A, not b: B, optional c: C }", "nothing says until when this is absent"),
        ("sequence { 1..* of a: A greedy }", "nothing says when a greedy step has all it can get"),
        ("sequence { 1..* of (a: A, b: B) greedy, c: C }", "a group cannot be greedy"),
        ("sequence { 1..* of a: A greedy until b: B, c: C }", "`greedy` cannot stand with `until`"),
        ("sequence { 1..* of a: A combinations greedy, c: C }", "`greedy` cannot stand with `combinations`"),
        (
            "sequence { 1..* of a: A combinations consecutive, c: C }",
            "`consecutive` and `combinations` say different things",
        ),
        ("sequence { a: A greedy, c: C }", "this says how several records follow each other, and the step takes one"),
        ("sequence { 0..0 of a: A, c: C }", "a step is taken at least once"),
        ("sequence { 900 of a: A, c: C }", "a sequence counts to 500 at most"),
        ("sequence { a: A[v > b.v], b: B }", "`b` has taken nothing when `a` is looked for"),
        ("sequence { a: A, not x: C[v > b.v], b: B }", "`b` has taken nothing when `x` is looked for"),
        ("sequence { a: A[start(b) > 3], b: B }", "`b` has taken nothing when `a` is looked for"),
        ("sequence { a: A, b: B[v > @lo] }", "a sequence has no variables, so that `lo` is none"),
        ("sequence { a: A, b: B[$lo > 3] }", "a sequence has no variables, so that `$lo` is none"),
        ("sequence skip to first x { a: A, c: C }", "no step of this sequence is called `x`"),
        ("skip to first a (a: A then c: C)", "this can be said of a sequence only"),
    ],
)
def test_what_cannot_be_said_is_refused_at_its_place(text: str, message: str) -> None:
    with pytest.raises(CepheidError) as raised:
        parse(text)
    [told] = raised.value.diagnostics
    assert told.message == message
    assert told.labels
    assert told.hints
