"""Wrong inputs that people make: each ends in a message that names a repair which, typed, works."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.console import Answer, cepheid
from tests.cli.wrong_inputs import FILES, INPUTS, QUERIES, Wrong
from tests.cli.wrong_phrases import PHRASES

HINT = re.compile(r"= hint: (.*)")
POINTED = re.compile(r"--> <query>:1:(\d+)\n +\|\n1 \| .*\n(?: +\| +-.*\n)* +\| +(\^+)")
MENDED_ELSEWHERE = {
    "(Login ; Buy within 5 s": "(Login",
    "sequence { a: Login, not b: Buy }": "not b: Buy",
    "a: Login then b: Buy within 5 s limit 3": "limit 3",
}
"""Queries in which the repair stands elsewhere than what is wrong, and that."""
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


def names(said: str, text: str) -> bool:
    """Say whether a text stands in what is said, not only as a part of a longer word."""
    before = r"(?<![\w.-])" if re.match(r"\w", text) else ""
    after = r"(?![\w-])" if re.search(r"\w$", text) else ""
    return re.search(f"{before}{re.escape(text)}{after}", said) is not None


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("case", [*INPUTS, *QUERIES, *PHRASES], ids=lambda case: case[0][:60])
def test_what_is_said_names_a_repair_that_works(case: Wrong) -> None:
    command, code, wrong, right = case[:4]
    answer = typed(command)
    heading = "Error: " if code == "usage" else f"[{code}]: "
    assert heading in answer.said
    assert "Traceback" not in answer.said
    said = answer.said.partition(heading)[2]
    ways_out = said if code == "usage" else "\n".join(HINT.findall(said))
    assert names(ways_out, case[-1].strip())
    again = typed(repaired(command, wrong, right))
    assert (again.status, [line for line in again.said.splitlines() if line.startswith(("error", "warning"))]) == (
        0,
        [],
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "case", [case for case in (*QUERIES, *PHRASES) if case[1] != "usage"], ids=lambda case: case[0][:60]
)
def test_what_is_said_of_a_query_points_at_it(case: Wrong) -> None:
    command, code, replaced = case[:3]
    query = shlex.split(command)[1]
    wrong = MENDED_ELSEWHERE.get(query, replaced.strip())
    pointed = POINTED.search(typed(command).said.partition(f"[{code}]: ")[2])
    assert pointed is not None
    start = int(pointed[1]) - 1
    place = range(start, start + len(pointed[2]))
    at = query.index(wrong)
    assert place.start - 1 <= at + len(wrong)
    assert at <= place.stop + 1


def test_there_are_a_hundred_of_them() -> None:
    assert len({case[0] for case in (*INPUTS, *QUERIES, *PHRASES)}) >= 100
