"""A printed query means what it meant; whatever a text says, compiling and running it ends in values or an error."""

from itertools import islice
from random import Random
from typing import Any

import pytest

from cepheid.diagnostics import CepheidError
from cepheid.esql import Session
from cepheid.languages.esql.grammars.definitions import loaded
from cepheid.languages.esql.grammars.expanding import expanded
from cepheid.languages.esql.grammars.printing import show
from tests.languages.esql.texts import BASE, random_definitions, read, sentence

VALUES = [{"a": 1, "b": 2.5, "price": 3, "x": None}, {"a": None, "b": 1, "price": -1}, 5, "text", None, [1, 2]]
TABLES: dict[str, Any] = {"u": [{"a": 1}], "g": [{"b": 2, "a": 1}]}
NOT_RUN = {"ambiguous-text", "too-deep", "too-large"}
"""Codes of texts that are not read at all."""


def outcome(text: str, session: Session, *, once: bool) -> str:
    """The first values over some traces, or the code of the error, which points into the text."""
    try:
        query = session.compile(text)
    except CepheidError as error:
        return error.diagnostics[0].code if error.diagnostics[0].labels else "an error without a place"
    try:
        given: Any = {name: iter(VALUES) if once else list(VALUES) for name in query.inputs}
        return repr(list(islice(query.pull(**given), 5)))
    except CepheidError as error:
        return error.diagnostics[0].code


@pytest.mark.parametrize("seed", range(20))
def test_a_printed_query_gives_what_it_gave(seed: int) -> None:
    session = Session(tables=TABLES, allow_unbounded=True)
    for number in range(seed * 30, seed * 30 + 30):
        text = sentence(BASE.grammar, Random(number), levels=number % 7 + 1)
        if "CONSTANT" in text:
            continue  # a trace without an end may never give a value
        query = read(text)
        assert query is not None
        before = outcome(text, session, once=number % 2 == 0)
        again = outcome(show(BASE.grammar, query), session, once=number % 2 == 0)
        assert again == before != "an error without a place", text


@pytest.mark.parametrize("seed", range(40))
def test_so_does_one_that_uses_random_definitions(seed: int) -> None:
    """Printed with the definitions, after they were printed themselves, and without them: it gives the same."""
    random = Random(seed)
    definitions = random_definitions(random, 8)
    dictionary, _ = loaded(BASE, definitions, "definitions")
    session, printed, bare = (Session(tables=TABLES, allow_unbounded=True) for _ in range(3))
    session.execute(definitions)
    printed.execute("\n".join(session.definitions))
    used = 0
    for number in range(12):
        text = sentence(dictionary.grammar, random, levels=number % 5 + 2)
        if "CONSTANT" in definitions + text:
            continue  # a trace without an end may never give a value
        before = outcome(text, session, once=number % 2 == 0)
        if before in NOT_RUN:
            continue
        query = read(text, dictionary)
        assert query is not None
        plain = expanded(query, dictionary.definitions)
        used += plain != query
        shown = show(dictionary.grammar, query)
        for again, where in ((shown, session), (shown, printed), (show(BASE.grammar, plain), bare)):
            assert outcome(again, where, once=number % 2 == 0) == before != "an error without a place", (text, again)
    assert used or "CONSTANT" in definitions
