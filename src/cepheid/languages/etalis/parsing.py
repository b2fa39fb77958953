"""The entry point: text in, program out."""

from collections.abc import Mapping

from cepheid.algebra.programs import Program
from cepheid.diagnostics import Source
from cepheid.languages.etalis.given_rows import Rows
from cepheid.languages.etalis.lowering import Meant, lower
from cepheid.languages.etalis.reading import read
from cepheid.languages.etalis.tree import drawn
from cepheid.languages.shared.files import Resolve

SECOND = 1_000_000


def parse(
    text: str,
    *,
    name: str = "<query>",
    policy: str | None = None,
    time_unit: int = SECOND,
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> Program:
    """Return the program that a text of ETALIS means.

    `name` is what errors call the text. `policy` is that of all rules that have none of their own, over what the text
    says. A length without a unit counts `time_unit` ticks. `tables` gives rows to the tables that the text declares,
    `resolve` returns the text of a file that it names.

    >>> program = parse("rise(S) <- (stock(S, P1) SEQ stock(S, P2)).7 WHERE (P2 > P1 * 1.5).")
    >>> [(rule.name, list(rule.fields)) for rule in program.rules]
    [('rise', ['arg1'])]
    """
    return meant(Source(name, text), policy, time_unit, tables, resolve).program


def meant(
    source: Source,
    policy: str | None,
    time_unit: int,
    tables: Mapping[str, Rows] | None,
    resolve: Resolve | None,
) -> Meant:
    """Return the program that a text means, with the names of its variables."""
    return lower(read(source, time_unit), source, policy, tables or {}, resolve)


def describe(text: str, *, name: str = "<query>", time_unit: int = SECOND) -> str:
    """Return the parsed text as a tree to look at.

    >>> print(describe("e(X) <- (a(X) SEQ b).5 OR NOT(c).[a(X), b]."))
    e(X)
    └─ OR
       ├─ at most 5 s
       │  └─ SEQ
       │     ├─ a(X)
       │     └─ b
       └─ NOT, between
          ├─ c
          ├─ a(X)
          └─ b
    """
    return drawn(read(Source(name, text), time_unit))
