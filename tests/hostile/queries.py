"""Queries that were changed at random: each is compiled, or refused with a code; one in twenty is run as well.

Usage: python -m tests.hostile.queries FIRST LAST
"""

import sys
from itertools import islice
from random import Random

import cepheid
from cepheid.algebra.traversal import event_types
from cepheid.api import CompiledQuery
from cepheid.diagnostics import CepheidError
from cepheid.events import Event, point
from tests.hostile.mutating import mutated
from tests.hostile.query_texts import texts, texts_of_cases
from tests.hostile.watching import main

MOST_MATCHES = 1000


def text_of(seed: int) -> tuple[str, str]:
    """Return the language and the text of a case."""
    random = Random(seed)
    languages = sorted(texts())
    language = languages[seed % len(languages)]
    wrong = texts_of_cases().get(language) if random.random() < 0.2 else None
    some = wrong or texts()[language]
    return language, mutated(random.choice(some), random, some)


def case(seed: int) -> str:
    """Return what became of a query: it was compiled, it ran, or it was refused."""
    language, text = text_of(seed)
    try:
        query = cepheid.compile(text, language=language, allow_unbounded=True)
        return _ran(query, seed) if seed % 20 == 0 and isinstance(query, CompiledQuery) else "compiled"
    except CepheidError as error:
        return _refused(error)


def _refused(error: CepheidError) -> str:
    """Return the outcome of an error, which has a code and can be drawn."""
    assert all(one.code for one in error.diagnostics)
    assert str(error).startswith("error[")
    return "refused"


def _ran(query: CompiledQuery, seed: int) -> str:
    for _ in islice(query.run(_events(query, seed), engine="interpreter", max_matches=MOST_MATCHES), MOST_MATCHES):
        pass
    return "run"


def _events(query: CompiledQuery, seed: int) -> list[Event]:
    """Return a few events of the types that a query reads, so close that no schedule has many points between them."""
    random = Random(seed)
    types = sorted(stream for rule in query.plan.rules for stream in event_types(rule.rule.pattern)) or ["A"]
    return [
        point(random.choice(types), number * 1000, number, {"value": number, "k": number % 2}) for number in range(8)
    ]


if __name__ == "__main__":
    sys.exit(main("tests.hostile.queries", sys.argv[1:]))
