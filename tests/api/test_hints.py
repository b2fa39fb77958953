"""A query that is refused says what to type, and with that typed it is accepted."""

import re
from collections.abc import Mapping

import pytest

from cepheid.algebra import builder
from cepheid.algebra.builder import declare, event, program, query
from cepheid.algebra.patterns import Atom, Unless
from cepheid.algebra.programs import Program, Stream
from cepheid.analysis.bounds.advice import RULE, Advice, in_words
from cepheid.analysis.bounds.wording import ADD_A_WINDOW, ALLOW_MORE_TIME, LIMIT_THE_RUN, endless_wait
from cepheid.analysis.keys.key_hints import declare_keys
from cepheid.api import compile  # noqa: A004  # users write `cepheid.compile`
from cepheid.api.python_words import ADVICE as PYTHON
from cepheid.diagnostics import CepheidError
from cepheid.languages import LANGUAGES
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


_A, _B = (Atom(name.lower(), frozenset((name,))) for name in "AB")
UNTIL_WHEN = endless_wait(_B, Unless(_A, _B, ())).hint
assert isinstance(UNTIL_WHEN, Advice)
NATIVE = (ADD_A_WINDOW, ALLOW_MORE_TIME, LIMIT_THE_RUN, UNTIL_WHEN, declare_keys(Program(()), "A"))
CODE = re.compile(r"`([^`]*)`")
# A whole query of each language around the code that an advice quotes, by the language and the kind.
AROUND = {
    ("algebra", "window"): "(A ; B) {}",
    ("algebra", "run"): "(A ; B) {}",
    ("algebra", "until"): "(A ; B) {}",
    ("algebra", "keys"): "{}\n(A ; B) within 1 s by ip",
    ("etalis", "window"): "e <- {}.",
    ("etalis", "more time"): "e <- {}.",
    ("etalis", "run"): "e <- {}.",
    ("etalis", "until"): "e <- {}.",
    ("etalis", "keys"): "{}\ne(K) <- (A(K) SEQ b(K)).1 s.",
    ("hbl", "window"): "watchpoint w {{ {} main = a -> b; }}",
    ("hbl", "more time"): "watchpoint w {{ {} main = a -> b; }}",
    ("hbl", "run"): "watchpoint w {{ {} main = a -> b; }}",
    ("hbl", "until"): "watchpoint w {{ {} main = a -> b; }}",
    ("hbl", "keys"): "{}\nwatchpoint w {{ window 1 s; main = a -> b; }}",
    ("cep", "window"): "a: A then b: B {}",
    ("cep", "more time"): "a: A then b: B {}",
    ("cep", "run"): "repeat r: 1..* of a: A {}",
    ("cep", "until"): "a: A unless b: B {}",
    ("cep", "keys"): "{}\na: A then b: B within 1 s",
}


def advice_of(language: str) -> Mapping[str, str]:
    words = getattr(LANGUAGES[language], "ADVICE", {})
    own = {one.kind: one for one in NATIVE}
    return {kind: in_words(hint, words) for kind, hint in own.items()}


@pytest.mark.parametrize(("language", "kind"), AROUND)
def test_the_code_of_an_advice_is_code_of_its_language(language: str, kind: str) -> None:
    [code] = CODE.findall(advice_of(language)[kind])
    LANGUAGES[language].parse(AROUND[language, kind].format(code))


def test_the_code_of_every_advice_is_tried() -> None:
    said = {(name, kind) for name in LANGUAGES for kind in getattr(LANGUAGES[name], "ADVICE", {})}
    assert {(name, kind) for name, kind in said if kind != RULE} <= set(AROUND)  # what a rule is called is no code
    assert {kind for name, kind in AROUND if name == "cep"} == {one.kind for one in NATIVE}


def test_the_code_of_an_advice_in_python_runs() -> None:
    a, b, c = map(event, "ABC")
    names = {"a": a, "repeat": builder.repeat, "declare": declare}
    for hint in NATIVE:
        code = CODE.findall(in_words(hint, PYTHON))[-1]
        made = eval(f"pair{code}" if code.startswith(".") else code, {**names, "pair": a >> b, "c": c})
        assert made is not None
