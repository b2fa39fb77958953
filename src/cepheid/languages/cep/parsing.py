"""The entry point: text in, program out."""

from collections.abc import Mapping

from cepheid.algebra.programs import Program, Ties
from cepheid.diagnostics import CepheidError, Source
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.cep.printing import show
from cepheid.languages.cep.reading import read_program
from cepheid.languages.cep.tables import Rows
from cepheid.languages.shared.files import Resolve

SECOND = 1_000_000


def parse(
    text: str,
    *,
    name: str = "<query>",
    time_unit: int = SECOND,
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> Program:
    """Return the program that a text means.

    `name` is what errors call the text. A length without a unit counts `time_unit` ticks. `tables` gives rows to the
    tables that the text looks things up in, `resolve` returns the text of a file that it names. Unless the text says
    otherwise, events of one time come one after the other.

    >>> program = parse("f: Failed then ok: Accepted within 10 min on ip")
    >>> [(rule.name, rule.emits) for rule in program.rules]
    [('match', 'match')]
    """
    program = read_program(text, name, time_unit=time_unit, ties=Ties.ARRIVAL, tables=tables, resolve=resolve)
    if not program.rules and not program.pipes:
        raise _no_rule(Source(name, text))
    return program


def _no_rule(source: Source) -> CepheidError:
    hint = "write one, for example `a: A then b: B within 5 s`"
    return mistake("there is no rule", source.end, "nothing says what to look for", hint, code="no-rule")


def describe(
    text: str,
    *,
    name: str = "<query>",
    time_unit: int = SECOND,
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> str:
    """Return a text with all that it leaves to be understood.

    >>> print(describe("f: Failed then ok: Accepted on ip"))
    rule match:
        f: Failed then ok: Accepted on f.ip == ok.ip
        emits match
    """
    return show(parse(text, name=name, time_unit=time_unit, tables=tables, resolve=resolve))
