"""Read the text form back: what `show` wrote becomes the same node again.

Names of parts may be used before they are known here; whether they fit together is checked elsewhere.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TypeVar

from lark import Lark
from lark.exceptions import UnexpectedInput, VisitError
from lark.lexer import PatternRE, TerminalDef

from cepheid.algebra.expressions import Expr
from cepheid.algebra.formulas import Formula
from cepheid.algebra.patterns import Atom, Pattern
from cepheid.algebra.pipes import Pipe
from cepheid.algebra.policies import Policy
from cepheid.algebra.programs import Program, Rule, Stream, Table, Ties
from cepheid.algebra.relations import Difference, Ticks
from cepheid.algebra.text.words import WORDS, shown_name
from cepheid.algebra.traversal import children, walk
from cepheid.diagnostics import CepheidError, Source
from cepheid.languages.cep.lone_names import LoneName
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.cep.nested_names import with_nested_names
from cepheid.languages.cep.read_clauses import ClauseReader
from cepheid.languages.cep.read_expressions import ExpressionReader
from cepheid.languages.cep.read_patterns import PatternReader
from cepheid.languages.cep.read_pipes import FormulaReader, PipeReader
from cepheid.languages.cep.read_programs import ProgramReader
from cepheid.languages.cep.read_relations import RelationReader
from cepheid.languages.cep.slips import slip
from cepheid.languages.cep.surroundings import Surroundings
from cepheid.languages.cep.tables import Rows, with_given
from cepheid.languages.shared.files import Resolve

T = TypeVar("T")

USUAL = Surroundings()

# What comes after reading takes a few calls per level, and Python allows a thousand.
MOST_NESTED = 300

_KINDS: dict[str, type] = {
    "pattern": Pattern,
    "expression": Expr,
    "difference": Difference,
    "policy": Policy,
    "rule": Rule,
    "stream": Stream,
    "table": Table,
    "pipe": Pipe,
    "formula": Formula,
    "program": Program,
}


class _Reader(ExpressionReader, RelationReader, ClauseReader, PatternReader, PipeReader, FormulaReader, ProgramReader):
    """All rules of the grammar."""


def read_pattern(text: str, name: str = "<pattern>") -> Pattern:
    """Return the pattern that `text` says; `name` is what errors call the text.

    >>> read_pattern("login then payment[amount > 100] within 5 min").parts[1].name
    'payment'
    """
    return _read(Pattern, text, name)


def read_expression(text: str, name: str = "<expression>") -> Expr:
    return _read(Expr, text, name)


def read_difference(text: str, name: str = "<difference>") -> Difference:
    return _read(Difference, text, name)


def read_policy(text: str, name: str = "<policy>") -> Policy:
    return _read(Policy, text, name)


def read_rule(text: str, name: str = "<rule>") -> Rule:
    return _read(Rule, text, name)


def read_stream(text: str, name: str = "<stream>") -> Stream:
    return _read(Stream, text, name)


def read_table(text: str, name: str = "<table>") -> Table:
    return _read(Table, text, name)


def read_pipe(text: str, name: str = "<pipe>") -> Pipe:
    return _read(Pipe, text, name)


def read_formula(text: str, name: str = "<formula>") -> Formula:
    return _read(Formula, text, name)


def read_program(
    text: str,
    name: str = "<program>",
    *,
    time_unit: Ticks = 1,
    ties: Ties = Ties.SIMULTANEOUS,
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> Program:
    """Return the program that `text` says; a lone pattern is a rule called `match`."""
    given = tables or {}
    return with_given(_read(Program, text, name, Surroundings(time_unit, ties, given, resolve)), given)


@cache
def grammar() -> Lark:
    """Return the grammar, made ready once."""
    text = files("cepheid.languages.cep").joinpath("cep.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", start=list(_KINDS), propagate_positions=True, edit_terminals=_whole_word)


def _whole_word(terminal: TerminalDef) -> None:
    """Make a word of the grammar match whole words only, also where no name could stand."""
    if terminal.pattern.value in WORDS:
        terminal.pattern = PatternRE(rf"{terminal.pattern.value}(?!\w)")
        terminal.priority = 1


def _read(wanted: type[T], text: str, name: str, surroundings: Surroundings = USUAL) -> T:
    source = Source(name, text)
    start = next(rule for rule, kind in _KINDS.items() if kind is wanted)
    try:
        node = _Reader(source, surroundings).transform(with_nested_names(grammar().parse(text, start=start)))
        _no_lone_names(node)
        _not_too_deep(node)
    except UnexpectedInput as error:
        raise slip(error, source, start, grammar()) from None
    except VisitError as error:
        if isinstance(error.orig_exc, CepheidError):
            raise error.orig_exc from None
        raise
    except RecursionError:
        raise _too_deep(source) from None
    assert isinstance(node, wanted)
    return node


def _too_deep(source: Source) -> CepheidError:
    place, hint = source.span(0, len(source.text)), "give parts of it names of their own, as rules"
    return mistake("this is nested too deeply", place, "too deep to be read", hint, code="too-deep")


def _not_too_deep(node: object) -> None:
    level: list[object] = [node]
    for _ in range(MOST_NESTED):
        level = [child for each in level for child in children(each)]
        if not level:
            return
    raise RecursionError


def _no_lone_names(node: object) -> None:
    for rule in node.rules if isinstance(node, Program) else ():
        _no_lone_names(rule)
    for item in walk(node):
        if isinstance(item, LoneName):
            parts = [shown_name(event.name) for event in walk(node) if isinstance(event, Atom)]
            if item.name in parts:
                hint = f"its time is `start({item.name})`, and what it holds `{item.name}.field`"
                raise mistake(f"`{item.name}` is an event, and no value", item.span, "not a value", hint)
            part = parts[0] if parts else "a"
            hint = f"write the part it belongs to: `{part}.{item.name}`; a variable is `@{item.name}`"
            raise mistake(f"`{item.name}` is a field of nothing", item.span, "no event is meant here", hint)
