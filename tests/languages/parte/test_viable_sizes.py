"""Minimum viable sizes are those of the dissertation, in its examples and in its tables."""

from dataclasses import replace
from fractions import Fraction

import pytest

from cepheid.algebra.patterns import Distinct, Join
from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError
from cepheid.languages.parte import minimum_viable_sizes, parse
from cepheid.languages.parte.join_graph import NodeKind
from tests.languages.parte.listings import (
    ABSENCE,
    DIFFUSION_OVER_ALL,
    REFUND_SCAM,
    TEMPLATES,
    diffusion,
)

GIGA, KILO = 2**30, 2**10
FIVE_MINUTES = 300_000_000
WINDOW = 4032  # five minutes in two weeks
RATES = range(1, 10)

REFUND_SCAM_SIZES = (244, 1953, 6593, 15629, 30525, 52747, 83760, 125029, 178019)
CARTESIAN_SIZES = (246140, 1969120, 6645780, 15752961, 30767501, 53166243, 84426025, 126023688, 179436071)
TRIANGLE_SIZES = (1, 2, 4, 7, 10, 14, 17, 21, 25)
DIFFUSION_SIZES = (122, 976, 3296, 7814, 15262, 26373, 41880, 62514, 89009)
AGGREGATED_SIZES = (3, 7, 11, 15, 19, 23, 27, 31, 35)


def test_an_absence_over_four_seconds_at_one_event_per_second() -> None:
    [absence] = minimum_viable_sizes(parse(ABSENCE)).of("a_rule_with_negation", NodeKind.NOT)
    assert (absence.histories, absence.outbox, absence.inbox) == ((5, 5), 5, 3)


def test_diffusion_within_14_ms_at_ten_transfers_per_ms() -> None:
    joins = minimum_viable_sizes(parse(diffusion("14 ms", "10 per ms"))).of("FraudDiffusion", NodeKind.JOIN)
    assert [join.histories for join in joins] == [(141, 141), (39_481, 141), (11_094_021, 141)]
    assert [join.outbox for join in joins] == [141, 39_481, 11_094_021]
    assert [join.left.rate * 1000 for join in joins if join.left] == [10, 2_820, 792_430]
    assert {join.right.rate * 1000 for join in joins if join.right} == {Fraction(10)}


def test_diffusion_where_the_first_join_counts_one_side() -> None:
    graph = minimum_viable_sizes(parse(diffusion("14 ms", "10 per ms")), one_sided_first_join=True)
    joins = graph.of("FraudDiffusion", NodeKind.JOIN)
    assert [join.histories[0] for join in joins] == [141, 19_741, 5_547_081]


@pytest.mark.parametrize("rate", RATES)
def test_the_sizes_of_the_refund_scam(rate: int) -> None:
    sources = f"source MoneyTransferred {rate} per 5 min\nsource FraudulentTransactionClaimed {rate} per 5 min"
    graph = minimum_viable_sizes(parse(f"{TEMPLATES}\n{sources}\n{REFUND_SCAM}"))
    assert graph.largest // GIGA == REFUND_SCAM_SIZES[rate - 1]


@pytest.mark.parametrize("rate", RATES)
def test_the_sizes_of_diffusion(rate: int) -> None:
    program = parse(diffusion("14 days", f"{rate} per 5 min"))
    assert minimum_viable_sizes(program, one_sided_first_join=True).largest // GIGA == DIFFUSION_SIZES[rate - 1]


@pytest.mark.parametrize("rate", RATES)
def test_the_sizes_of_diffusion_over_all_outgoing_transfers(rate: int) -> None:
    graph = minimum_viable_sizes(parse(diffusion("14 days", f"{rate} per 5 min", DIFFUSION_OVER_ALL)))
    assert graph.largest == rate * WINDOW + 1
    assert graph.largest // KILO == AGGREGATED_SIZES[rate - 1]


@pytest.mark.parametrize("rate", RATES)
def test_what_the_tables_compare_with(rate: int) -> None:
    elements = rate * WINDOW
    assert elements**3 * WINDOW // GIGA == CARTESIAN_SIZES[rate - 1]
    triangle = elements**1.5 * WINDOW / GIGA
    assert (round(triangle) if rate == 1 else int(triangle)) == TRIANGLE_SIZES[rate - 1]


def test_the_graph_of_the_refund_scam_has_the_nodes_of_its_figure() -> None:
    sources = "source MoneyTransferred 1 per s\nsource FraudulentTransactionClaimed 1 per s"
    graph = minimum_viable_sizes(parse(f"{TEMPLATES}\n{sources}\n{REFUND_SCAM}"))
    kinds = [node.kind for node in graph.nodes]
    assert {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)} == {
        NodeKind.ENTRY: 2,
        NodeKind.ALPHA: 4,
        NodeKind.JOIN: 2,
        NodeKind.NOT: 1,
        NodeKind.PRODUCTION: 1,
    }
    assert {node.outbox for node in graph.nodes if not node.histories} == {1}


def test_what_is_emitted_comes_as_often_as_it_is_made() -> None:
    graph = minimum_viable_sizes(
        parse("""
        template A { id : Integer } template B { id : Integer }
        source A 2 per s
        source B 1 per s
        rule One where a : A then emit B at a.timestamp with { id = a.id }
        rule Two where a : A  b : B when b in a [0 s, 3 s] then
        """)
    )
    [join] = graph.of("Two", NodeKind.JOIN)
    assert join.histories == (7, 10)
    [match] = graph.of("Two", NodeKind.TERMINAL)
    assert match.outbox == 0


def test_points_of_time_come_as_often_as_their_schedule_says() -> None:
    graph = minimum_viable_sizes(
        parse("""
        template A {}
        source A 1 per s
        rule Often where p : every 2 s  a : A when a in p [0 s, 10 s] then
        rule Daily where p : daily 12:00 UTC  a : A when a in p [0 s, 10 s] then
        rule Once where p : at 2018-03-28  a : A when a in p [0 s, 10 s] then
        """)
    )
    sizes = [graph.of(rule, NodeKind.JOIN)[0].histories for rule in ("Often", "Daily", "Once")]
    assert sizes == [(6, 11), (1, 11), (1, 11)]


def test_sizes_need_rates() -> None:
    with pytest.raises(CepheidError) as raised:
        minimum_viable_sizes(parse("template A {} rule R where a : A then"))
    assert str(raised.value) == (
        "error[missing-rate]: nobody said how often `A` comes, so its sizes are not known\n"
        "  = hint: declare it: `source A 10 per s`"
    )


def test_sizes_are_those_of_rules_that_parte_could_have() -> None:
    [rule] = parse("template A {} source A 1 per s rule R where a : A then").rules
    for pattern in (Distinct(rule.pattern), Join((Distinct(rule.pattern), rule.pattern))):
        with pytest.raises(CepheidError, match="a pattern of the kind `Distinct`"):
            minimum_viable_sizes(Program((replace(rule, pattern=pattern),)))


def test_conditions_on_an_aggregate_change_no_size() -> None:
    text = "template A {} source A 1 per s rule R where a : A  n : count() of b : A in a [0 s, 4 s] {above} then"
    sizes = [
        minimum_viable_sizes(parse(text.replace("{above}", above))).of("R", NodeKind.COLLECT)[0].histories
        for above in ("", "{ n > 3 }")
    ]
    assert sizes == [(5, 5), (5, 5)]
