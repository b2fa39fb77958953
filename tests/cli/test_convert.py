"""`cepheid convert` and `cepheid format`: texts in, texts out."""

from pathlib import Path

from tests.cli.console import cepheid
from tests.cli.small_disk import room_for

ETALIS = "rise(S) <- (stock(S, P1) SEQ stock(S, P2)).20 s WHERE (P2 > 1.2 * P1).\n"


def test_a_query_of_another_language_is_printed_in_the_native_one(tmp_path: Path) -> None:
    (tmp_path / "rise.etalis").write_text(ETALIS, encoding="utf-8")
    answer = cepheid("convert", str(tmp_path / "rise.etalis"))
    assert (answer.status, answer.output) == (
        0,
        "ties simultaneous\n\nrule rise:\n    stock then stock2: stock\n    within 20 s\n"
        "    on stock.arg1 == stock2.arg1\n    where stock2.arg2 > 1.2 * stock.arg2\n"
        "    emits rise(arg1 = stock.arg1)\n",
    )
    (tmp_path / "rise.cep").write_text(answer.output, encoding="utf-8")
    events = "".join(f'{{"type": "stock", "time": {t}, "arg1": "x", "arg2": {p}}}\n' for t, p in ((1, 10), (9, 13)))
    runs = [cepheid("run", str(tmp_path / name), given=events).output for name in ("rise.etalis", "rise.cep")]
    assert runs[0] == runs[1]
    assert len(runs[0].splitlines()) == 1


def test_what_a_language_cannot_say_is_refused() -> None:
    answer = cepheid("convert", "a: A then b: B where b.x > a.x", "--to", "hbl")
    assert answer.status == 2
    assert "error[not-expressible]" in answer.said


def test_esql_gives_values_which_the_help_says_before_it_is_refused() -> None:
    answer = cepheid("convert", "SELECT a FROM t", "--language", "esql")
    assert (answer.status, "error[not-expressible]" in answer.said) == (2, True)
    assert "eSQL gives values, and no other language says them" in " ".join(cepheid("convert", "--help").output.split())


def test_a_file_is_laid_out_and_then_stays(tmp_path: Path) -> None:
    path = tmp_path / "pair.cep"
    path.write_text("rule pair:   A then B   within 5 s  # soon\n", encoding="utf-8")
    answer = cepheid("format", "--check", str(path))
    assert answer.status == 2
    assert "+    A then B within 5 s  # soon" in answer.output
    assert cepheid("format", str(path)).output == f"{path}: laid out\n"
    assert path.read_text(encoding="utf-8") == "rule pair:\n    A then B within 5 s  # soon\n"
    assert cepheid("format", "--check", str(path)).status == 0


def test_a_mistake_in_a_file_is_shown_and_the_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "pair.cep"
    path.write_text("A thn B", encoding="utf-8")
    answer = cepheid("format", str(path))
    assert answer.status == 2
    assert "did you mean `then`?" in answer.said
    assert path.read_text(encoding="utf-8") == "A thn B"


def test_a_file_that_cannot_be_written_is_as_it_was(tmp_path: Path) -> None:
    path, text = tmp_path / "pair.cep", "rule pair:   A then B   within 5 s  # soon\n" * 3
    path.write_text(text.replace("pair:", "{}:").format("one", "two", "three"), encoding="utf-8")
    before = path.read_bytes()
    with room_for(40):
        answer = cepheid("format", str(path))
    assert (answer.status, answer.said) == (
        2,
        f"error[unwritable-output]: `{path}` cannot be written: file too large\n",
    )
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_keeps_its_mode_and_the_link_that_leads_to_it(tmp_path: Path) -> None:
    path, link = tmp_path / "pair.cep", tmp_path / "link.cep"
    path.write_text("A   then B within 5 s\n", encoding="utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    assert cepheid("format", str(link)).status == 0
    assert (path.stat().st_mode & 0o777, link.is_symlink()) == (0o640, True)
    assert path.read_text(encoding="utf-8") == "A then B within 5 s\n"
