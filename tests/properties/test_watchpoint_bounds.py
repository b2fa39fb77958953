"""Watchpoints that enforce Never on all their ways are bounded, and never hold more runs than is certified."""

from collections.abc import Iterator

import pytest

from cepheid.analysis import Plan, certify, plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector
from cepheid.events import point
from cepheid.languages.cep import read_program
from cepheid.languages.hbl import parse
from cepheid.rewrites import rewrite
from cepheid.testing.cases import seeded
from tests.kernels.held_in_stages import held
from tests.kernels.plain_kernels import plain_kernels
from tests.languages.hbl.limited_watchpoints import at_full_rate, full_rate, limited_watchpoint
from tests.languages.hbl.measured_runs import measured_runs, median, nearest

TOGETHER = 24


def texts(first: int, *, recursive: bool) -> Iterator[tuple[int, str]]:
    for seed in range(first, first + TOGETHER):
        draw = seeded(seed)
        yield seed, limited_watchpoint(draw, recursive=recursive, evidence=draw.chance(50))


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize("first", [0, 500])
def test_a_limit_on_every_way_is_a_bound(first: int, recursive: bool) -> None:
    for seed, text in texts(first, recursive=recursive):
        case = at_full_rate(seeded(seed), text)
        certificate = certify(plan_of(case.program, intervals=False))
        assert certificate.bounded, text
        assert certificate.state.number is not None, text


@pytest.mark.parametrize("recursive", [False, True])
def test_no_more_runs_wait_than_are_certified(recursive: bool) -> None:
    with plain_kernels():
        for seed, text in texts(1000, recursive=recursive):
            case = at_full_rate(seeded(seed), text)
            for used, promised in measured_runs(case):
                assert used <= promised, text
            for _, used, number in held(case):
                assert number is not None, text
                assert used <= number, text


def test_without_recursion_the_bound_is_near() -> None:
    seeds = range(2000, 2000 + TOGETHER)
    assert median([nearest(seed, recursive=False, evidence=True) for seed in seeds]) >= 0.5


@pytest.mark.parametrize(
    ("steps", "certified"),
    [
        ("a letting q = now(), p = index() -> b[now() <= q + 5 or index() <= p + 4]", "arrivals(a, 5 us) + 4"),
        (
            "a letting p = index() -> b[index() <= p + 4] letting q = now() -> c[now() <= q + 5]",
            "arrivals(a, 6 us) + 4",
        ),
        (
            "a letting p = index() -> b[index() <= p + 4] letting q = now() -> c[now() <= q + 5] letting p = index()"
            " -> b[index() <= p + 3]",
            "arrivals(a, 6 us) + 7",
        ),
    ],
)
def test_limits_in_time_and_in_records_one_after_the_other_are_a_bound(steps: str, certified: str) -> None:
    program = full_rate(parse(f"watchpoint w {{ main = {steps}; alert {{ evidence = records }} }}", time_unit=1))
    certificate = certify(plan_of(rewrite(program), intervals=False))
    assert certificate.bounded
    assert str(certificate.state).endswith(f"= {certified}")


def test_a_limit_from_a_record_that_may_never_come_is_none() -> None:
    text = "watchpoint w { main = a -> b letting q = now() -> c[now() <= q + 5]; }"
    assert not certify(plan_of(rewrite(parse(text, time_unit=1)), intervals=False)).bounded


def test_a_run_gives_up_only_when_both_of_its_limits_have_passed() -> None:
    """Whichever limit passes first, the other one lets the run wait on."""
    text = "watchpoint w { main = a letting q = now(), p = index() -> b[now() <= q + 5 or index() <= p + 2]; }"
    plan = plan_of(rewrite(parse(text, time_unit=1)), intervals=False)
    for times, waiting in (((0, 9), 1), ((0, 1, 2, 3), 1), ((0, 1, 2, 6), 0), ((0, 9, 10), 0)):
        for direct in (True, False):
            detector = Detector(plan, direct=direct)
            for number, time in enumerate(times):
                detector.push(point("a" if number == 0 else "c", time, number))
            assert sum(detector.runners[0].entries()) == waiting, (times, direct)


def test_without_a_limit_runs_grow_with_the_trace() -> None:
    program = parse("watchpoint w { main = a letting p = index() -> b[index() > p]; }", time_unit=1)
    plan = plan_of(program, intervals=False)
    assert not certify(plan).bounded
    assert [_waiting(plan, "a" * length) for length in (10, 20, 40)] == [10, 20, 40]


def test_with_two_ways_round_runs_double_with_every_record() -> None:
    """The text of such a watchpoint is refused, so that this is its chain, written in the algebra."""
    program = read_program(
        """
        rule w: chain from main within 100 records {
            step main: r: a then one or two
            step one: r: b let x = r.key, n = @n + 1 then one or two
            step two: r: b let x = r.key, m = @m + 1 then one or two
        } emits W
        """
    )
    plan = plan_of(program, intervals=False)
    with pytest.raises(CepheidError) as refused:
        parse("watchpoint w { window 9; main = a -> (one | two); one = b -> (one | two); two = c -> (one | two); }")
    assert refused.value.diagnostics[0].code == "not-linear"
    assert [_waiting(plan, "a" + "b" * length) for length in (2, 4, 6)] == [4, 16, 64]


def _waiting(plan: Plan, types: str) -> int:
    detector = Detector(plan)
    for time, kind in enumerate(types):
        detector.push(point(kind, time, time, {"key": time}))
    return sum(detector.runners[0].entries())
