"""`cepheid run` and `cepheid draw` with a pipe in a file of Python."""

from pathlib import Path

from tests.cli.console import cepheid

PIPES = """
from cepheid import pipes as p

halves = p.apply(p.field("n") / 2) | p.where(p.x > 1)
groups = p.slice(p.field("n") % 2, p.cumulate(p.add))
"""


def written(tmp_path: Path) -> str:
    path = tmp_path / "pipe.py"
    path.write_text(PIPES, encoding="utf-8")
    return str(path)


def test_a_pipe_runs_over_a_file_or_standard_input(tmp_path: Path) -> None:
    table = tmp_path / "numbers.csv"
    table.write_text("n\n1\n6\n9\n", encoding="utf-8")
    assert cepheid("run", f"{written(tmp_path)}:halves", "-i", str(table)).output == "3.0\n4.5\n"
    assert cepheid("run", f"{written(tmp_path)}:halves", "--limit", "1", given='{"n": 8}\n{"n": 9}\n').output == "4.0\n"


def test_a_stream_into_a_pipe_that_keeps_something_for_ever_is_refused_unless_it_is_allowed(tmp_path: Path) -> None:
    refused = cepheid("run", f"{written(tmp_path)}:groups", given='{"n": 8}\n')
    assert refused.status == 2
    assert "error[unbounded-state]: `slice(" in refused.said


def test_a_pipe_is_drawn(tmp_path: Path) -> None:
    assert cepheid("draw", f"{written(tmp_path)}:halves").output.startswith("<svg")


def test_a_pipe_that_is_not_there(tmp_path: Path) -> None:
    answer = cepheid("run", f"{written(tmp_path)}:halfs")
    assert answer.status == 2
    assert "has no processor `halfs`" in answer.said
