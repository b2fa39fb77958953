"""Whatever is written, reading it ends soon, with a query or with an error that has a code and a place."""

from random import Random

import pytest

from cepheid.diagnostics import CepheidError, draw
from cepheid.languages.esql.common_tables import without_common
from cepheid.languages.esql.grammars.definitions import loaded
from cepheid.languages.esql.grammars.expanding import expanded
from tests.languages.esql.texts import BASE, read, sentence

SIGNS = [
    "SELECT",
    "FROM",
    "WHERE",
    "(",
    ")",
    "*",
    "+",
    "-",
    "/",
    ".",
    ",",
    "'",
    '"',
    "`",
    "@",
    "$",
    "WHEN",
    "IS",
    "THE",
    "A",
    "PROCESSOR",
    ":",
    "∧",
    "√",
    "|",
    "?",
    "1",
    "2.5",
    "--",
    "x",
    "IS",
    "THE",
    "NUMBER",
    "REPLACE",
]
CHARACTERS = "aZ09 \n\t.,;:()[]{}'\"`@$#*/+-|?√∧∨¬⊤⊥\\\0é€𝄞"

HOSTILE = {
    "parentheses": "(" * 5_000 + "@x" + ")" * 5_000,
    "prefixes": "FREEZE " * 3_000 + "@x",
    "signs": "SELECT " + "- " * 3_000 + "1 FROM t",
    "negations": "SELECT " + "NOT " * 3_000 + "a FROM t",
    "sums": "SELECT " + "1 + " * 3_000 + "1 FROM t",
    "columns": "SELECT " + "a, " * 2_000 + "a FROM t",
    "selects": "SELECT a FROM " * 400 + "t" + " WHERE a" * 400,
    "quotes": "'" * 9_999,
    "bars": "SELECT " + "|" * 2_000 + "a" + "|" * 2_000 + " FROM t",
    "commas": "WITH " + "WITH @x, " * 500 + "@x",
    "numbers": "CONSTANT " + "9" * 100_000,
    "words": "a " * 20_000,
    "stops": ". " * 20_000,
    "definitions": "".join(f"A{i} IS THE PROCESSOR (A{i + 1}) AND (A{i + 1}). " for i in range(60))
    + "A60 IS THE PROCESSOR @x. A0",
    "infixes": "WHEN @P IS A PROCESSOR, @Q IS A PROCESSOR: @P M @Q IS THE PROCESSOR @P. " + "@x M " * 400 + "@x",
    "unions": " UNION ALL ".join(["SELECT a FROM t"] * 300),
    "queries": "SELECT a FROM t WHERE a IN (" * 60 + "SELECT a FROM t" + ")" * 60,
    "values": "SELECT " + "(" * 300 + "SELECT 1" + ")" * 300,
    "texts": "SELECT " + "a || " * 1_500 + "a FROM t",
    "cases": "SELECT " + "CASE a WHEN " * 300 + "1 THEN 2 END" * 300 + " FROM t",
    "casts": "SELECT " + "CAST(" * 400 + "a" + " AS INT)" * 400 + " FROM t",
    "names of queries": "WITH "
    + ", ".join(f"a{i + 1} AS (SELECT * FROM a{i}, a{i})" for i in range(60))
    + " SELECT * FROM a60",
    "empty": "",
    "nothing": " \n -- nothing\n",
}


def outcome(text: str) -> str:
    """The code of the error of a text, or nothing; an error is drawn, and has a place."""
    try:
        dictionary, query = loaded(BASE, text, "<query>")
        without_common(expanded(query or (), dictionary.definitions))
    except CepheidError as error:
        for diagnostic in error.diagnostics:
            assert diagnostic.labels, diagnostic
            assert draw(diagnostic)
        return error.diagnostics[0].code
    return ""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end(name: str) -> None:
    assert outcome(HOSTILE[name]) in {
        "",
        "too-deep",
        "too-large",
        "syntax",
        "unbalanced",
        "bad-literal",
        "ambiguous-text",
    }


@pytest.mark.parametrize("seed", range(10))
def test_texts_of_its_own_words(seed: int) -> None:
    random = Random(seed)
    codes = {outcome(" ".join(random.choices(SIGNS, k=random.randrange(1, 25)))) for _ in range(400)}
    assert len(codes) > 2


@pytest.mark.parametrize("seed", range(5))
def test_texts_of_any_characters(seed: int) -> None:
    random = Random(seed)
    assert {outcome("".join(random.choices(CHARACTERS, k=random.randrange(1, 60)))) for _ in range(400)}


@pytest.mark.parametrize("seed", range(10))
def test_texts_with_a_mistake(seed: int) -> None:
    random = Random(seed)
    for _ in range(400):
        words = sentence(BASE.grammar, random, levels=4).split(" ")
        place = random.randrange(len(words))
        words[place : place + random.randrange(2)] = random.choices(SIGNS, k=random.randrange(3))
        outcome(" ".join(words))


def test_a_text_without_a_mistake_is_read() -> None:
    assert read("FREEZE @x") is not None
    assert read("") is None
