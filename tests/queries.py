"""Queries as text, in any of the languages there are, for tests that run on every runner."""

import re
from collections.abc import Callable, Mapping

from cepheid.algebra.expressions import Moment
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import end, start
from cepheid.algebra.text import read_pattern, read_program
from cepheid.algebra.validation import validate
from cepheid.events import sort_events
from cepheid.languages import algebra, etalis, hbl, parte
from cepheid.testing import Runner, show_matches, trace

Reader = Callable[[str, str], Program]  # the text and what errors call it

_PROGRAM = re.compile(r"\s*(rule|stream|table|tick|ties|pipe)\b")


def read_text_form(text: str, name: str) -> Program:
    """Read a program; a lone pattern is a rule called `match`."""
    if _PROGRAM.match(text):
        return read_program(text, name)
    pattern = read_pattern(text, name)
    return Program((Rule("match", pattern, "match", Moment(start(HULL)), Moment(end(HULL))),))


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


# A language joins under its name; the text form of the algebra has none.
READERS: Mapping[str, Reader] = {
    "": read_text_form,
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
