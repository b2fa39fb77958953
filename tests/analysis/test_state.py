"""What operators hold, worked out by hand."""

import re

import pytest

from tests.analysis.queries import buffer, certified, state


def test_a_sequence_keeps_its_first_part_for_the_window() -> None:
    assert state("a: A then b: B within 5 s") == "arrivals(A, 5 s)"


def test_parts_in_any_order_are_kept_on_both_sides() -> None:
    assert state("a: A and b: B within 5 s") == "arrivals(A, 5 s) + arrivals(B, 5 s)"


def test_disorder_keeps_everything_longer() -> None:
    expected = "arrivals(A, 7 s) + arrivals(B, 2 s - 1 us)"
    assert state("a: A then b: B within 5 s", disorder=2_000_000) == expected


def test_a_stream_may_declare_the_disorder_itself() -> None:
    assert state("stream A disorder 2 s", "a: A and b: B within 5 s") == "arrivals(A, 7 s) + arrivals(B, 7 s)"


def test_nested_joins_hold_what_can_still_become_part_of_the_whole() -> None:
    pairs = "arrivals(A, 7 us) * arrivals(B, 4 us)"
    assert state("(a: A then b: B) then c: C within 5") == f"arrivals(A, 4 us) + {pairs}"


def test_what_is_after_something_in_time_is_after_it_among_the_records() -> None:
    """A waits at most 18 records for B, because C must still come after that."""
    assert state("(a: A then b: B) then c: C within 20 records") == "648"
    assert state("(a: A then b: B) and c: C within 20 records") == "686"


def test_a_point_of_time_is_no_record_so_nothing_is_said_about_its_place() -> None:
    assert state("((a: A then b: B) then instant t: every(5)) within 20 records") == "unbounded"


def test_an_absence_holds_matches_until_it_is_certain_and_what_forbids_them() -> None:
    found = state("a: A unless b: B relation 0 s <= start(b) - end(a) <= 4 s")
    assert found == "arrivals(A, 4 s) + 1"


def test_an_absence_inside_a_window_needs_no_longer_than_the_window() -> None:
    found = state("(a: A then b: B within 5 s) unless x: X between a and b")
    assert found == "arrivals(A, 5 s) + least(arrivals(X, 0 s) + 1, arrivals(X, 5 s - 1 us))"


def test_a_collection_holds_anchors_and_the_items_they_may_take() -> None:
    found = state("collect g: all of x: X for a: A relation 0 s <= end($anchor) - start($item) <= 3 s")
    assert found == "arrivals(A, 0 s) + arrivals(X, 3 s)"


def test_recent_keeps_one_for_each_key() -> None:
    query = "a: A then b: B on a.user == b.user choose recent"
    assert state("stream A keys 50", query) == "keys(user)"
    assert certified("stream A keys 50", query).state.number == 50


def test_recent_keeps_no_more_keys_than_events_in_its_window() -> None:
    query = "a: A then b: B within 5 s on a.user == b.user choose recent"
    assert state(query) == "arrivals(A, 5 s - 1 us)"
    assert state("stream A keys 50", query) == "least(keys(user), arrivals(A, 5 s - 1 us))"


def test_the_latest_start_of_points_is_one() -> None:
    assert state("a: A then b: B choose latest-start") == "1"
    assert state("a: A and b: B choose latest-start") == "2"


def test_the_latest_start_before_something_long_is_a_queue() -> None:
    query = "a: A then (b: B then c: C within 30 s) choose latest-start"
    assert state(query) == "arrivals(B, 30 s) + instants(A, 30 s) + 1"


def test_chronological_keeps_everything_for_its_window() -> None:
    assert state("a: A then b: B within 5 s choose chronological") == "arrivals(A, 5 s - 1 us)"


def test_a_record_window_holds_so_many_records_whatever_the_rate() -> None:
    assert state("a: A then b: B within 4 records") == "3"
    both = "(a: A then b: B within 4 records) within 5 s"
    assert state(both) == "least(arrivals(A, 5 s), 3)"


def test_records_of_a_key_count_for_every_key() -> None:
    query = "rule r per user: (a: A then b: B within 4 records) emits R"
    assert state("stream A keys 10", "stream B keys 5", query) == "3 * keys(user)"


def test_a_greedy_run_is_one_at_a_time() -> None:
    found = certified("repeat g: 1..9 of a: A gap start($next) - end($previous) <= 5 s")
    assert str(found.state.formula) == "1"
    assert found.bounded


def test_runs_with_a_link_begin_with_different_items() -> None:
    query = "repeat g: 1..9 of a: A link $next.v > $previous.v window end($last) - start($first) <= 5 s"
    assert state(query) == "arrivals(A, 5 s - 1 us)"


