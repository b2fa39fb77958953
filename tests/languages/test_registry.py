"""Languages are found by their names and by the names of their files."""

import pytest

from cepheid.diagnostics import CepheidError
from cepheid.languages import EXTENSIONS, LANGUAGES, language_named, language_of_file

ALL_LANGUAGES = ", ".join(f"`{name}` (`{language.EXTENSION}`)" for name, language in LANGUAGES.items())


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_a_language_is_known_by_its_name_and_its_files(name: str) -> None:
    language = language_named(name)
    assert name == language.NAME
    assert EXTENSIONS[name] == language.EXTENSION
    assert language_of_file(f"queries/some.name{language.EXTENSION}") is language


def test_an_unknown_language_is_shown() -> None:
    with pytest.raises(CepheidError) as raised:
        language_named("prolog")
    assert str(raised.value) == (
        f"error[unknown-language]: no language is called `prolog`\n  = hint: the languages are {ALL_LANGUAGES}"
    )


def test_a_file_of_no_language_is_shown() -> None:
    with pytest.raises(CepheidError) as raised:
        language_of_file("alarm.txt")
    assert str(raised.value) == (
        "error[unknown-language]: no language has files like `alarm.txt`\n"
        f"  = hint: the languages are {ALL_LANGUAGES}\n"
        "  = hint: where these are events, write the query before them: `cepheid run 'a: A' --input alarm.txt`"
    )
