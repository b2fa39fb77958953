"""A run that is stopped, or that fails: files are whole or not there, and what is certain goes out as it becomes so."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import IO, cast

import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from cepheid.api import compile as compile_query
from cepheid.cli import main
from cepheid.cli.stopping import Stopped, Stopping
from cepheid.diagnostics import CepheidError
from tests.cli.console import Answer

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PAIRS = "(A ; B) within 1 s"
STREAM = ("run", PAIRS, "--language", "algebra", "--disorder", "0 s")


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """Let signals be heard, also where the tests run in the background, which has some of them ignored."""
    before = [signal.signal(one, signal.default_int_handler) for one in SIGNALS]
    yield
    for one, handler in zip(SIGNALS, before, strict=True):
        signal.signal(one, handler)


def pairs(count: int, first: int = 0) -> bytes:
    """So many pairs, and an event after which they are certain."""
    some = range(first, first + count)
    rows = [f'{{"type": "{kind}", "time": {3 * n + "ABC".index(kind)}}}\n' for n in some for kind in "ABC"]
    return "".join(rows).encode()


class Input(io.BufferedIOBase):
    """Standard input that hands out one block after another; between two of them something happens."""

    def __init__(self, *blocks: bytes | signal.Signals) -> None:
        self._blocks = list(blocks)
        self.seen: list[str] = []
        self.look: Callable[[], str] = lambda: ""

    def read1(self, _: int = -1, /) -> bytes:
        self.seen.append(self.look())
        block = self._blocks.pop(0) if self._blocks else b""
        if isinstance(block, signal.Signals):
            signal.raise_signal(block)
            raise AssertionError("the run waits on")
        return block

    def read(self, size: int | None = -1, /) -> bytes:
        return self.read1() if size else b""

    def readable(self) -> bool:
        return True


def run(given: Input, *arguments: str) -> Answer:
    result = CliRunner().invoke(main, arguments, input=cast(IO[bytes], given), prog_name="cepheid")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)


def files(directory: Path) -> list[str]:
    return sorted(os.listdir(directory))


@pytest.mark.parametrize("by", SIGNALS)
@pytest.mark.parametrize("name", ["matches.jsonl", "matches.csv", "matches.parquet", "matches.arrow", "matches.table"])
def test_a_stream_that_is_stopped_has_written_what_was_certain(by: signal.Signals, name: str, tmp_path: Path) -> None:
    target = tmp_path / name
    before = signal.getsignal(by)
    answer = run(Input(pairs(25), by), *STREAM, "-o", str(target))
    assert answer.status == 128 + by
    assert answer.said == f"75 events, 25 matches\nstopped by {by.name}: what was certain until then is in {target}\n"
    assert files(tmp_path) == [name]
    in_columns = {"matches.parquet": pq.read_table, "matches.arrow": feather.read_table}
    rows = in_columns[name](target).num_rows if name in in_columns else len(target.read_text().splitlines())
    assert rows - name.endswith(("csv", "table")) == 25
    assert signal.getsignal(by) is before


def test_what_was_set_aside_until_then_is_written_too(tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    answer = run(Input(pairs(1) + b"nonsense\n", signal.SIGTERM), *STREAM, "--rejects", str(rejects))
    assert answer.status == 143
    assert [json.loads(line)["code"] for line in rejects.read_text().splitlines()] == ["bad-json"]


def test_finite_input_that_is_stopped_is_complete_as_far_as_it_was_read(tmp_path: Path) -> None:
    target = tmp_path / "matches.jsonl"
    answer = run(
        Input(pairs(25), signal.SIGTERM),
        "run",
        PAIRS,
        "--language",
        "algebra",
        "--sort-buffer",
        "10",
        "-o",
        str(target),
    )
    assert (answer.status, files(tmp_path)) == (143, ["matches.jsonl"])
    assert answer.said.endswith(f"stopped by SIGTERM: what was certain until then is in {target}\n")


def test_a_run_that_fails_leaves_nothing_and_what_was_there_stays(tmp_path: Path) -> None:
    target, rejects = tmp_path / "matches.jsonl", tmp_path / "rejects.jsonl"
    target.write_text("of yesterday")
    to = ("-o", str(target), "--rejects", str(rejects))
    answer = run(Input(pairs(3), b"nonsense\n"), *STREAM, "--strict", *to)
    assert answer.status == 2
    assert (files(tmp_path), target.read_text()) == (["matches.jsonl"], "of yesterday")


@pytest.mark.parametrize("form", ["jsonl", "csv", "table"])
def test_a_stream_tells_what_is_certain_before_it_waits_for_more(form: str) -> None:
    given = Input(pairs(1), pairs(2, 1))
    given.look = _written
    answer = run(given, *STREAM, "--format", form)
    lines = [len(seen.splitlines()) - (form != "jsonl" and bool(seen)) for seen in given.seen]
    assert lines == [0, 1, 3]
    assert (answer.status, answer.said) == (0, "9 events, 3 matches\n")


def _written() -> str:
    """What has left the buffers of standard output."""
    stream = sys.stdout
    assert isinstance(stream, io.TextIOWrapper)
    held = stream.buffer
    assert isinstance(held, io.BytesIO)
    return held.getvalue().decode()


def test_a_program_that_is_terminated_while_it_waits(tmp_path: Path) -> None:
    target = tmp_path / "matches.jsonl"
    command = [sys.executable, "-m", "cepheid", *STREAM, "-o", str(target), "--rejects", "/dev/stderr"]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as program:
        assert program.stdin is not None
        assert program.stderr is not None
        program.stdin.write(pairs(25) + b"nonsense\n")
        program.stdin.flush()
        assert b"nonsense" in program.stderr.readline()  # so all of it has been read
        program.send_signal(signal.SIGTERM)
        said = program.stderr.read().decode()
    assert program.returncode == 143
    assert "Traceback" not in said
    assert said.endswith(f"stopped by SIGTERM: what was certain until then is in {target}\n")
    assert (len(target.read_text().splitlines()), files(tmp_path)) == (25, ["matches.jsonl", "temporary"])
    assert files(temporary) == []


def test_a_named_pipe_is_read_as_it_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "events"
    os.mkfifo(pipe)
    writer = Thread(target=lambda: pipe.write_bytes(pairs(2)))
    writer.start()
    answer = run(Input(), "run", PAIRS, "--language", "algebra", "-i", str(pipe))
    writer.join()
    assert (answer.status, answer.said) == (0, "6 events, 2 matches\n")
    again = Thread(target=lambda: pipe.write_bytes(pairs(2)))
    again.start()
    assert len(list(compile_query(PAIRS, language="algebra").run(pipe))) == 2
    again.join()


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` has it
    try:
        with Stopping().heeded() as stopping:
            signal.raise_signal(signal.SIGHUP)
            assert stopping.by is None
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_works_is_stopped_after_its_work_and_at_once_the_second_time() -> None:
    with Stopping().heeded() as stopping:
        signal.raise_signal(signal.SIGTERM)
        assert (stopping.by, stopping.status) == (signal.SIGTERM, 143)
        with pytest.raises(Stopped):
            signal.raise_signal(signal.SIGINT)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
        stopping.obeyed()
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
        with pytest.raises(Stopped), stopping.at_once():
            raise AssertionError("nobody waits on")


def test_one_file_cannot_be_two(tmp_path: Path) -> None:
    path = str(tmp_path / "all.jsonl")
    assert run(Input(pairs(1)), "run", PAIRS, "--language", "algebra", "-o", path, "--rejects", path).said == (
        f"error[conflicting-options]: matches and rejects would both go to `{path}`\n"
        "  = hint: name another file: `--rejects rejects.jsonl`\n"
    )


@pytest.mark.parametrize("option", ["--output", "--rejects"])
@pytest.mark.parametrize("name", ["events.jsonl", "./events.jsonl", "link.jsonl"])
@pytest.mark.parametrize("given", ["events.jsonl", "ev*.jsonl", "link.jsonl", "."])
def test_what_is_read_is_not_written_over(
    option: str, name: str, given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("events.jsonl").write_bytes(pairs(1))
    Path("link.jsonl").symlink_to("events.jsonl")
    answer = run(Input(), "run", PAIRS, "--language", "algebra", "-i", given, option, name)
    assert (answer.status, answer.said) == (
        2,
        f"error[conflicting-options]: `{name}` would be written over, and events are read from it\n"
        "  = hint: name another file for what is written\n",
    )
    for events in (given, Path(given), [given]):
        with pytest.raises(CepheidError, match="events are read from it"):
            compile_query(PAIRS, language="algebra").run(events).write(name)
    assert Path("events.jsonl").read_bytes() == pairs(1)
    assert run(Input(), "run", PAIRS, "--language", "algebra", "-i", given, option, "other.jsonl").status == 0
    assert Path("other.jsonl").exists()


def test_a_full_disk_is_told() -> None:
    answer = run(Input(pairs(1)), "run", PAIRS, "--language", "algebra", "-o", "/dev/full")
    assert (answer.status, answer.said) == (
        2,
        "error[unwritable-output]: `/dev/full` cannot be written: no space left on device\n",
    )


def test_a_link_leads_to_the_file_that_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "matches.jsonl", tmp_path / "link.jsonl"
    target.write_text("of yesterday")
    target.chmod(0o600)
    link.symlink_to(target)
    assert run(Input(pairs(2)), "run", PAIRS, "--language", "algebra", "-o", str(link)).status == 0
    assert (link.is_symlink(), len(target.read_text().splitlines())) == (True, 2)
    assert target.stat().st_mode & 0o777 == 0o600
