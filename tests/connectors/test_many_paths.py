"""Several files are read one after the other as if they were one; each row that is set aside names its file."""

import os
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cepheid.connectors import Input, is_read_again, source_of
from cepheid.diagnostics import CepheidError
from tests.connectors.reading import as_arrow, as_json_lines, read, reasons, told

FIRST: list[dict[str, object]] = [{"type": "A", "time": 1}, {"type": "B", "time": None}]
SECOND: list[dict[str, object]] = [{"type": "C", "time": "never"}, {"type": "D", "time": 2}]
TOLD = [(1, "A"), (4, "D")]


def written(directory: Path) -> tuple[Path, Path]:
    directory.mkdir(parents=True, exist_ok=True)
    first, second = directory / "a.parquet", directory / "b.jsonl"
    pq.write_table(as_arrow(FIRST), first)
    second.write_bytes(as_json_lines(SECOND))
    return first, second


def seen(events: Input) -> tuple[list[tuple[object, ...]], list[object]]:
    """The position and the type of each event, and the places of what was set aside."""
    found, rejects = read(source_of(events))
    return [event[:2] for event in told(found)], [one.to_dict()["place"] for one in rejects]


def test_lists_and_patterns_of_paths_are_read_one_after_another(tmp_path: Path) -> None:
    first, second = written(tmp_path)
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".hidden.jsonl").write_bytes(as_json_lines(FIRST))
    expected = (TOLD, [f"{first}:2", f"{second}:1"])
    for events in ([first, second], (str(first), str(second)), f"{tmp_path}/*", tmp_path / "[ab].*", str(tmp_path)):
        assert seen(events) == expected
        assert is_read_again(events)
    _, below = written(tmp_path / "x" / "y")
    assert seen(f"{tmp_path}/x/**/*.jsonl") == ([(2, "D")], [f"{below}:1"])


def test_a_list_may_name_patterns_and_directories(tmp_path: Path) -> None:
    first, second = written(tmp_path / "inside")
    assert seen([f"{tmp_path}/*/*.jsonl", tmp_path / "inside"])[0] == [(2, "D"), (3, "A"), (6, "D")]
    assert seen([second, first])[1] == [f"{second}:1", f"{first}:2"]


def test_a_file_may_be_called_like_a_pattern(tmp_path: Path) -> None:
    odd = tmp_path / "[ab].jsonl"
    odd.write_bytes(as_json_lines(FIRST[:1]))
    (tmp_path / "a.jsonl").write_bytes(as_json_lines(SECOND[1:]))
    assert seen(odd) == ([(1, "A")], [])


def test_a_pattern_of_nothing_is_no_input(tmp_path: Path) -> None:
    with pytest.raises(CepheidError) as caught:
        read(source_of(f"{tmp_path}/*.csv"))
    assert str(caught.value) == (
        f"error[unreadable-input]: `{tmp_path}/*.csv` cannot be read: no file has a name like this"
    )
    assert not is_read_again(f"{tmp_path}/*.csv")
    with pytest.raises(CepheidError, match="there is no such file"):
        read(source_of([tmp_path / "none.csv"]))


def test_a_pipe_among_files_is_read_in_its_turn_and_once(tmp_path: Path) -> None:
    first, _ = written(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(as_json_lines(SECOND)))
    writer.start()
    assert seen([first, pipe]) == (TOLD, [f"{first}:2", f"{pipe}:1"])
    writer.join()
    assert not is_read_again([first, pipe])


def test_what_is_no_path_in_a_list_is_an_object() -> None:
    _, rejects = read(source_of(["a.jsonl", 7]))
    assert len(reasons(rejects)) == 2
