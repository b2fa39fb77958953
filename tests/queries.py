"""Queries as text, in any of the languages there are, for tests that run on every runner."""

from collections.abc import Callable, Mapping

from cepheid.algebra.programs import Program
from cepheid.algebra.validation import validate
from cepheid.events import sort_events
from cepheid.languages import algebra, cep, etalis, hbl, parte
from cepheid.languages.cep import read_program
from cepheid.testing import Runner, show_matches, trace

Reader = Callable[[str, str], Program]  # the text and what errors call it


def read_text_form(text: str, name: str) -> Program:
    """Read a program; a lone pattern is a rule called `match`."""
    return read_program(text, name)


def read_algebra(text: str, name: str) -> Program:
    """Read a text of the detection algebra; a length without a unit counts the steps of a trace."""
    return algebra.parse(text, name=name, time_unit=1)


def read_parte(text: str, name: str) -> Program:
    """Read a text of PARTElang."""
    return parte.parse(text, name=name)


def read_etalis(text: str, name: str) -> Program:
    """Read a text of ETALIS; a number that is a time or a length counts the steps of a trace."""
    return etalis.parse(text, name=name, time_unit=1)


def read_hbl(text: str, name: str) -> Program:
    """Read a text of HBL; a number that is a length counts the steps of a trace."""
    return hbl.parse(text, name=name, time_unit=1)


def read_cep(text: str, name: str) -> Program:
    """Read a text of the native language; a number that is a length counts the steps of a trace."""
    return cep.parse(text, name=name, time_unit=1)


# A language joins under its name; a lone construct has none, and then a program says that ties follow each other.
READERS: Mapping[str, Reader] = {
    "": read_text_form,
    "cep": read_cep,
    "algebra": read_algebra,
    "parte": read_parte,
    "etalis": read_etalis,
    "hbl": read_hbl,
}


def read_query(text: str, language: str = "", name: str = "<query>") -> Program:
    """Read a query that can run."""
    program = READERS[language](text, name)
    validate(program)
    return program


def ask(runner: Runner, query: str, events: str, *, disorder: int | None = None) -> list[str]:
    """Return what a runner finds, a line for each match; with `disorder` the events arrive as they are written."""
    program, arrivals = read_query(query), trace(events)
    given = sort_events(arrivals) if disorder is None else arrivals
    result = runner.run(program, given, disorder=disorder or 0)
    return show_matches(result.matches, arrivals, named=len(program.rules) > 1)
