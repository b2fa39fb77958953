"""A text is read once, for its meaning and for what is remarkable about it."""

from importlib import import_module

import pytest

import cepheid

TEXTS = {
    "etalis": "rise(S) <- (stock(S, P1) SEQ stock(S, P2)).20 s WHERE (P2 > 1.2 * P1).",
    "hbl": "watchpoint slow { window 5 s; main = ask -> answer; unused = ask -> answer; }",
    "parte": "template Beat {} template Two {} "
    "rule Twice where a : Beat b : Beat when b in a [0 us, 5 us] then emit Two at b.timestamp with {}",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_is_lowered_once(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsing = import_module(f"cepheid.languages.{language}.parsing")
    lower, calls = parsing.lower, []

    def counted(*arguments: object) -> object:
        calls.append(language)
        return lower(*arguments)

    monkeypatch.setattr(parsing, "lower", counted)
    cepheid.compile(TEXTS[language], language=language, allow_unbounded=True)
    assert calls == [language]


def test_the_remarks_of_that_reading_are_those_of_the_query() -> None:
    query = cepheid.compile(TEXTS["hbl"], language="hbl")
    assert [remark.code for remark in query.remarks] == ["unused-definition"]
