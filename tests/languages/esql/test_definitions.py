"""Definitions add rules to the grammar of a text: they use each other, and never hide or loop silently."""

import pytest

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.languages.esql.grammars import grammar as grammars
from cepheid.languages.esql.grammars.definitions import loaded
from cepheid.languages.esql.grammars.grammar import Grammar
from tests.languages.esql.texts import BASE

COUNT = "WHEN @P IS A PROCESSOR: THE COUNT OF @P IS THE PROCESSOR COMBINE (APPLY CONSTANT 1 WITH @P) WITH ADDITION.\n"


def run(text: str, **inputs: list[object]) -> list[object]:
    return cepheid.compile(text, language="esql").run(**inputs)


def message(text: str) -> str:
    with pytest.raises(CepheidError) as raised:
        cepheid.compile(text, language="esql")
    return str(raised.value)


def test_a_definition_is_used_wherever_its_symbol_may_stand() -> None:
    assert run(COUNT + "THE COUNT OF @x", x=[5, 5, 5]) == [1, 2, 3]
    assert run(COUNT + "TRIM 1 OF (THE COUNT OF (THE FIRST 2 OF @x))", x=[5, 5, 5]) == [2]
    assert run(COUNT + "GET (THE COUNT OF *) FROM @x ON A WINDOW OF 2", x=[5, 5, 5]) == [2, 2]


def test_definitions_use_each_other_in_any_order() -> None:
    text = (
        "WHEN @P IS A PROCESSOR: THE MEAN OF @P IS THE PROCESSOR APPLY $0 / $1 WITH THE SUM OF @P, THE COUNT OF @P.\n"
        "WHEN @P IS A PROCESSOR: THE SUM OF @P IS THE PROCESSOR COMBINE @P WITH ADDITION.\n"
    )
    assert run(text + COUNT + "THE MEAN OF @x", x=[1, 2, 6]) == [1.0, 1.5, 3.0]


def test_any_symbol_can_be_extended() -> None:
    text = (
        "PI IS THE NUMBER 3.\n"
        "WHEN @F IS A FUNCTION: THE DOUBLE OF @F IS THE FUNCTION 2 * @F.\n"
        "SUMMING IS THE FCT-NAME ADDITION.\n"
        "YES IS THE BOOLEAN TRUE.\n"
        "HERE IS THE STRING 'here'.\n"
        "WHEN @F IS A FUNCTION: @F OR SO IS THE COMPARISON @F BETWEEN 1 AND 3.\n"
        "WHEN @A IS A PROCESSOR, @B IS A PROCESSOR: BOTH @A AND @B IS THE PROC-LIST @A AS $l, @B AS $r.\n"
    )
    assert run(text + "SELECT PI + THE DOUBLE OF a * 10 FROM @t", t=[{"a": 1}]) == [23]
    assert run(text + "COMBINE @t WITH SUMMING", t=[1, 2]) == [1, 3]
    assert run(text + "APPLY YES WITH @t", t=[1]) == [True]
    assert run(text + "APPLY HERE WITH @t", t=[1]) == ["here"]
    assert run(text + "APPLY $0 OR SO WITH @t", t=[2, 5]) == [True, False]
    assert run(text + "APPLY $l - $r WITH BOTH @x AND @y", x=[5], y=[3]) == [2]


def test_a_defined_word_is_no_attribute_any_more_and_quoted_it_is() -> None:
    assert run("SELECT PI AS a FROM @t", t=[{"PI": 1}]) == [{"a": 1}]
    assert run("PI IS THE NUMBER 3. SELECT PI AS a, `PI` AS b FROM @t", t=[{"PI": 1}]) == [{"a": 3, "b": 1}]


def test_what_is_built_in_is_replaced_where_the_text_says_so() -> None:
    text = "REPLACE WHEN @P IS A PROCESSOR: FREEZE @P IS THE PROCESSOR TRIM 1 OF (FREEZE @P).\n"
    assert run(text + "FREEZE @x", x=[1, 2, 3]) == [1, 1]
    twice = "REPLACE WHEN @P IS A PROCESSOR: FREEZE @P IS THE PROCESSOR FREEZE @P.\n"
    session = cepheid.esql.Session()
    session.execute(text)
    session.execute(twice)
    assert session.compile("FREEZE @x").run(x=[1, 2, 3]) == [1, 1]
    minus = "REPLACE WHEN @A IS A FUNCTION, @B IS A FUNCTION: @A + @B IS THE FUNCTION @A - @B.\n"
    assert run(minus + "SELECT a + b * 2 FROM @t", t=[{"a": 9, "b": 2}]) == [5]


