"""`cepheid test` and `cepheid new`: rules are tested by the files beside them, and a new project passes its tests."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.console import cepheid
from tests.cli.small_disk import room_for


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "fraud"
    assert cepheid("new", str(folder)).status == 0
    return folder


def test_a_new_project_passes_its_own_tests(project: Path) -> None:
    answer = cepheid("test", str(project / "rules"))
    assert (answer.status, answer.output) == (
        0,
        "ok    travel (1 match)\nok    travel.late (0 matches)\n2 passed, 0 failed\n",
    )


def test_what_a_new_project_says_can_be_typed(project: Path) -> None:
    answer = cepheid("run", str(project / "rules" / "travel.cep"), "--input", str(project / "logins"))
    assert answer.status == 0
    assert json.loads(answer.output)["values"] == {"user": "ann", "from": "Oslo", "to": "Lima"}
    assert cepheid("check", str(project / "rules" / "travel.cep"), "--rate", "login=100/s").status == 0


def test_a_folder_with_something_in_it_is_left_alone(project: Path) -> None:
    answer = cepheid("new", str(project))
    assert answer.status == 2
    assert "existing-project" in answer.said


def test_a_difference_is_drawn_and_written_for_other_tools(project: Path, tmp_path: Path) -> None:
    matches, report = project / "rules" / "travel.matches.jsonl", tmp_path / "report.xml"
    matches.write_text(matches.read_text().replace("Lima", "Rome"))
    answer = cepheid("test", str(project / "rules"), "--junit", str(report))
    assert answer.status == 1
    first, missing, surplus, *_ = answer.output.splitlines()
    assert first == f"FAIL  travel ({project / 'rules' / 'travel.events.jsonl'})"
    assert missing.strip().startswith("- {") and '"to": "Rome"' in missing  # noqa: PT018  # one line
    assert surplus.strip().startswith("+ {") and '"to": "Lima"' in surplus  # noqa: PT018  # one line
    suite = ElementTree.parse(report).getroot()[0]
    assert suite.attrib == {"name": "cepheid", "tests": "2", "failures": "1"}
    assert [case.find("failure") is not None for case in suite] == [True, False]


def test_matches_can_be_written(project: Path) -> None:
    matches = project / "rules" / "travel.matches.jsonl"
    matches.unlink()
    assert cepheid("test", str(project / "rules"), "--update").status == 0
    assert json.loads(matches.read_text())["evidence"] == [1, 3]
    assert cepheid("test", str(project / "rules")).status == 0


@pytest.mark.parametrize("broken", [b"no match\n", b"[1, 2]\n", b'{"match": \xff}\n', b"\x00"])
def test_a_file_of_matches_that_cannot_be_read_is_replaced(project: Path, broken: bytes) -> None:
    matches = project / "rules" / "travel.matches.jsonl"
    matches.write_bytes(broken)
    answer = cepheid("test", str(project / "rules"))
    assert answer.status == 1
    assert "travel.matches.jsonl" in answer.output
    assert "--update" in answer.output
    answer = cepheid("test", str(project / "rules"), "--update")
    assert (answer.status, "wrote" in answer.output) == (0, True)
    assert json.loads(matches.read_text())["evidence"] == [1, 3]
    assert cepheid("test", str(project / "rules")).status == 0


def test_nothing_is_written_for_a_rule_that_does_not_run(project: Path) -> None:
    matches = project / "rules" / "travel.matches.jsonl"
    matches.write_text("no match\n")
    (project / "rules" / "travel.cep").write_text("a then")
    assert cepheid("test", str(project / "rules"), "--update").status == 1
    assert matches.read_text() == "no match\n"


def test_options_stand_beside_a_rule(tmp_path: Path) -> None:
    (tmp_path / "slow.cep").write_text("r: Request[status >= 500]")
    (tmp_path / "slow.events.log").write_text('10.0.0.1 - - [17/May/2024:08:30:00 +0000] "GET / HTTP/1.1" 503 0\n')
    (tmp_path / "slow.matches.jsonl").write_text('{"end": "2024-05-17T08:30:00Z"}\n')
    (tmp_path / "slow.test.toml").write_text('input_format = "apache"\n')
    assert cepheid("test", str(tmp_path)).status == 0
    (tmp_path / "slow.test.toml").write_text('input_formt = "apache"\n')
    answer = cepheid("test", str(tmp_path))
    assert answer.status == 1
    assert "there is no option `input_formt`" in answer.output


def test_a_rule_without_a_test_and_a_broken_rule_are_said(tmp_path: Path) -> None:
    (tmp_path / "alone.cep").write_text("A")
    assert "no-tests" in cepheid("test", str(tmp_path)).said
    (tmp_path / "broken.cep").write_text("a then")
    (tmp_path / "broken.events.csv").write_text("type,time\nA,1\n")
    answer = cepheid("test", str(tmp_path))
    assert answer.status == 1
    assert "none  alone: there is no `alone.events.jsonl` beside it" in answer.output
    assert "FAIL  broken" in answer.output


def test_matches_that_cannot_be_written_are_as_they_were(project: Path) -> None:
    matches = project / "rules" / "travel.matches.jsonl"
    matches.write_text(before := '{"match": "Travel", "end": "2024-05-17T08:31:01Z"}\n')
    with room_for(30):
        answer = cepheid("test", str(project / "rules"), "--update")
    assert answer.status == 2
    assert answer.said == f"error[unwritable-output]: `{matches}` cannot be written: file too large\n"
    assert matches.read_text() == before
    assert not [one for one in matches.parent.iterdir() if one.name.startswith(".")]


def test_a_report_that_cannot_be_written_is_said(project: Path, tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text("of yesterday")
    matches = project / "rules" / "travel.matches.jsonl"
    matches.write_text("".join(f'{{"match": "Travel", "end": {end}}}\n' for end in range(9000)))
    with room_for(30):
        answer = cepheid("test", str(project / "rules"), "--junit", str(tmp_path / "report.xml"))
    assert (answer.status, "report.xml` cannot be written: file too large" in answer.said) == (2, True)
    assert (tmp_path / "report.xml").read_text() == "of yesterday"


def test_a_project_has_no_half_of_a_file(tmp_path: Path) -> None:
    with room_for(200):
        answer = cepheid("new", str(tmp_path / "fraud"))
    assert answer.status == 2
    assert "cannot be written: file too large" in answer.said
    assert [one for one in (tmp_path / "fraud").rglob("*") if one.is_file() and one.stat().st_size == 200] == []
