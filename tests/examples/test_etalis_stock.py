"""The stock ticker of ETALIS: every rule is bounded, or says which wait is endless and what would end it."""

import re

import pytest

import cepheid
from benchmarks.etalis_stock import SECOND, batches, stocks
from cepheid.engine.kernels import KernelDetector
from cepheid.events import point
from tests.docs.pages_that_run import ROOT

POLICIES = ["unrestricted", "recent", "chronological"]
RATES = {"stock": "every 1 s"}
PUBLISHED = (ROOT / "examples" / "etalis" / "stock_ticker.etalis").read_text(encoding="utf-8")
PROMISED = {"ce1": 1, "ce2": 1, "ce3": 0, "ce4": 40, "ce5": 2, "ce6": 4}
LIMITS = {
    r"\) WHERE": ").60 WHERE",
    r"ce5 <- ce1 PAR ce2": "ce5 <- (ce1 PAR ce2).120",
    r"ce6 <- NOT\(ce2\)\.\[ce1, ce1\]": "ce6 <- (NOT(ce2).[ce1, ce1]).120",
}


def limited(text: str) -> str:
    """Return the rules with a limit on each wait."""
    for published, with_limit in LIMITS.items():
        assert re.search(published, text)
        text = re.sub(published, with_limit, text)
    return text


@pytest.mark.parametrize("policy", POLICIES)
def test_every_rule_is_bounded_or_names_the_endless_wait(policy: str) -> None:
    query = cepheid.compile(PUBLISHED, language="etalis", policy=policy, rates=RATES, allow_unbounded=True)
    for rule in query.certificate.rules:
        waits = [label.text for finding in rule.findings for label in finding.labels]
        assert rule.bounded == (not waits)
        assert all(wait.startswith("nothing ends the wait for") for wait in waits)
        assert all("`(a SEQ b).1 h`" in hint for finding in rule.findings for hint in finding.hints)


def test_the_published_rules_need_no_limits_under_recent() -> None:
    query = cepheid.compile(PUBLISHED, language="etalis", policy="recent", rates=RATES)
    assert {rule.name: rule.state.number for rule in query.certificate.rules} == PROMISED


def test_no_run_of_the_published_rules_holds_more_than_that() -> None:
    query = cepheid.compile(PUBLISHED, language="etalis", policy="recent", rates=RATES)
    detector = query.detector()
    for number, (company, price, volume) in enumerate(stocks(1000), 1):
        detector.push(point("stock", number * SECOND, number, {"id": company, "price": price, "volume": volume}))
        assert all(one.promised is None or one.used <= one.promised for one in detector.usage())


def test_kernels_hold_no_more_either() -> None:
    query = cepheid.compile(PUBLISHED, language="etalis", policy="recent", rates=RATES)
    detector = KernelDetector(query.plan)
    for batch in batches(3000):
        for first in range(0, batch.num_rows, 50):
            list(detector.chunks(batch.slice(first, 50)))
            live = {rule.shape.plan.rule.name: rule.live() for rule in detector.run.staged}
            assert {name: used for name, used in live.items() if used > PROMISED[name]} == {}


def test_the_published_rules_need_one_entry_under_recent_and_everything_otherwise() -> None:
    bounded = {}
    for policy in POLICIES:
        query = cepheid.compile(PUBLISHED, language="etalis", policy=policy, rates=RATES, allow_unbounded=True)
        bounded[policy] = [rule.name for rule in query.certificate.rules if rule.bounded]
    assert bounded == {
        "unrestricted": ["ce3"],
        "recent": ["ce1", "ce2", "ce3", "ce4", "ce5", "ce6"],
        "chronological": ["ce3", "ce4"],
    }


@pytest.mark.parametrize("policy", POLICIES)
def test_with_a_limit_on_each_wait_all_rules_are_bounded(policy: str) -> None:
    query = cepheid.compile(limited(PUBLISHED), language="etalis", policy=policy, rates=RATES)
    assert query.certificate.bounded
    assert all(rule.state.number is not None for rule in query.certificate.rules)


def test_an_endless_wait_is_shown_with_the_way_out() -> None:
    with pytest.raises(cepheid.CepheidError) as raised:
        cepheid.compile(PUBLISHED, language="etalis", policy="chronological")
    first, *_ = raised.value.diagnostics
    assert str(cepheid.CepheidError(first)) == (
        "error[unbounded-state]: rule `ce1` keeps every `stock` event for ever\n"
        " --> <query>:4:32\n"
        "  |\n"
        '4 | ce1 <- (stock("GO", P1, _) SEQ stock("GO", P2, _)) WHERE (P2 > 1.20 * P1).'
        "   % a rise of more than a fifth\n"
        "  |                                ^^^^^^^^^^^^^^^^^^ nothing ends the wait for `stock`\n"
        "  = hint: limit how long it may last, for example `(a SEQ b).1 h`"
    )
