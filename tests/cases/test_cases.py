"""Run every `.case` file: its outputs are what its commands say. REWRITE=1 fills them in instead."""

import os
from pathlib import Path

import pytest

from tests.cases.case_file import rewritten
from tests.cases.commands import COMMANDS

_HERE = Path(__file__).parent
_FILES = sorted(_HERE.rglob("*.case"))


@pytest.mark.parametrize("path", _FILES, ids=lambda path: str(path.relative_to(_HERE)))
def test_outputs_are_what_the_commands_say(path: Path) -> None:
    before = path.read_text(encoding="utf-8")
    now = rewritten(before, COMMANDS)
    if os.environ.get("REWRITE"):
        path.write_text(now, encoding="utf-8")
    else:
        assert before == now
