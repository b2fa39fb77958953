"""What is printed moves no cursor and hides nothing, whatever the events and the arguments hold."""

import io
import json
from pathlib import Path

import pytest

import cepheid
from cepheid.api import Output, shown_on
from cepheid.diagnostics import DataPlace, Diagnostic, draw
from tests.cli.console import cepheid as run_command

HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202eevil\r\x08\x7f\ud800"


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def is_harmless(text: str) -> bool:
    return all(character.isprintable() for character in text if character not in "\n\t")


@pytest.mark.parametrize("form", ["jsonl", "csv", "table"])
def test_matches_on_a_terminal_are_harmless(form: str) -> None:
    a = cepheid.event("A", name="a")
    query = cepheid.compile(cepheid.query(a, name="Seen", values={"v": a.x}))
    value = HOSTILE.removesuffix("\ud800")  # which no event holds
    run = query.run([{"type": "A", "time": 1, "x": value, "id": value}], id_column="id")
    terminal = Terminal()
    output = Output(shown_on(terminal), form, query.fields)
    for portion in run.portions():
        output.write(portion)
    output.close(run.nothing())
    assert "evil" in terminal.getvalue()
    assert is_harmless(terminal.getvalue())
    assert "\\x1b[2J" in terminal.getvalue().replace("\\u001b", "\\x1b").replace("\\\\", "\\")


def test_files_hold_values_as_they_are(tmp_path: Path) -> None:
    value = HOSTILE.removesuffix("\ud800")
    for name in ("a.jsonl", "a.csv"):
        given = json.dumps({"type": value, "time": 1}) + "\n" + json.dumps({"type": "A", "time": 1, "id": value}) + "\n"
        rejects = str(tmp_path / "rejects.jsonl")
        answer = run_command(
            "run",
            "A",
            "--language",
            "algebra",
            "--id-column",
            "id",
            "-o",
            str(tmp_path / name),
            "--rejects",
            rejects,
            given=given,
        )
        assert answer.status == 0
        assert json.loads(Path(rejects).read_text())["raw"] == given.splitlines()[0]
    assert json.loads((tmp_path / "a.jsonl").read_text())["evidence"] == [value]


def test_diagnostics_are_harmless() -> None:
    place = DataPlace(HOSTILE, 7, (HOSTILE,))
    drawn = draw(Diagnostic("bad-event", HOSTILE, hints=(HOSTILE,), notes=(HOSTILE,), place=place))
    assert is_harmless(drawn)
    assert drawn.count("evil") == 5


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "A", "--language", "algebra", "--input", f"no{HOSTILE}"),
        ("run", f"A{HOSTILE}", "--language", "algebra"),
        ("run", "A", "--language", "algebra", "--time-column", HOSTILE),
        ("run", "A", "--language", "algebra", "--rate", HOSTILE),
        ("run", "A", "--language", "algebra", "--output", f"no/{HOSTILE}"),
        ("explain", f"A ; {HOSTILE}", "--language", "algebra"),
        ("check", f"A ; {HOSTILE}", "--language", "algebra"),
    ],
)
def test_arguments_are_told_harmlessly(arguments: tuple[str, ...]) -> None:
    answer = run_command(*arguments, given='{"type": "A", "time": 1}\n')
    assert answer.status == 2
    assert is_harmless(answer.output + answer.said)


def test_values_in_messages_are_harmless() -> None:
    given = json.dumps({"type": "A", "time": HOSTILE.removesuffix("\ud800")}) + "\n"
    answer = run_command("run", "A", "--language", "algebra", "--strict", given=given)
    assert answer.said.startswith(
        "error[bad-time]: `\\x1b]0;title\\x07\\x1b[2J\\x9b31m\\u202eevil\\r\\x08\\x7f` is not a time"
    )
    assert is_harmless(answer.said)


def test_a_terminal_that_has_few_characters_gets_escapes() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    shown_on(plain).write("naïve \ud800")
    plain.flush()
    assert plain.buffer.getvalue() == b"na\\xefve \\ud800"
