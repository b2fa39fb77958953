"""What pipes hold: queues by how far inputs can be apart, windows, slices, folds and verdicts."""

import json

import pytest

from cepheid.analysis import certify, describe_bounds, describe_plan, plan_of
from cepheid.analysis.certificates.certified_pipe import PipeCertificate
from cepheid.diagnostics import CepheidError, draw
from cepheid.engine import Detector
from cepheid.events import point
from tests.analysis.queries import certified, program

STREAMS = ("stream P rate 5 per 10 keys 4", "stream Q rate 5 per 10")


def piped(pipe: str, *lines: str, disorder: int = 0) -> PipeCertificate:
    return certified(*STREAMS, *lines, f"pipe it = {pipe}", disorder=disorder).pipe("it")


def holds(pipe: str, *lines: str) -> str:
    return str(piped(pipe, *lines).state)


def complaint(pipe: str, *lines: str) -> str:
    [finding, *_] = piped(pipe, *lines).findings
    return draw(finding)


@pytest.mark.parametrize(
    ("pipe", "expected"),
    [
        ("(source P, source P | map $0.x) | map $1", "0"),
        ("(source P, source P | resample skip 3) | map $0 - $1", "3"),
        ("(source P | resample every 2, source P | resample skip 5 every 2) | map $0", "3"),
        ("(source P | resample copies 2, source P | resample skip 1 copies 2) | map $0", "2"),
        ("(source P | window 3 { input }, source P | window 5 { input }) | map $0", "10 = 3 + 5 + 2"),
        ("(source P, source P | verdict eventually within 4 [$0.x]) | gate", "6"),
        ("(source P | resample limit 2, source Q | resample limit 5) | map $0", "5"),
        ("(source P, source P | map $0.x > 1) | gate", "0"),
    ],
)
def test_a_queue_holds_what_one_input_can_be_ahead_of_another(pipe: str, expected: str) -> None:
    assert holds(pipe) == expected.split(" = ")[0]


def test_filters_by_one_condition_keep_pace() -> None:
    above = "source P | map $0.x > 1"
    both = f"((source P, {above}) | gate, (source P | map $0.x, {above}) | gate) | map list($0, $1)"
    assert holds(both) == "0"
    later = f"((source P, {above}) | gate, (source P | resample skip 1, {above}) | gate) | map list($0, $1)"
    assert not piped(later).bounded


def test_a_filter_on_one_side_alone_makes_a_queue_that_never_ends() -> None:
    assert complaint("(source P, (source P, source P | map $0.x > 1) | gate) | map $0") == (
        "error[unbounded-state]: pipe `it` keeps values that wait for others for ever\n"
        "  = note: nothing says that `(source P, source P | map $0.x > 1) | gate` gives as many values as `source P`\n"
        "  = hint: filter later: put values and conditions together first, so that all of them lose the same positions"
    )


def test_inputs_of_unequal_rates_make_a_queue_that_never_ends() -> None:
    assert complaint("(source P, source P | resample every 2) | map $0") == (
        "error[unbounded-state]: pipe `it` keeps values that wait for others for ever\n"
        "  = note: nothing says that `source P | resample every 2` gives as many values as `source P`\n"
        "  = hint: resample all inputs in the same way, or what comes out of them"
    )


def test_streams_that_are_paired_by_position_wait_for_each_other_for_ever() -> None:
    assert complaint("(source P, source Q) | map $0.x + $1.x") == (
        "error[unbounded-state]: pipe `it` keeps values that wait for others for ever\n"
        "  = note: nothing says that `source Q` gives as many values as `source P`\n"
        "  = hint: pair events by a rule instead, for example `a: P then b: Q within 1 h choose next`"
    )


def test_a_program_whose_only_unbounded_part_is_a_pipe_is_unbounded() -> None:
    found = certified(*STREAMS, "a: P then b: Q within 5", "pipe it = (source P, source Q) | map $0")
    assert found.rules[0].bounded
    assert not found.bounded
    with pytest.raises(CepheidError, match="unbounded-state"):
        found.demand_bounded()


def test_a_window_holds_so_many_values_or_those_of_a_time() -> None:
    assert holds("source P | window 3 { input }") == "3"
    assert holds("source P | window within 10 { input }") == "10 = arrivals(P, 10 us)"
    assert holds("source P | resample copies 2 | window within 10 { input }") == "20 = 2 * arrivals(P, 10 us)"
    assert holds("source P | resample limit 4 | window within 10 { input }") == "4 = least(arrivals(P, 10 us), 4)"
    assert holds("events | window within 10 { input }") == "20 = arrivals(any event, 10 us)"


def test_a_window_over_matches_holds_the_matches_of_a_time() -> None:
    rule = "rule r: (a: P then b: Q within 3) emits R"
    expected = "100 = arrivals(P, 12 us) * arrivals(Q, 10 us)"
    assert holds("detect r | window within 10 { input }", rule) == expected
    assert holds("source R | window within 10 { input }", rule) == expected


