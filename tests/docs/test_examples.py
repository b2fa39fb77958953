"""The examples find what they say they find, and the demonstration runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.console import cepheid
from tests.docs.pages_that_run import ROOT

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/matches.jsonl"))


def matches_in(text: str) -> list[dict[str, object]]:
    """The matches without their ids, which change with the query's version."""
    return [{name: value for name, value in json.loads(line).items() if name != "id"} for line in text.splitlines()]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_finds_its_matches(example: Path) -> None:
    [query] = example.glob(f"{example.name}.*")
    answer = cepheid("run", str(query), "--input", str(example / "events.jsonl"))
    assert matches_in(answer.output) == matches_in((example / "matches.jsonl").read_text(encoding="utf-8"))


def test_the_first_demonstration_shows_query_certificate_events_and_matches() -> None:
    demo = [sys.executable, str(ROOT / "examples" / "demo.py"), "alarm"]
    shown = subprocess.run(demo, capture_output=True, text=True, check=True).stdout
    parts = ("Alarm = (Button ; Button)", "Alarm: bounded", '{"type": "Button", "time": 1}', "Alarm  1      2.5")
    assert sorted(parts, key=shown.index) == list(parts)
