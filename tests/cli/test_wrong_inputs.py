"""Wrong inputs that people make: each ends in a message that names a repair which, typed, works."""

import shlex
from pathlib import Path

import pytest

from tests.cli.console import Answer, cepheid
from tests.cli.wrong_inputs import FILES, INPUTS, QUERIES, Wrong

SYSLOG = "May 17 08:30:00 web sshd[1]: Failed password for root from 10.0.0.1 port 22 ssh2\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(command: str) -> Answer:
    return cepheid(*shlex.split(command), given=SYSLOG)


def repaired(command: str, wrong: str, right: str) -> str:
    return f"{command} {right}" if not wrong else command.replace(wrong, right, 1)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("case", [*INPUTS, *QUERIES], ids=lambda case: case[0][:60])
def test_what_is_said_names_a_repair_that_works(case: Wrong) -> None:
    command, code, wrong, right = case[:4]
    named = case[-1]
    answer = typed(command)
    heading = "Error: " if code == "usage" else f"[{code}]: "
    assert heading in answer.said
    assert "Traceback" not in answer.said
    assert named.strip() in answer.said.partition(heading)[2]
    again = typed(repaired(command, wrong, right))
    assert (again.status, [line for line in again.said.splitlines() if line.startswith(("error", "warning"))]) == (
        0,
        [],
    )


def test_there_are_a_hundred_of_them() -> None:
    assert len({case[0] for case in (*INPUTS, *QUERIES)}) >= 100
