"""Events that come faster than was declared are said to, with their type, as in one process."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.cli.console import cepheid

PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
[sources.events]
format = "json"
path = "events"
schema = "type string, time long, user string"
[queries.pair]
text = "Pair = (A ; B) within 5 s"
language = "algebra"
rates = { A = "1/s", B = "1/s", C = "1/s" }
[sinks.found]
format = "json"
path = "found"
"""
COMING = [("A", 1), ("A", 1), ("A", 1), ("B", 3), ("B", 3), ("C", 9)]
EVENTS = "".join(f'{{"type": "{kind}", "time": {time}}}\n' for kind, time in COMING)


def test_a_broken_rate_is_said_with_its_type(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "1.jsonl").write_text(EVENTS, encoding="utf-8")
    (tmp_path / "pipeline.toml").write_text(PIPELINE, encoding="utf-8")
    answer = cepheid("pipeline", "run", str(tmp_path / "pipeline.toml"), "--once")
    expected = [f"warning[rate-exceeded]: more than 1 `{kind}` events come within 1 s" for kind in "AB"]
    said = [line for line in answer.said.splitlines() if "rate-exceeded" in line]
    assert (answer.status, said) == (0, expected)
    # The query emits no values, and its matches are in the files all the same.
    [file] = (tmp_path / "found").glob("batch=0/part-*")
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {(one["query"], one["match"], one["start"], one["end"]) for one in told} == {("pair", "Pair", 1, 3)}


@pytest.mark.parametrize("where", ["spark", "local"])
def test_a_broken_rate_of_a_whole_input_is_said(spark: SparkSession, tmp_path: Path, where: str) -> None:
    (tmp_path / "events.jsonl").write_text(EVENTS, encoding="utf-8")
    (tmp_path / "pair.alg").write_text("Pair = (A ; B) within 5 s", encoding="utf-8")
    on = ("--on", "spark") if where == "spark" else ()
    options = ("--input", str(tmp_path / "events.jsonl"), "--rate", "A=1/s", "--rate", "B=1/s", *on)
    answer = cepheid("run", str(tmp_path / "pair.alg"), *options)
    assert "warning[rate-exceeded]: more than 1 `A` events come within 1 s" in answer.said


KEYED = '''
[pipeline]
checkpoint = "checkpoint"
[sources.events]
format = "json"
path = "events"
schema = "type string, time long, user string, card string"
options = { maxFilesPerTrigger = 1 }
[queries.pair]
text = """
RULES
"""
language = "algebra"
rates = { A = "RATE/s", B = "100/s" }
[sinks.found]
format = "json"
path = "found"
'''
APART = """
OfUser = (a:A ; b:B) within 5 s by user
OfCard = (a:A ; b:B) within 5 s by card
"""
IN_STAGES = """
OfUser = (a:A ; b:B) within 5 s by user emits card = a.card
OfCard = (one:OfUser ; a:A) within 5 s by card
"""
USERS = [f"user {number}" for number in range(16)]


def of_users(kind: str, time: int, users: list[str]) -> str:
    rows = ({"type": kind, "time": time, "user": user, "card": f"card of {user}"} for user in users)
    return "".join(json.dumps(row) + "\n" for row in rows)


def said_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if "rate-exceeded" in line]


def said_by(pipeline: Path) -> list[str]:
    answer = cepheid("pipeline", "run", str(pipeline), "--once")
    assert answer.status == 0, answer.said
    return said_of(answer.said)


BROKEN = ["more than 15 `A` events come within 1 s"]


