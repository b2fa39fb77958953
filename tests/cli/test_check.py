"""`cepheid check` prints the certificate; `cepheid explain` prints the stages."""

import json
from pathlib import Path

import pytest

from cepheid.api import STAGES
from tests.cli.console import cepheid

PAIR = "(A ; B) within 5 s"


def test_a_bounded_query_has_status_0() -> None:
    answer = cepheid(
        "check", PAIR, "--language", "algebra", "--policy", "all", "--rate", "A=100/s", "--rate", "B=100/s"
    )
    assert (answer.status, answer.said) == (0, "")
    assert answer.output == (
        "match: bounded\n"
        "  state    at most 600 entries, about 24,000 bytes\n"
        "  work     at most 601 comparisons per event\n"
        "  delay    a match is certain at its end\n"
        "  history  the last 5 s decide about a match\n"
        "  key      none, so the work is one partition\n"
    )


def test_without_rates_there_are_formulas() -> None:
    answer = cepheid("check", f"{PAIR} by user", "--language", "algebra", "--policy", "all")
    assert answer.output == (
        "match: bounded\n"
        "  state    at most arrivals(A, 5 s) entries\n"
        "  per key  at most arrivals(A, 5 s) entries\n"
        "  work     at most arrivals(A, 5 s) + 1 comparisons per event\n"
        "  delay    a match is certain at its end\n"
        "  history  the last 5 s decide about a match\n"
        "  key      `user`\n"
        "declare rates to know more, for example --rate A=5/s\n"
    )


def test_an_unbounded_query_has_status_2_unless_it_is_allowed() -> None:
    answer = cepheid("check", "A ; B", "--language", "algebra", "--policy", "all")
    assert answer.status == 2
    assert answer.output.startswith("match: unbounded\n  state    without bound\n")
    assert answer.said == (
        "error[unbounded-state]: rule `match` keeps every `A` event for ever\n"
        " --> <query>:1:5\n"
        "  |\n"
        "1 | A ; B\n"
        "  |     ^ nothing ends the wait for `B`\n"
        "  = hint: add a window, for example `within 1 h`\n"
    )
    allowed = cepheid("check", "A ; B", "--language", "algebra", "--policy", "all", "--allow-unbounded")
    assert allowed.status == 0
    assert allowed.said == answer.said.replace("error", "warning", 1)


def test_a_query_that_never_matches_is_a_warning() -> None:
    answer = cepheid("check", "(A ; B) within 0 s", "--language", "algebra")
    assert answer.status == 0
    assert answer.said.startswith("warning[never-matches]: rule `match` can never match\n")


def test_a_certificate_is_data_too() -> None:
    data = json.loads(
        cepheid("check", PAIR, "--language", "algebra", "--policy", "all", "--rate", "A=100/s", "--json").output
    )
    assert (data["bounded"], data["rules"][0]["state"]["number"]) == (True, 600)


def test_disorder_is_part_of_the_delay() -> None:
    answer = cepheid("check", PAIR, "--language", "algebra", "--policy", "all", "--disorder", "2 s")
    assert "  delay    a match is certain 2 s after its end\n" in answer.output


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "json"])
def test_every_stage_is_printed(stage: str) -> None:
    alone = cepheid("explain", PAIR, "--language", "algebra", "--stage", stage)
    assert alone.status == 0
    assert f"# {stage}\n\n{alone.output}" in cepheid("explain", PAIR, "--language", "algebra").output


def test_a_query_that_was_printed_as_json_runs_as_it_did(tmp_path: Path) -> None:
    watchpoint = "watchpoint slow { window 5 s; main = ask letting n = id -> answer[id == n]; }"
    compiled, events = tmp_path / "slow.json", tmp_path / "events.jsonl"
    compiled.write_text(cepheid("explain", watchpoint, "--language", "hbl", "--stage", "json").output, encoding="utf-8")
    events.write_text('{"type": "ask", "time": 1, "id": 7}\n{"type": "answer", "time": 2, "id": 7}\n', encoding="utf-8")
    found = cepheid("run", str(compiled), "-i", str(events), "-q").output
    assert found == cepheid("run", watchpoint, "--language", "hbl", "-i", str(events), "-q").output
    assert found.startswith('{"match": "slow", "start": 1, "end": 2,')


@pytest.mark.parametrize(
    ("text", "code"),
    [("{", "syntax"), ("[" * 100_000, "too-deep"), ("[]", "bad-json-form")],
    ids=["not closed", "deep", "a list"],
)
def test_a_query_that_is_no_json_form_is_refused(text: str, code: str) -> None:
    answer = cepheid("check", text, "--language", "json")
    assert answer.status == 2
    assert answer.said.startswith(f"error[{code}]: ")


def test_an_unbounded_query_can_be_explained() -> None:
    assert cepheid("explain", "A ; B", "--language", "algebra", "--policy", "all", "--stage", "plan").status == 0
