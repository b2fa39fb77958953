"""Queries of eSQL at the command line, and the conversation of `cepheid repl`."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cepheid.cli import main
from cepheid.cli.conversations import COMMANDS, Conversation

COUNT = "WHEN @P IS A PROCESSOR: THE COUNT OF @P IS THE PROCESSOR COMBINE (APPLY CONSTANT 1 WITH @P) WITH ADDITION."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "myfile.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "query.esql").write_text(f"{COUNT}\n-- and now\nTHE COUNT OF THE TUPLES OF FILE 'myfile.csv'.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cepheid(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=given)


def test_a_query_over_a_file_is_one_line(folder: Path) -> None:
    done = cepheid("run", "SELECT a + b AS c FROM THE TUPLES OF FILE 'myfile.csv'", "--language", "esql")
    assert (done.stdout, done.stderr, done.exit_code) == ('{"c": 3}\n{"c": 7}\n', "2 values\n", 0)


def test_a_file_of_esql_reads_files_beside_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert cepheid("run", str(folder / "query.esql"), "-q").stdout == "1\n2\n"


@pytest.mark.parametrize("given", ["myfile.csv", "t=myfile.csv"])
def test_inputs_are_files(folder: Path, given: str) -> None:
    assert cepheid("run", "SELECT SUM(a) AS s FROM t", "--language", "esql", "-i", given, "-q").stdout == '{"s": 4}\n'
    assert (
        cepheid("run", "SELECT b FROM t", "--language", "esql", "-i", given, "--limit", "1", "-q").stdout
        == '{"b": 2}\n'
    )


def test_tables_and_standard_input_are_read(folder: Path) -> None:
    text = "SELECT x.a FROM t AS x JOIN u AS y ON x.a = y.a"
    tables = ("--table", "t=myfile.csv", "--table", "u=myfile.csv")
    assert cepheid("run", text, "--language", "esql", "-q", *tables).stdout == '{"a": 1}\n{"a": 3}\n'
    assert cepheid("run", "COMBINE @x WITH ADDITION", "--language", "esql", "-q", given="1\n2\n").stdout == "1\n3\n"


def test_values_are_written_as_rows_too(folder: Path) -> None:
    assert (
        cepheid("run", "SELECT a, b FROM t", "--language", "esql", "-i", "myfile.csv", "-o", "out.csv").exit_code == 0
    )
    assert (folder / "out.csv").read_text() == "a,b\n1,2\n3,4\n"
    done = cepheid("run", "SELECT a FROM t", "--language", "esql", "-i", "myfile.csv", "--format", "parquet")
    assert "error[conflicting-options]" in done.stderr


def test_what_is_wrong_is_shown(folder: Path) -> None:
    done = cepheid("run", "FREEZ @x", "--language", "esql")
    assert done.exit_code == 2
    assert "did you mean `FREEZE`?" in done.stderr
    assert "error[unknown-input]" in cepheid("run", "APPLY $0 + $1 WITH @x, @y", "--language", "esql", "-i", "f").stderr


def test_a_pipe_is_explained_checked_and_drawn() -> None:
    query = ("GET (COMBINE * WITH ADDITION) FROM @x ON A WINDOW OF 3", "--language", "esql")
    assert cepheid("explain", *query, "--stage", "algebra").stdout == "window(cumulate(x + y, 0), 3)\n"
    assert cepheid("explain", *query).stdout.startswith("# parsed\n\nwindow 3\n  combine\n    star\n    addition\n")
    assert "at most 3" in cepheid("check", *query).stdout
    assert cepheid("check", "SELECT DISTINCT a FROM @x", "--language", "esql").exit_code == 2
    assert cepheid("draw", *query).stdout.startswith("<svg")


def test_a_conversation_remembers_definitions(folder: Path) -> None:
    talk = Conversation("esql", {"t": "myfile.csv"})
    assert talk.prompt == "esql> "
    assert talk.hear("WHEN @P IS A PROCESSOR: THE COUNT OF @P") == ""
    assert talk.prompt == "... "
    assert talk.hear("IS THE PROCESSOR COMBINE (APPLY CONSTANT 1 WITH @P) WITH ADDITION.") == f"defined: {COUNT}"
    assert talk.hear("THE COUNT OF t.") == "value\n1\n2"
    assert talk.hear("SELECT a, 'x' AS c FROM t;") == "a  c\n1  x\n3  x"
    assert talk.hear("SELECT a FROM t WHERE a > 5.") == "(nothing)"
    assert talk.hear("\\definitions") == COUNT
    assert talk.hear("\\limit 1") == "at most 1 values"
    assert talk.hear("SELECT a FROM t.") == "a\n1\n(more than 1, `\\limit` shows others)"


def test_a_conversation_completes_words_of_the_grammar_as_it_is_now(folder: Path) -> None:
    talk = Conversation("esql", {"trades": "myfile.csv"})
    assert talk.completions("fre") == ["FREEZE"]
    assert "trades" in talk.completions("tr")
    assert talk.completions("\\de") == ["\\definitions"]
    assert talk.completions("wob") == []
    talk.hear("WOBBLE IS THE NUMBER 3.")
    assert talk.completions("wob") == ["WOBBLE"]


def test_a_conversation_goes_on_after_mistakes(folder: Path) -> None:
    talk = Conversation("esql", {})
    assert talk.hear("").startswith("")
    assert "error[syntax]" in talk.hear("FREEZ @x.")
    assert "error[missing-input]" in talk.hear("FREEZE @x.")
    assert "did you mean `\\tables`?" in talk.hear("\\tabels")
    assert "error[bad-table]" in talk.hear("\\table t")
    assert "error[unknown-language]" in talk.hear("\\language prolog")
    assert talk.hear("\\table t myfile.csv") == "t: myfile.csv"
    assert talk.hear("\\tables") == "t"
    talk.hear("SELECT")
    talk.forget()
    assert talk.prompt == "esql> "


def test_other_languages_are_spoken_too(folder: Path) -> None:
    (folder / "events.jsonl").write_text('{"type": "A", "time": 1}\n{"type": "B", "time": 2}\n')
    talk = Conversation("algebra", {})
    talk.hear("Pair = (A ; B) within 5 s")
    assert "bounded" in talk.hear("")
    assert talk.hear("\\events events.jsonl") == "events: events.jsonl"
    talk.hear("Pair = (A ; B) within 5 s")
    assert talk.hear("") == "match  start  end\nPair   1      2"


def test_the_command_reads_lines_until_there_are_no_more(folder: Path) -> None:
    done = cepheid("repl", "--table", "t=myfile.csv", given="SELECT a FROM t.\n\\help\nSELECT b FROM t")
    assert done.exit_code == 0
    assert done.stdout.startswith("a\n1\n3\n")
    assert all(f"\\{name}" in done.stdout for name in COMMANDS)
    assert done.stdout.endswith("b\n2\n4\n")
    assert cepheid("repl", given="\\quit\nSELECT").stdout == ""