def test_hiding_what_is_built_in_unasked_is_shown() -> None:
    assert message("WHEN @P IS A PROCESSOR: TRIM 3 OF @P IS THE PROCESSOR FREEZE @P. @x") == (
        "error[hidden-syntax]: the definition hides what is built in: `TRIM <number> OF <processor>`\n"
        " --> <query>:1:25\n"
        "  |\n"
        "1 | WHEN @P IS A PROCESSOR: TRIM 3 OF @P IS THE PROCESSOR FREEZE @P. @x\n"
        "  |                         ^^^^^^^^^^^^ this can be read already\n"
        "  = hint: write `REPLACE WHEN @P IS A PROCESSOR: TRIM 3 OF @P IS THE PROCESSOR FREEZE @P` to replace it, or "
        "use other words"
    )


def test_two_definitions_of_one_pattern_are_shown_with_both_places() -> None:
    assert message("MINE IS THE PROCESSOR @a.\nMINE IS THE PROCESSOR @b.\nMINE") == (
        "error[ambiguous-text]: two definitions read `MINE`\n"
        " --> <query>:2:1\n"
        "  |\n"
        "1 | MINE IS THE PROCESSOR @a.\n"
        "  | ---- this definition can read it already\n"
        "2 | MINE IS THE PROCESSOR @b.\n"
        "  | ^^^^ the second one\n"
        "  = hint: write `REPLACE` before the second to replace the first, or use other words"
    )


def test_a_circle_is_shown_with_both_places() -> None:
    assert message("ONE IS THE PROCESSOR FREEZE TWO.\nTWO IS THE PROCESSOR TRIM 1 OF ONE.\nONE") == (
        "error[recursive-definition]: the definition of `ONE` comes back to itself\n"
        " --> <query>:1:1\n"
        "  |\n"
        "1 | ONE IS THE PROCESSOR FREEZE TWO.\n"
        "  | ^^^ it is defined here\n"
        "2 | TWO IS THE PROCESSOR TRIM 1 OF ONE.\n"
        "  |                                --- `ONE` is used here\n"
        "  = hint: take the use out of the body of one of them"
    )


def test_errors_point_into_the_definition_and_at_its_use() -> None:
    assert message(
        "WHEN @P IS A PROCESSOR: MY START OF @P IS THE PROCESSOR THE FIRST 2.5 OF @P.\nTRIM 1 OF MY START OF @x"
    ) == (
        "error[bad-pipe]: a number of values is whole and not negative\n"
        " --> <query>:1:57\n"
        "  |\n"
        "1 | WHEN @P IS A PROCESSOR: MY START OF @P IS THE PROCESSOR THE FIRST 2.5 OF @P.\n"
        "  |                                                         ^^^^^^^^^^^^^^^^^^^ here\n"
        "2 | TRIM 1 OF MY START OF @x\n"
        "  |           -------------- used here\n"
        "  = hint: write a number such as `1`"
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("WHEN @P IS A PROCESSOR: @P IS THE PROCESSOR FREEZE @P. @x", "bad-definition"),
        ("WHEN @P IS A PROCESSOR: MINE IS THE PROCESSOR @x. MINE", "bad-definition"),
        ("WHEN @P IS A PROCESSOR: MY @P @P IS THE PROCESSOR @P. @x", "bad-definition"),
        ("WHEN @P IS A PROCESSOR, @P IS A NUMBER: MY @P IS THE PROCESSOR @x. @x", "bad-definition"),
        ("MY @P IS THE PROCESSOR @P. @x", "bad-definition"),
        ("WHEN @P IS A PROCESSOR MY @P IS THE PROCESSOR @P. @x", "bad-definition"),
        ("WHEN P IS A PROCESSOR: MY P IS THE PROCESSOR P. @x", "bad-definition"),
        ("WHEN @P IS A PROCESSOR: MY @P. @x", "bad-definition"),
        ("MINE IS THE PROCESSOR. @x", "bad-definition"),
        ("IS THE PROCESSOR @x. @x", "bad-definition"),
        ("REPLACE MINE IS THE PROCESSOR @x. @x", "bad-definition"),
        ("@x. @y", "bad-definition"),
        ("MINE IS THE PROCESOR @x. @x", "unknown-symbol"),
        ("MINE IS THE NUMBER @x. CONSTANT MINE", "syntax"),
        ("MINE IS THE NUMBER 3.", "incomplete-statement"),
        ("", "incomplete-statement"),
    ],
)
def test_what_is_no_definition_is_refused(text: str, code: str) -> None:
    assert f"[{code}]" in message(text)


def test_one_grammar_is_made_of_a_text_with_a_hundred_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    extended = Grammar.extended

    def counted(self: Grammar, *given: object, **more: object) -> Grammar:
        made.append(1)
        return extended(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(grammars.Grammar, "extended", counted)
    lines = [f"WHEN @P IS A PROCESSOR: THE K{one} OF @P IS THE PROCESSOR TRIM {one} OF @P." for one in range(100)]
    dictionary, _ = loaded(BASE, "\n".join(lines), "definitions")
    assert len(dictionary.definitions) == 100
    assert len(made) == 1
