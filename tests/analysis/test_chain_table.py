"""The table of bounds for watchpoints: its rows in words, and how many runs a record looks at."""

import pytest

from cepheid.analysis import RuleCertificate, certify, plan_of
from cepheid.languages.hbl import parse


def certified(text: str) -> RuleCertificate:
    return certify(plan_of(parse(text), intervals=False)).rules[0]


ROWS = {
    "main = a -> b; alert { evidence = records }": (
        "steps in a row, w runs for w = 99 records that begin one: 99; "
        "none are merged, because the evidence distinguishes them"
    ),
    "main = a -> b; alert { }": (
        "steps in a row, w runs for w = 99 records that begin one: 99; merged, where nothing distinguishes them: 1"
    ),
    "main = a letting k = key -> (b[key == k] | c[key == k]); alert { k = k }": (
        "alternatives, w * 2 runs for w = 99 records that begin one: 198; "
        "merged, where they agree on `k`: no less; a record looks at those of its own `k`"
    ),
    "main = a letting k = key -> (b | main2); main2 = c[key == k] -> (b | main2); alert { k = k }": (
        "linear recursion, w * w * 3 runs for w = 99 records that begin one: 9999; "
        "merged, where they agree on `k`: no less"
    ),
}


@pytest.mark.parametrize("body", ROWS)
def test_a_row_in_words(body: str) -> None:
    (chain,) = certified(f"watchpoint w {{ window 100 records; {body} }}").operators
    assert chain.runs == ROWS[body]


def test_a_time_window_is_so_many_records_where_a_rate_is_declared() -> None:
    text = "stream a rate 10 per 1 s; watchpoint w { window 2 s; main = a -> b; alert { evidence = records } }"
    (chain,) = certified(text).operators
    assert chain.runs is not None
    assert "w = 30 = arrivals(a, 2 s) records" in chain.runs


@pytest.mark.parametrize(
    ("body", "work"),
    [
        ("main = a letting k = key -> b; alert { k = k }", 100),
        ("main = a letting k = key -> b[key == k]; alert { k = k }", 2),
        ("main = a letting k = key -> b[key == k] -> c[key == k]; alert { k = k }", 3),
        ("main = a letting k = key -> b[key == k]; alert { k = k, evidence = records }", 100),
        ("main = a letting k = key, n = value -> b[key == k]; alert { k = k, n = n }", 100),
        ("main = a letting k = key ~> avoid(c) ~> b[key == k]; alert { k = k }", 100),
        ("main = a letting k = key ~> avoid(c[key == k]) ~> b[key == k]; alert { k = k }", 2),
    ],
)
def test_work_is_the_runs_that_an_equality_leaves(body: str, work: int) -> None:
    assert certified(f"watchpoint w {{ window 100 records; {body} }}").work.number == work


def test_work_under_a_key_is_the_runs_of_that_key() -> None:
    streams, alert = "stream a keys 50; stream b keys 50;", "alert { q = first.x }"
    rule = certified(f"{streams} watchpoint w by k {{ window 10 records; main = a -> b; {alert} }}")
    assert rule.state.number == 900
    assert rule.work.number == 10
