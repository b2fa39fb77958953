"""A query that is refused says what to type, and with that typed it is accepted."""

import re

import pytest

from cepheid.algebra import builder
from cepheid.algebra.builder import declare, event, program, query
from cepheid.algebra.programs import Stream
from cepheid.api import compile  # noqa: A004  # users write `cepheid.compile`
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import read_program

TEXTS = {
    "algebra: a key": ("algebra", "(A ; B ; C) by ip"),
    "algebra: a key and rates": ("algebra", "rate A 5/s\nrate B 5/s\nAlarm = A ; B by ip, user"),
    "algebra: a key inside": ("algebra", "((A ; B) by ip) | C"),
    "algebra: an absence": ("algebra", "((A ; B) - C) by ip"),
    "etalis: a variable": ("etalis", "policy recent.\ne(K) <- a(K) SEQ b(K)."),
    "etalis: a variable and a rate": ("etalis", "rate a 5/s.\npolicy recent.\ne(K) <- a(K) SEQ b(K)."),
    "text: a rule per key": ("", "rule r per ip: a: A then b: B choose latest-start emits R"),
    "text: a choice": ("", "stream A rate 5 per 1 s\nrule r: a: A then b: B on a.ip == b.ip choose recent emits R"),
}
DECLARATION = re.compile(r"say how many there are[^`]*(?:`streams`[^`]*)?`(.*)`")


def hints_of(refused: CepheidError) -> list[str]:
    return list(dict.fromkeys(hint for one in refused.diagnostics for hint in one.hints))


def declarations(hints: list[str]) -> list[str]:
    return [found[1] for hint in hints if (found := DECLARATION.fullmatch(hint))]


def accepted(language: str, text: str) -> None:
    if language:
        compile(text, language=language)
    else:
        compile(read_program(text))


@pytest.mark.parametrize("case", TEXTS)
def test_what_is_typed_as_it_stands_makes_a_text_accepted(case: str) -> None:
    language, text = TEXTS[case]
    with pytest.raises(CepheidError) as refused:
        accepted(language, text)
    typed = declarations(hints_of(refused.value))
    assert typed
    # A line about the same stream takes the place of the one that was there.
    heads = [" ".join(line.split()[:2]) for line in typed]
    lines = [line for line in text.split("\n") if " ".join(line.split()[:2]) not in heads]
    accepted(language, "\n".join([*typed, *lines]))


@pytest.mark.parametrize("streams", [(), (declare("A", rate="5/s", disorder="2 s"),)])
def test_what_is_typed_as_it_stands_makes_a_built_query_accepted(streams: tuple[Stream, ...]) -> None:
    pair = query(event("A") >> event("B"), by="ip", policy="latest-start")
    with pytest.raises(CepheidError) as refused:
        compile(program(pair, streams=streams))
    typed = declarations(hints_of(refused.value))
    declared = [eval(one, {"declare": builder.declare}) for one in typed]
    assert [one.name for one in declared] == ["A", "B"]
    assert {one.name: one.arrival for one in declared} == {"A": streams[0].arrival if streams else None, "B": None}
    compile(program(pair, streams=declared))


def test_a_window_is_enough_as_well() -> None:
    pair = event("A") >> event("B")
    with pytest.raises(CepheidError) as refused:
        compile(query(pair.choose("next"), by="ip"))
    assert hints_of(refused.value) == ['add a window, for example `.within("1 h")`']
    compile(query(pair.choose("next").within("1 h"), by="ip"))


def test_a_refusal_shows_what_to_type() -> None:
    with pytest.raises(CepheidError) as refused:
        compile("rate A 5/s\n(A ; B) by ip", language="algebra")
    assert str(refused.value) == "\n".join(
        [
            "error[unbounded-state]: rule `match` keeps every match of `A` for ever",
            " --> <query>:2:2",
            "  |",
            "2 | (A ; B) by ip",
            "  |  ^^^^^ nobody knows how many values `ip` has",
            "  = hint: say how many there are: `keys A 1000`",
            "  = hint: say how many there are: `keys B 1000`",
        ]
    )