def test_every_subsequence_is_a_run() -> None:
    query = "repeat g: 1..3 of a: A window end($last) - start($first) <= 5 s choose all"
    assert state(query) == "subsets(arrivals(A, 5 s - 1 us), at most 2)"
    endless = "repeat g: 1..* of a: A window end($last) - start($first) <= 5 s choose all"
    assert state(endless) == "subsets(arrivals(A, 5 s - 1 us))"


LINE = "step one: x: A then two step two: y: B"


def test_a_chain_has_one_run_for_every_beginning_in_its_window() -> None:
    assert state(f"chain from one window end($last) - start($first) <= 9 s {{ {LINE} }}") == "arrivals(A, 9 s - 1 us)"


def test_alternatives_multiply_the_runs_of_a_chain() -> None:
    steps = "step one: x: A then two or three step two: y: B step three: z: C"
    found = state(f"chain from one window end($last) - start($first) <= 9 s {{ {steps} }}")
    assert found == "2 * arrivals(A, 9 s - 1 us)"


def test_a_cycle_multiplies_them_by_the_records_it_can_take() -> None:
    steps = "step one: x: A then two or three step two: y: B then two or three step three: z: C"
    found = state(f"chain from one window end($last) - start($first) <= 9 s {{ {steps} }}")
    assert found == "arrivals(A, 9 s - 1 us) * (arrivals(B, 9 s - 1 us) + 2)"


def test_runs_that_nothing_tells_apart_are_one_for_each_thing_they_wait_for() -> None:
    steps = "step one: x: A then two or three step two: y: B then two or three step three: z: C"
    assert state(f"chain from one merged {{ {steps} }}") == "4"


def test_a_window_around_a_chain_limits_its_runs() -> None:
    assert state(f"chain from one {{ {LINE} }} within 9 s") == "arrivals(A, 9 s - 1 us)"


def test_distinct_values_are_remembered() -> None:
    assert state("stream A keys 10", "distinct by (a.user) (a: A)") == "keys(user) + 1"
    assert not certified("distinct by (a.user) (a: A)").bounded
    assert state("distinct (a: A)") == "0"


def test_derived_events_are_counted_through_their_rule() -> None:
    rules = ("rule p: (a: A then b: B within 2 s) emits P", "rule q: (p: P then c: C within 5 s) emits Q")
    certificate = certified(*rules)
    assert str(certificate.rule("q").state.formula) == "arrivals(A, 7 s - 1 us) * arrivals(B, 5 s)"


def test_what_is_emitted_in_the_past_keeps_its_partners_longer() -> None:
    rules = (
        "rule p: (a: A then b: B within 2 s) emits P from end(a) to end(a)",
        "rule q: (p: P and c: C within 5 s) emits Q",
    )
    assert "arrivals(C, 7 s)" in str(certified(*rules).rule("q").state.formula)


def test_a_rule_that_feeds_itself_is_bounded_by_its_window() -> None:
    rules = ("rule base: a: A emits L", "rule turn: (l: L then b: B within 3) emits L")
    found = certified("stream A rate 1 per 10", "stream B rate 1 per 2", *rules)
    assert found.rule("turn").bounded
    assert "2^" in str(found.rule("turn").state.formula)
    assert not certified("rule base: a: A emits L", "rule turn: (l: L then b: B) emits L").rule("turn").bounded


def test_only_what_must_see_its_input_in_order_waits_for_its_instant() -> None:
    assert buffer("a: A then b: B within 5 s", disorder=3) == "0"
    assert buffer("a: A then b: B within 5 s choose recent", disorder=3) == "arrivals(A, 3 us) + arrivals(B, 3 us)"


def test_where_records_count_every_event_waits_for_its_instant() -> None:
    assert buffer("a: A then b: B within 4 records", disorder=3) == "arrivals(any event, 3 us)"


@pytest.mark.parametrize(
    "query",
    [
        "a: A then b: B",
        "a: A and b: B",
        "a: A then b: B choose next",
        "a: A then b: B choose chronological",
        "a: A unless b: B",
        "collect g: all of x: X for a: A",
        f"chain from one {{ {LINE} }}",
        "repeat g: 1..* of a: A choose all",
        "repeat g: 1..3 of a: A gap start($next) - end($previous) >= 1",
    ],
)
def test_what_is_kept_for_ever_is_mended_by_typing_its_hint(query: str) -> None:
    [first, *_] = certified(query).findings
    [typed] = re.findall(r"`([^`]*)`", first.hints[0])
    assert first.code == "unbounded-state"
    assert certified(f"{query} {typed}").bounded


def test_what_a_cycle_dates_back_can_lie_anywhere() -> None:
    rules = ("rule base: a: A emits L", "rule turn: (l: L then b: B within 3) emits L from end(l) to end(l)")
    [finding, *_] = certified(*rules).rule("turn").findings
    assert finding.message.startswith("rule `turn` keeps every")
