"""Files that a text names are read below its own folder, or where that is allowed, and nowhere else."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import cepheid as c
from cepheid.api import load
from cepheid.cli import main
from cepheid.diagnostics import CepheidError

LIBRARY = "template Transfer { id : Integer }\ntemplate Seen { id : Integer }"
RULE = "rule Any where t : Transfer then emit Seen at t.timestamp with { id = t.id }"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The folder of a query, which is also where we are, and another one beside it, each with a library."""
    for name in ("own", "own/inner", "own-other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "library.parte").write_text(LIBRARY)
        (tmp_path / name / "rows.csv").write_text("a\n1\n")
    monkeypatch.chdir(tmp_path / "own")
    return tmp_path / "own", tmp_path / "own-other"


def code_of(text: str, *allowed: Path, language: str = "parte") -> str | None:
    try:
        c.compile(text, language=language, allow_files=allowed, allow_unbounded=True)
    except CepheidError as error:
        return error.diagnostics[0].code
    return None


def used(file: str | Path) -> str:
    return f'use "{file}"\n{RULE}'


def test_only_what_lies_below_may_be_read(folders: tuple[Path, Path]) -> None:
    own, other = folders
    for file in ("library.parte", "inner/library.parte", "inner/../library.parte", own / "library.parte"):
        assert code_of(used(file)) is None
    for file in ("../own-other/library.parte", other / "library.parte", "/etc/passwd", "/etc/there-is-none"):
        assert code_of(used(file)) == "file-not-allowed"
    assert code_of(used(other / "library.parte"), other) is None
    assert code_of(used("/etc/passwd"), other) == "file-not-allowed"


def test_links_are_followed_before(folders: tuple[Path, Path]) -> None:
    own, other = folders
    (own / "link.parte").symlink_to(other / "library.parte")
    (own / "inner" / "linked").symlink_to(other)
    assert code_of(used("link.parte")) == "file-not-allowed"
    assert code_of(used("inner/linked/library.parte")) == "file-not-allowed"
    assert code_of(used("link.parte"), other) is None


def test_tables_of_a_text_as_well(folders: tuple[Path, Path]) -> None:
    _, other = folders
    text = 'table limits(a) from "{}".\nx(S) <- y(S) WHERE limits(S).'
    assert code_of(text.format("rows.csv"), language="etalis") is None
    assert code_of(text.format(other / "rows.csv"), language="etalis") == "file-not-allowed"
    assert code_of(text.format(other / "rows.csv"), other, language="etalis") is None
    table = f'table limits(a) from "{other}/rows.csv"\n{LIBRARY}\n{RULE}'
    assert code_of(table) == "file-not-allowed"
    assert code_of(table, other) is None


def test_a_file_reads_below_its_own_folder(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = folders
    (other / "query.parte").write_text(f'use "library.parte"\n{RULE}')
    (own / "query.parte").write_text(f'use "{other}/library.parte"\n{RULE}')
    load(str(other / "query.parte"))
    with pytest.raises(CepheidError, match="file-not-allowed"):
        load(str(own / "query.parte"))
    refused = CliRunner().invoke(main, ["check", str(own / "query.parte")])
    assert "file-not-allowed" in refused.output
    assert f"--allow-files {other}" in refused.output
    allowed = CliRunner().invoke(main, ["check", str(own / "query.parte"), "--allow-files", str(other)])
    assert allowed.exit_code == 0, allowed.output
