"""The examples find what they say they find, and the demonstration runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.console import cepheid
from tests.docs.pages_that_run import ROOT

FOLDERS = sorted(path.parent for path in (ROOT / "examples").glob("*/matches.jsonl"))
EXAMPLES = [query for folder in FOLDERS for query in sorted(folder.glob(f"{folder.name}.*"))]


def matches_in(text: str) -> list[dict[str, object]]:
    """The matches without their ids and without when they were certain, which depend on the language."""
    lines = (json.loads(line).items() for line in text.splitlines())
    return [{name: value for name, value in line if name not in ("id", "known")} for line in lines]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_finds_its_matches(example: Path) -> None:
    answer = cepheid("run", str(example), "--input", str(example.parent / "events.jsonl"))
    assert matches_in(answer.output) == matches_in((example.parent / "matches.jsonl").read_text(encoding="utf-8"))


def test_the_first_demonstration_shows_query_certificate_events_and_matches() -> None:
    demo = [sys.executable, str(ROOT / "examples" / "demo.py"), "alarm"]
    shown = subprocess.run(demo, capture_output=True, text=True, check=True).stdout
    parts = ("Alarm = (Button ; Button)", "Alarm: bounded", '{"type": "Button", "time": 1}', "Alarm  1      2.5")
    assert sorted(parts, key=shown.index) == list(parts)
