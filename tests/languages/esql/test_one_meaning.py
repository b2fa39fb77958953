"""A printed query means what it meant; whatever a text says, compiling and running it ends in values or an error."""

from itertools import islice
from random import Random
from typing import Any

import pytest

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.languages.esql.grammars.printing import show
from tests.languages.esql.texts import BASE, read, sentence

VALUES = [{"a": 1, "b": 2.5, "price": 3, "x": None}, {"a": None, "b": 1, "price": -1}, 5, "text", None, [1, 2]]
TABLES: dict[str, Any] = {"u": [{"a": 1}], "g": [{"b": 2, "a": 1}]}


def outcome(text: str, *, once: bool) -> str:
    """The first values over some traces, or the code of the error, which points into the text."""
    try:
        query = cepheid.compile(text, language="esql", tables=TABLES)
    except CepheidError as error:
        return error.diagnostics[0].code if error.diagnostics[0].labels else "an error without a place"
    try:
        given: Any = {name: iter(VALUES) if once else list(VALUES) for name in query.inputs}
        return repr(list(islice(query.pull(**given), 5)))
    except CepheidError as error:
        return error.diagnostics[0].code


@pytest.mark.parametrize("seed", range(20))
def test_a_printed_query_gives_what_it_gave(seed: int) -> None:
    for number in range(seed * 30, seed * 30 + 30):
        text = sentence(BASE.grammar, Random(number), levels=number % 7 + 1)
        if "CONSTANT" in text:
            continue  # a trace without an end may never give a value
        query = read(text)
        assert query is not None
        before = outcome(text, once=number % 2 == 0)
        assert outcome(show(BASE.grammar, query), once=number % 2 == 0) == before != "an error without a place", text
