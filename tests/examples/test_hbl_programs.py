"""The watchpoints in `examples/hbl` give the alerts that lie beside them, and none over a quiet trace."""

import os
import runpy
from pathlib import Path
from random import Random

import pytest

from tests.cli.console import cepheid
from tests.docs.pages_that_run import ROOT
from tests.examples.test_etalis_programs import matches_in

FOLDER = ROOT / "examples" / "hbl"
PROGRAMS = sorted(FOLDER.glob("*.hbl"))


def run(program: Path, events: Path) -> str:
    answer = cepheid("run", str(program), "-i", str(events), "--allow-unbounded", "-q")
    assert answer.status == 0
    return answer.output


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_watchpoint_gives_its_alerts_and_stays_silent_otherwise(program: Path) -> None:
    expected, found = program.with_suffix(".matches.jsonl"), run(program, program.with_suffix(".events.jsonl"))
    if os.environ.get("REWRITE"):
        expected.write_text(found, encoding="utf-8")
    assert found
    assert matches_in(found) == matches_in(expected.read_text(encoding="utf-8"))
    assert run(program, program.with_suffix(".quiet.jsonl")) == ""


def test_the_traces_are_those_that_are_made() -> None:
    made = runpy.run_path(str(FOLDER / "traces.py"))
    for name, make in made["TRACES"].items():
        for kind, quiet in (("events", False), ("quiet", True)):
            text = made["written"](make(Random(7), quiet=quiet))
            assert (FOLDER / f"{name}.{kind}.jsonl").read_text(encoding="utf-8") == text