def test_slices_hold_a_body_for_each_key() -> None:
    assert holds("source P | slice by $0.user into map { input | window 3 { input } }") == "16 = 4 * keys(user)"
    assert holds("source P | slice by $0.x > 3 into set { input | fold $total + 1 from 0 }") == "4"
    nested = "source P | slice by $0.a into map { input | slice by $0.b into map { input } }"
    assert holds(nested) == "20 = keys(a) + keys(a) * keys(b)"
    assert complaint("source Q | slice by $0.user into map { input }") == (
        "error[unbounded-state]: pipe `it` keeps a slice for every key for ever\n"
        "  = note: nobody knows how many values `$0.user` has\n"
        "  = hint: say how many there are: `stream Q rate 5 per 10 us keys 1000`"
    )


@pytest.mark.parametrize(
    "fold",
    [
        "$total + $0 from 0",
        "max($total, $0.x) from null",
        "if(length($total) == 0, list($0), $total) from list()",
        "list(get($total, 1), get($total, 2), $0) from list(null, null, null)",
        'record("count", $total.count + 1, "last", $0) from record("count", 0)',
        'upper(coalesce($total, "a")) from null',
    ],
)
def test_a_fold_of_constant_size_is_one_entry(fold: str) -> None:
    assert holds(f"source P | fold {fold}") == "1"


@pytest.mark.parametrize(
    "fold",
    [
        "list($total, $0) from list()",
        'record("rest", $total, "last", $0) from null',
        '$total + string($0.x) from ""',
        "if($0.x, list($total, list($total)), $total) from 0",
        'record("a", $total.b, "b", list($total.a)) from record("a", 0, "b", 0)',
    ],
)
def test_a_fold_that_grows_is_unbounded(fold: str) -> None:
    assert complaint(f"source P | fold {fold}").startswith(
        "error[unbounded-state]: pipe `it` keeps all that it accumulates for ever"
    )


def test_a_verdict_about_each_position_holds_as_many_as_its_formula_looks_at() -> None:
    assert holds("source P | verdict [$0.a] implies eventually within 4 [$0.b]") == "3"
    assert holds("source P | verdict next next [$0.a]") == "2"
    assert complaint("source P | verdict [$0.a] until [$0.b]") == (
        "error[unbounded-state]: pipe `it` keeps values or claims that a verdict depends on for ever\n"
        "  = note: nothing says how many values it takes to decide `[$0.a] until [$0.b]`\n"
        "  = hint: say how many values count, for example `eventually within 10`, "
        "or ask with `three-valued` about the first"
    )


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("[$0.a]", "0"),
        ("always ([$0.a] implies eventually [$0.b])", "2"),
        ("eventually ([$0.a] and next [$0.b])", "2"),
        ("always (([$0.a] until [$0.b]) and eventually within 3 [$0.c])", "4"),
        ("(eventually [$0.a] and eventually [$0.b]) or eventually [$0.c]", "6"),
        ("always (forall x in list(1, 2): eventually [$0.a == @x])", "unbounded"),
    ],
)
def test_what_is_known_about_the_first_position_takes_parts_of_the_formula(formula: str, expected: str) -> None:
    assert holds(f"source P | verdict three-valued {formula}") == expected


def test_what_comes_into_a_pipe_waits_for_its_instant() -> None:
    assert str(piped("source P", disorder=10).buffer) == "10 = arrivals(P, 10 us)"
    assert str(piped("(source P, source P) | map $0").buffer) == "5 = arrivals(P, 0 s)"


def test_pipes_stand_in_the_plan_and_in_its_bounds() -> None:
    plan = plan_of(program(*STREAMS, "pipe it = source P | window 3 { input }"))
    assert describe_plan(plan).splitlines() == [
        "pipe `it`",
        "  0 window: `source P | window 3 { input }`",
        "  1 source: `source P`",
        "  2 source: `input`",
    ]
    assert describe_bounds(plan).splitlines() == [
        "pipe `it`",
        "  0 window holds: 3",
        "  what waits for its instant: 5 = arrivals(P, 0 s)",
    ]
    assert str(certify(plan)).splitlines() == [
        "pipe `it`: bounded",
        "  state         3 entries",
        "    window      `source P | window 3 { input }`: 3",
        "  order buffer  5 = arrivals(P, 0 s) entries",
    ]
    assert '"kind": "window"' in json.dumps(certify(plan).to_dict()["pipes"])


def test_knowledge_does_not_grow_with_the_trace() -> None:
    plan = plan_of(program("pipe it = source P | verdict three-valued always ([$0.a] implies eventually [$0.b])"))
    detector = Detector(plan)
    for number in range(100):
        detector.push(point("P", number, number, {"a": True, "b": False}))
    assert detector.pipes["it"].entries() == [2, 0]
