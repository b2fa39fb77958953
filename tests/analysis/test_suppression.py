"""What a suppression keeps, and what it lets pass: worked out by hand."""

import cepheid as c
from cepheid.analysis import RuleCertificate

PAIR = "a: A then b: B within 1 h"


def certified(*lines: str) -> RuleCertificate:
    """Return the certificate of the last rule of a text, whose events of one time follow each other."""
    return c.compile("\n".join(lines), language="cep").certificate.rules[-1]


def state(*lines: str) -> str:
    return str(certified(*lines).state.formula)


def test_without_a_key_there_is_one_time() -> None:
    assert state("a: A suppress 10 s") == "1"


def test_there_are_no_more_keys_than_events_in_the_span() -> None:
    assert state("a: A suppress 10 s by a.user") == "arrivals(A, 10 s)"


def test_there_are_no_more_keys_than_are_declared_and_null() -> None:
    query = "a: A suppress 10 s by a.user"
    assert state("stream A keys 50", query) == "least(keys(user) + 1, arrivals(A, 10 s))"
    assert certified("stream A keys 50 rate 100 per 1 s", query).state.number == 51


def test_a_key_is_brought_by_one_event_as_far_back_as_the_match_is_long() -> None:
    assert state(f"({PAIR}) suppress 10 min by a.user") == "arrivals(A, 1 h) + arrivals(A, 70 min)"
    assert state(f"({PAIR}) suppress 10 min by b.user") == "arrivals(A, 1 h) + arrivals(B, 10 min)"


def test_a_key_of_several_events_is_brought_by_matches() -> None:
    found = state(f"({PAIR}) suppress 10 min by a.user, b.user")
    assert found == "arrivals(A, 1 h) + arrivals(A, 70 min) * arrivals(B, 10 min)"


def test_what_another_branch_finds_has_the_key_null() -> None:
    found = state("(a: A or b: B) suppress 10 s by a.user")
    assert found == "least(arrivals(A, 10 s) + arrivals(B, 10 s), arrivals(A, 10 s) + 1)"


def test_of_each_key_a_rule_that_reads_what_passed_gets_one_in_a_span() -> None:
    text = """
    stream A rate 1000 per 1 s
    rule Calm: a: A suppress 10 s emits Calm
    rule Pair: x: Calm then y: Calm within 1 min emits Pair
    """
    assert certified(text).state.number == 6


def test_all_of_the_past_decides_and_a_key_that_is_told_apart_divides_the_work() -> None:
    rule = certified(f"({PAIR} on user) suppress 10 min by a.user")
    assert (rule.history, str(rule.key), rule.delay) == (None, "`user`", 0)
    assert certified(f"({PAIR} on user) suppress 10 min").key is None


def test_the_plan_says_what_is_kept_and_for_how_long() -> None:
    query = c.compile("a: A suppress 10 s by a.user", language="cep")
    assert "keeps for 10 s the end of the last match of each key" in query.explain("plan")


def test_each_key_takes_the_bytes_of_a_time_and_its_values() -> None:
    rule = certified("stream A rate 1 per 1 s", "a: A suppress 10 s by a.user, a.site")
    assert (rule.state.number, rule.size.number) == (11, 11 * (16 + 2 * 16))
