"""A name that no file can have is refused with a code, wherever a file is named."""

from pathlib import Path

import pytest

import cepheid as c
from cepheid.api import load
from cepheid.api.projects import new_project
from cepheid.diagnostics import CepheidError

QUERY = "A ; B within 1 s"
TEMPLATE = "template Seen { id : Integer }"
RULE = "rule Any where t : Seen then emit Seen at t.timestamp with { id = t.id }"
NAMES = {
    "long": "x" * 300,
    "deep": "y/" * 3000 + "y",
    "nul": "nul\0",
    "half": "\ud800",
    "loop": "loop",
    "in-loop": "loop/x",
    "in-file": "file/x",
}
unnameable = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)


def test_a_text_that_no_file_can_be_called_is_a_query() -> None:
    [rule] = c.compile(NAMES["long"], language="algebra").program.rules
    assert rule.pattern == c.compile(f" {NAMES['long']}", language="algebra").program.rules[0].pattern


@unnameable
def test_a_query_is_not_in_such_a_file(name: str) -> None:
    with pytest.raises(CepheidError):
        load(f"{name}.parte")


@unnameable
def test_a_query_names_no_such_file(name: str) -> None:
    with pytest.raises(CepheidError):
        c.compile(f'use "{name}"\n{TEMPLATE}\n{RULE}', language="parte")


@pytest.mark.parametrize("pattern", ["", "*"])
@unnameable
def test_no_events_are_in_such_a_file(name: str, pattern: str) -> None:
    with pytest.raises(CepheidError) as raised:
        list(c.compile(QUERY, language="algebra").run(name + pattern))
    assert raised.value.diagnostics[0].code == "unreadable-input"


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "arrow"])
@unnameable
def test_no_matches_are_written_to_such_a_file(name: str, ending: str, tmp_path: Path) -> None:
    with pytest.raises(CepheidError) as raised:
        c.compile(QUERY, language="algebra").run([]).write(f"{name}/y.{ending}")
    assert raised.value.diagnostics[0].code == "unwritable-output"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "loop"]


@pytest.mark.parametrize("name", ["nul\0", "\ud800", "loop/x", "file/x", "x" * 300])
def test_no_project_is_in_such_a_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(CepheidError) as raised:
        new_project(name)
    assert raised.value.diagnostics[0].code == "unwritable-output"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "loop"]
