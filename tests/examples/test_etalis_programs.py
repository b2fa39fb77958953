"""The programs in `examples/etalis` find the matches that lie beside them; `REWRITE=1` writes what they find."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.console import cepheid
from tests.docs.pages_that_run import ROOT

PROGRAMS = sorted((ROOT / "examples" / "etalis").glob("*.etalis"))


def matches_in(text: str) -> list[str]:
    """The matches without their ids, which change with the query's version, in an order of their own."""
    rows = [{name: value for name, value in json.loads(line).items() if name != "id"} for line in text.splitlines()]
    return sorted(json.dumps(row) for row in rows)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_finds_its_matches(program: Path) -> None:
    expected = program.with_suffix(".matches.jsonl")
    answer = cepheid("run", str(program), "-i", str(program.with_suffix(".events.jsonl")), "--allow-unbounded", "-q")
    assert answer.status == 0
    if os.environ.get("REWRITE"):
        expected.write_text(answer.output, encoding="utf-8")
    assert matches_in(answer.output) == matches_in(expected.read_text(encoding="utf-8"))
    assert answer.output