@pytest.mark.parametrize(
    ("rules", "rate", "expected"),
    [
        pytest.param(APART, 15, BROKEN, id="15-apart"),
        pytest.param(IN_STAGES, 15, BROKEN, id="15-in stages", marks=pytest.mark.soak),
        pytest.param(APART, 16, [], id="16-apart", marks=pytest.mark.soak),
        pytest.param(IN_STAGES, 16, [], id="16-in stages"),
    ],
)
def test_a_rate_that_all_buckets_break_together_is_said_once(
    spark: SparkSession, tmp_path: Path, rules: str, rate: int, expected: list[str]
) -> None:
    (tmp_path / "events").mkdir()
    for number, (time, users) in enumerate([(1, USERS[:8]), (1, USERS[8:]), (3, USERS)]):
        (tmp_path / "events" / f"{number}.jsonl").write_text(of_users("A", time, users), encoding="utf-8")
    text = KEYED.replace("RATE", str(rate)).replace("RULES", rules)
    (tmp_path / "pipeline.toml").write_text(text, encoding="utf-8")
    assert said_by(tmp_path / "pipeline.toml") == [f"warning[rate-exceeded]: {one}" for one in expected]


@pytest.mark.parametrize(("last", "expected"), [(1899, BROKEN), (1900, [])])
def test_a_rate_that_is_broken_evenly_by_what_came_before_and_after_a_restart_is_said(
    spark: SparkSession, tmp_path: Path, last: int, expected: list[str]
) -> None:
    (tmp_path / "events").mkdir()
    text = KEYED.replace("RATE", "15").replace("RULES", APART).replace("options", 'time_unit = "ms"\noptions')
    (tmp_path / "pipeline.toml").write_text(text, encoding="utf-8")
    # All lie over the edge of two seconds, and no user comes twice.
    for number, (time, users, said) in enumerate(
        [(900, USERS[:8], []), (last, USERS[8:], expected), (5000, USERS[1:], [])]
    ):
        (tmp_path / "events" / f"{number}.jsonl").write_text(of_users("A", time, users), encoding="utf-8")
        assert said_by(tmp_path / "pipeline.toml") == [f"warning[rate-exceeded]: {one}" for one in said]


@pytest.mark.parametrize("on", [("--on", "spark"), ()])
@pytest.mark.parametrize(("rate", "expected"), [(15, BROKEN), (16, [])])
def test_a_rate_that_all_parts_of_an_input_break_together_is_said_once(
    spark: SparkSession, tmp_path: Path, rate: int, expected: list[str], on: tuple[str, ...]
) -> None:
    (tmp_path / "events.jsonl").write_text(of_users("A", 1, USERS) + of_users("A", 3, USERS), encoding="utf-8")
    (tmp_path / "pair.alg").write_text("Pair = (a:A ; b:B) within 5 s by user", encoding="utf-8")
    options = ("--input", str(tmp_path / "events.jsonl"), "--rate", f"A={rate}/s", "--rate", "B=1/s", *on)
    answer = cepheid("run", str(tmp_path / "pair.alg"), *options)
    assert answer.status == 0
    assert said_of(answer.said) == [f"warning[rate-exceeded]: {one}" for one in expected]


@pytest.mark.parametrize("users", [USERS, USERS[:1] * 16], ids=["many keys", "one key"])
@pytest.mark.parametrize("halves", [(2, 2), (3, 4)], ids=["in one period", "over the edge of two"])
def test_where_the_policy_is_to_fail_a_broken_rate_is_an_error(
    spark: SparkSession, tmp_path: Path, users: list[str], halves: tuple[int, int]
) -> None:
    events = "".join(of_users("A", half * 500, users[place::2]) for place, half in enumerate(halves))
    (tmp_path / "events.jsonl").write_text(events, encoding="utf-8")
    (tmp_path / "pair.alg").write_text("Pair = (a:A ; b:B) within 5 s by user", encoding="utf-8")
    rates = ("--rate", "A=15/s", "--rate", "B=1/s", "--on-excess", "fail", "--time-unit", "ms")
    answer = cepheid("run", str(tmp_path / "pair.alg"), "--on", "spark", "-i", str(tmp_path / "events.jsonl"), *rates)
    # What is spread over the edge of two periods is noticed where one worker sees it all.
    goes_unseen = users is USERS and halves == (3, 4)
    expected = [] if goes_unseen else ["error[rate-exceeded]: more than 15 `A` events come within 1 s"]
    assert (answer.status, said_of(answer.said)) == (0 if goes_unseen else 2, expected)
