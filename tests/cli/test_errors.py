"""A mistake ends with status 2, and with a message that shows the place, the reason and the way out."""

from pathlib import Path

import pytest

from cepheid.diagnostics import explain
from tests.cli.console import cepheid
from tests.cli.small_disk import room_for


def said(*arguments: str, given: str | bytes = b"") -> str:
    answer = cepheid(*arguments, given=given)
    assert answer.status == 2
    return answer.said


def test_a_mistake_in_the_query_is_shown_where_it_is() -> None:
    assert said("run", "(A ; B within 2 s", "--language", "algebra") == (
        "error[unbalanced]: nothing closes this `(`\n"
        " --> <query>:1:1\n"
        "  |\n"
        "1 | (A ; B within 2 s\n"
        "  | ^ opened here\n"
        "  = hint: put `)` after `2 s`\n"
    )


def test_an_input_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "no.jsonl"
    assert said("run", "A", "--language", "algebra", "--input", str(path)) == (
        f"error[unreadable-input]: `{path}` cannot be read: there is no such file\n"
    )


def test_a_column_that_no_row_has() -> None:
    assert said("run", "A", "--language", "algebra", given="type,timestamp\nA,1\n") == (
        "error[missing-column]: no row has a column `time` (standard input)\n"
        "  = note: there is `type`, `timestamp`\n"
        '  = hint: say which column it is: `--time-column timestamp`, or in Python `time_column="timestamp"`\n'
    )


def test_an_input_that_is_too_far_out_of_order() -> None:
    given = "type,time\n" + "".join(f"A,{time}\n" for time in (2, 3, 4, 5)) + "A,1\n"
    assert said("run", "A", "--language", "algebra", "--sort-buffer", "2", given=given) == (
        "error[out-of-order]: `A` of 1 stands more than 2 events behind its position (standard input:6)\n"
        "  = hint: sort the input by its time\n"
        "  = hint: hold more events to sort them: `--sort-buffer 20`\n"
        "  = hint: take the input for a stream, and reject what is late: `--disorder '1 min'`\n"
    )


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "no" / "matches.jsonl"
    for option in ("--output", "--rejects"):
        assert said("run", "A", "--language", "algebra", option, str(path)) == (
            f"error[unwritable-output]: `{path}` cannot be written: no such file or directory\n"
        )


def test_files_of_columns_need_a_file() -> None:
    assert said("run", "A", "--language", "algebra", "--format", "parquet") == (
        "error[unwritable-output]: Parquet cannot be written to standard output\n"
        "  = hint: name a file: `--output matches.parquet`\n"
    )
    assert said("run", "A", "--language", "algebra", "--format", "arrow") == (
        "error[unwritable-output]: Arrow cannot be written to standard output\n"
        "  = hint: name a file: `--output matches.arrow`\n"
    )


@pytest.mark.parametrize(
    ("rate", "message"),
    [
        (
            "5/s",
            "error[bad-rate]: `5/s` names no type\n"
            "  = hint: write the type before the rate, for example `--rate Button=5/s`\n",
        ),
        (
            "A=5",
            "error[bad-rate]: `5` is not a rate\n"
            "  = hint: write how many in which time, for example `5/s` or `10 per 100 ms`\n",
        ),
    ],
)
def test_a_rate_that_is_none(rate: str, message: str) -> None:
    assert said("check", "A", "--language", "algebra", "--rate", rate) == message


def test_a_duration_that_is_none() -> None:
    assert said("run", "A", "--language", "algebra", "--disorder", "5 parsecs").startswith(
        "error[bad-duration]: `5 parsecs` is not a duration\n"
    )


def test_the_page_of_a_code_is_printed() -> None:
    for code in ("bad-json", "internal", "late-event"):
        assert cepheid("explain", code).output == explain(code)


def test_a_code_with_a_mistake_is_recognized() -> None:
    assert said("explain", "bad-jsn") == (
        "error[unknown-code]: no error has the code `bad-jsn`\n"
        "  = note: a code stands in brackets at the start of an error, as in `error[unknown-code]`\n"
        "  = hint: did you mean `bad-json`?\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("run",),
        ("check", "A", "--language", "algebra", "--nonsense"),
        ("nonsense",),
        ("explain", "A", "--language", "algebra", "--stage", "x"),
    ],
)
def test_a_wrong_call_says_how_it_is_called(arguments: tuple[str, ...]) -> None:
    assert said(*arguments).startswith("Usage: cepheid ")


@pytest.mark.parametrize("command", ["run", "check", "explain"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    answer = cepheid(command, "--help")
    assert answer.status == 0
    assert f"  cepheid {command} " in answer.output


@pytest.mark.parametrize("where", [("--disorder", "1 s"), ("--on", "spark")], ids=" ".join)
def test_without_an_order_the_options_that_help_are_said(tmp_path: Path, where: tuple[str, str]) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"type": "A", "time": 1}\n{"type": "B", "time": 2}\n', encoding="utf-8")
    asked = ("run", "a: A then b: B within 5 s", "--language", "cep", "-i", str(path), *where)
    assert cepheid(*asked).said.endswith(
        "  = hint: name a column that counts them: `--order-by offset`\n"
        "  = hint: let none of them follow another: `--ties simultaneous`\n"
    )


@pytest.mark.parametrize("way_out", [("--order-by", "offset"), ("--ties", "simultaneous")], ids=" ".join)
def test_the_options_that_give_an_order_help(way_out: tuple[str, str]) -> None:
    given = '{"type": "A", "time": 1, "offset": 1}\n{"type": "B", "time": 2, "offset": 2}\n'
    asked = ("run", "a: A then b: B within 5 s", "--language", "cep", "--disorder", "1 s", *way_out)
    assert cepheid(*asked, given=given).said == "2 events, 1 match\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["draw", "A then B within 5 s"],
        ["run", "SELECT a FROM t", "--language", "esql", "-i", "rows.jsonl"],
        ["run", "A then B", "--language", "cep", "--allow-unbounded", "-i", "rows.jsonl", "--progress-of", "match"],
        ["run", "pipe.py:all_rows", "-i", "rows.jsonl"],
        ["run", "A", "-i", "rows.jsonl", "-q"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_whatever_is_written_a_full_disk_is_said(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"type": "A", "time": {t}, "a": {t}}}\n' for t in range(2000)))
    (tmp_path / "pipe.py").write_text("import cepheid.pipes as p\nall_rows = p.passthrough(1)\n")
    (tmp_path / "out").write_text("of yesterday")
    with room_for(100):
        answer = cepheid(*arguments, "--output", "out")
    assert answer.status == 2
    assert answer.said.endswith("error[unwritable-output]: `out` cannot be written: file too large\n")
    assert (tmp_path / "out").read_text() == "of yesterday"
