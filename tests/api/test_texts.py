"""A language is told what it can be told: the unit of time, the policy, and where the files are that a text names."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cepheid import event, query
from cepheid.algebra.programs import Program
from cepheid.api.texts import QueryText
from cepheid.diagnostics import CepheidError


@dataclass(frozen=True, slots=True)
class OneType:
    """A language whose texts name a file that names a type of events."""

    NAME: str = "one-type"
    EXTENSION: str = ".one"

    def parse(self, text: str, *, name: str = "", resolve: Callable[[str], str] | None = None) -> Program:
        assert resolve is not None
        return query(event(resolve(text).strip()), name=Path(name).stem).program

    def show(self, program: Program) -> str:
        return str(program)

    def describe(self, text: str) -> str:
        return f"the type in {text}"


def test_files_are_looked_for_beside_the_text(tmp_path: Path) -> None:
    (tmp_path / "type.txt").write_text("Button\n")
    text = QueryText("type.txt", OneType(), "alarm.one", tmp_path)
    [rule] = text.program("s", None).rules
    assert rule.name == "alarm"
    assert text.described() == "the type in type.txt"


def test_a_language_without_policies_takes_none() -> None:
    with pytest.raises(CepheidError) as raised:
        QueryText("type.txt", OneType()).program("s", "all")
    assert str(raised.value) == (
        "error[conflicting-options]: `one-type` has no policy that could be set\n  = hint: leave out `--policy`"
    )
