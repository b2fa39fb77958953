"""The table of what runs in kernels counts each program once, and says why the others do not."""

from cepheid.engine import tiers_of
from cepheid.testing import random_case
from tests.conformance.compiled import CHAINED, Shares, reasons_of
from tests.engine_runner import last, plan_for

SEEDS = range(8_409_000, 8_409_060)


def test_a_program_has_reasons_exactly_if_a_rule_of_it_is_interpreted() -> None:
    shares, whole = Shares(), 0
    for seed in SEEDS:
        case = random_case(seed)
        tiers = tiers_of(plan_for(case.program, intervals=last(case.trace)))
        interpreted = any(tier.shape is None for tier in tiers)
        assert bool(reasons_of(seed)) == interpreted, seed
        whole += not interpreted
        shares.add(seed, reasons_of(seed))
    assert (shares.whole, shares.seen) == (whole, len(SEEDS))
    assert 0 < whole < len(SEEDS)


def test_the_most_frequent_reason_comes_first_and_what_is_alone_is_counted() -> None:
    shares = Shares()
    for seed, reasons in enumerate([frozenset(), {"rare", "often"}, {"often"}, frozenset()]):
        shares.add(seed, frozenset(reasons))
    assert list(shares.lines()) == [
        "2 of 4 programs run wholly in kernels, 50.0 %",
        " %all  %alone  reason",
        " 50.0    25.0  often (1, 2)",
        " 25.0     0.0  rare (1)",
    ]


def test_who_waits_for_another_rule_is_no_reason() -> None:
    assert CHAINED.match("it is chained to `a`, which is interpreted")
    assert not CHAINED.match("it can never match")
