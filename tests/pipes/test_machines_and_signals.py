"""Moore machines, and finders of peaks and plateaus."""

import pytest

from cepheid import CepheidError
from cepheid import pipes as p


def test_the_first_true_transition_is_taken_then_the_one_without_a_guard_else_it_stays() -> None:
    door = p.machine(
        "shut",
        [
            p.transition("shut", "locked"),
            p.transition("shut", "open", p.x == "push"),
            p.transition("open", "shut", p.x == "pull"),
        ],
        {"open": "o", "shut": "s"},
    )
    assert door.run(["push", "wait", "pull", "push", "pull", "wait", "push"]) == ["o", "o", "s", "o", "s"]


def test_assignments_read_the_context_as_it_was_before() -> None:
    swap = p.machine(
        0,
        [p.transition(0, 0, p.x > 0, a=p.context("b"), b=p.context("a"))],
        {0: p.list_of(p.context("a"), p.context("b"))},
        context={"a": 1, "b": 2},
    )
    assert swap.run([1, -1, 1]) == [(2, 1), (2, 1), (1, 2)]


def test_a_machine_under_a_quantifier_reads_what_that_binds() -> None:
    seen_twice = p.machine(
        0,
        [p.transition(0, 1, p.x == p.context("e")), p.transition(1, 2, p.x == p.context("e"))],
        {0: False, 1: False, 2: True},
    )
    assert p.some("e", p.x, seen_twice).run(["a", "b", "a"]) == [False, False, True]


def test_an_output_of_a_state_that_cannot_be_is_refused() -> None:
    with pytest.raises(CepheidError, match="no transition leads to the state `on`"):
        p.machine("off", [], {"on": 1})


def test_a_peak_is_told_when_it_has_passed() -> None:
    signal = [0, 0, 100, 700, 1000, 990, 985, 980, 975, 970]
    assert p.peaks(5).run(signal) == [0, 0, 0, 0, 1000]
    assert p.peaks(5, drops=True).run([-value for value in signal]) == [0, 0, 0, 0, -1000]
    assert p.peaks(2).run([1, 3, 2, 2, 5, 1]) == [0, 2]


def test_a_plateau_is_told_once() -> None:
    assert p.plateau(3, 1).run([0, 5, 5, 6, 6, 9, 5, 5, 5]) == [0, 16 / 3, 0, 0, 0, 0, 5.0]


def test_values_are_let_through() -> None:
    assert p.threshold(3).run([1, -4, 3, 5]) == [0, -4, 0, 5]
    assert p.limit(3).run([0, 7, 8, 9, 1, 0, 2, 3]) == [0, 7, 0, 0, 1, 0, 0, 3]
