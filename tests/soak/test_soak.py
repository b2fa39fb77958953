"""A soak stops at any moment and goes on where it was, on the same commit; another commit starts anew."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.soak.parts import ROOT, Part, Portion, files_of_properties, parts, parts_called, places, seeds
from tests.soak.progress import Progress, Record, commit_of
from tests.soak.runs import Carry, carried_out, go_on, record_of, status

PART = seeds("some", "tests.nothing", 25, 10)


@dataclass
class Carrier:
    """Carries out nothing, and notes what it was asked for; some portions fail, at one it is stopped."""

    failing: Sequence[str] = ()
    stopped_at: str = ""
    asked: list[str] = field(default_factory=list)

    def __call__(self, portion: Portion) -> int | None:
        if portion.name == self.stopped_at:
            raise KeyboardInterrupt
        self.asked.append(portion.name)
        return None if portion.name in self.failing else portion.cases


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return record_of(tmp_path / "soak", PART)


def asked(record: Record, carrier: Carrier, commit: str = "c1", most: int | None = None) -> list[str]:
    go_on(PART, record, commit, carrier, most)
    return carrier.asked


def test_seeds_come_in_portions_and_none_is_left_out() -> None:
    assert [(portion.name, portion.cases) for portion in PART.portions] == [("0-10", 10), ("10-20", 10), ("20-25", 5)]
    assert PART.portions[1].command[1:] == ("-m", "tests.nothing", "10", "20")


def test_several_parts_have_one_name_in_common() -> None:
    assert {"hostile-files", "hostile-objects"} <= {part.name for part in parts_called("hostile", parts())}
    assert [part.name for part in parts_called("engine", parts())] == ["engine"]
    assert parts_called("host", parts()) == []


def test_what_was_stopped_goes_on_with_the_portion_it_was_at(record: Record) -> None:
    with pytest.raises(KeyboardInterrupt):
        asked(record, Carrier(stopped_at="10-20"))
    assert record.on("c1") == Progress({"0-10": 10})
    assert asked(record, Carrier()) == ["10-20", "20-25"]
    assert record.on("c1").cases == 25
    assert asked(record, Carrier()) == []


def test_another_commit_starts_anew_and_both_are_on_record(record: Record) -> None:
    asked(record, Carrier())
    assert asked(record, Carrier(), "c2", most=2) == ["0-10", "10-20"]
    assert {commit: progress.cases for commit, progress in record.read().items()} == {"c1": 25, "c2": 20}


def test_what_failed_does_not_count_and_is_run_again(record: Record) -> None:
    assert asked(record, Carrier(failing=["0-10"])) == ["0-10", "10-20", "20-25"]
    assert record.on("c1") == Progress({"10-20": 10, "20-25": 5}, ["0-10"])
    assert asked(record, Carrier(failing=["0-10"])) == ["0-10"]
    assert record.on("c1").failed == ["0-10"]
    assert asked(record, Carrier()) == ["0-10"]
    assert record.on("c1").failed == []
    assert record.on("c1").cases == 25


def test_the_status_says_how_many_cases_ran_on_which_commit(record: Record) -> None:
    asked(record, Carrier(failing=["10-20"]), "1234567890" * 4)
    assert status([PART], record.path.parent).splitlines() == [
        "part         commit                   cases of     portions",
        "some         123456789012                15 seeds  2 of 3, FAILED: 10-20",
    ]


def command(script: str, cases: int | None = None) -> Portion:
    return Portion("one", (sys.executable, "-c", script), cases, {"WORD": "3 passed"})


@pytest.mark.parametrize(
    ("portion", "cases"),
    [
        (command("pass", 7), 7),
        (command("raise SystemExit(1)", 7), None),
        (command("import os; print(os.environ['WORD'] + ', 1 xfailed in 2 s')"), 3),
        (command("print('1 failed, 3 passed in 2 s'); raise SystemExit(1)"), None),
    ],
)
def test_cases_are_those_that_are_known_or_the_tests_that_passed(portion: Portion, cases: int | None) -> None:
    carry: Carry = carried_out
    assert carry(portion) == cases


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., None]:
    def run(*arguments: str) -> None:
        name = ("-c", "user.name=n", "-c", "user.email=e@example.org")
        subprocess.run(["git", *name, *arguments], cwd=tmp_path, check=True, capture_output=True)

    run("init")
    run("commit", "--allow-empty", "--message", "first")
    return run


def test_changes_that_are_not_committed_are_no_commit(git: Callable[..., None], tmp_path: Path) -> None:
    clean = commit_of(tmp_path)
    (tmp_path / "file").write_text("1", encoding="utf-8")
    git("add", "file")
    changed = commit_of(tmp_path)
    (tmp_path / "file").write_text("2", encoding="utf-8")
    assert [changed.partition("+")[0], commit_of(tmp_path).partition("+")[0]] == [clean, clean]
    assert len({clean, changed, commit_of(tmp_path)}) == 3
    git("commit", "--all", "--message", "second")
    assert "+" not in commit_of(tmp_path)


def test_every_test_is_in_a_part() -> None:
    whole = {portion.name for name in ("whole", "mutants") for portion in parts()[name].portions}
    files = [str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")]
    assert [path for path in files if not any(path == one or path.startswith(f"{one}/") for one in whole)] == []
    assert whole == {*places(), "tests/mutants"}


def test_parts_have_portions_with_names_of_their_own() -> None:
    def names(part: Part) -> list[str]:
        return [portion.name for portion in part.portions]

    assert all(names(part) and len(names(part)) == len(set(names(part))) for part in parts().values())
    assert set(files_of_properties()) == set(names(parts()["properties"]))
