"""Users ask how far matches have come: of a detector, of a run, and on the command line."""

import json
from pathlib import Path

import pytest

import cepheid
from cepheid.diagnostics import CepheidError
from tests.cli.console import cepheid as command

RULE = "fraud(U) <- (login(U) SEQ change(U) SEQ transfer(U)).1 h."
EVENTS = [
    {"type": "login", "time": 1, "arg1": "ann"},
    {"type": "login", "time": 2, "arg1": "bob"},
    {"type": "change", "time": 3.5, "arg1": "ann"},
]
FURTHEST = {
    "match": "fraud",
    "share": 0.6667,
    "start": 1,
    "end": 3.5,
    "found": {"login": [1], "change": [3]},
    "missing": ["`transfer`"],
}


def test_a_detector_tells_what_is_not_complete_in_the_form_of_the_input() -> None:
    detector = cepheid.compile(RULE, language="etalis").detector()
    for event in EVENTS:
        assert detector.push(event) == []
    furthest, *_ = detector.progress("fraud")
    assert furthest.to_dict() == FURTHEST
    assert [one.share for one in detector.progress(most=1)] == [pytest.approx(2 / 3)]


def test_a_run_tells_what_is_not_complete_when_all_was_read() -> None:
    query = cepheid.compile(RULE, language="etalis")
    found = query.run(EVENTS).progress()
    assert [(one.found, one.missing) for one in found] == [
        ({"login": (1,), "change": (3,)}, ("`transfer`",)),
        ({"login": (1,)}, ("`change`", "`transfer`")),
        ({"login": (2,)}, ("`change`", "`transfer`")),
    ]


def test_an_unknown_rule_is_shown() -> None:
    query = cepheid.compile(RULE, language="etalis")
    for ask in (query.detector().progress, query.run(EVENTS).progress):
        with pytest.raises(CepheidError) as raised:
            ask("frued")
        assert str(raised.value) == (
            "error[unknown-rule]: the query has no rule `frued`\n  = hint: did you mean `fraud`?"
        )


@pytest.mark.parametrize("to_file", [True, False])
def test_the_command_line_writes_json_lines(to_file: bool, tmp_path: Path) -> None:
    given = "".join(json.dumps(event) + "\n" for event in EVENTS)
    output = tmp_path / "progress.jsonl"
    options = ["-o", str(output)] if to_file else []
    answer = command("run", RULE, "--language", "etalis", "--progress-of", "fraud", *options, given=given)
    written = output.read_text() if to_file else answer.output
    assert json.loads(written.splitlines()[0]) == FURTHEST
    assert len(written.splitlines()) == 3
    assert (answer.status, answer.said) == (0, "3 events, 0 matches\n")
