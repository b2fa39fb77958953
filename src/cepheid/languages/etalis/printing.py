"""Programs of the algebra as texts of ETALIS.

Names of variables are made up, and so are declarations where attributes have names of their own. What is written is
read again, and where it is not the same program, the language has no words for that program.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cepheid.algebra.expressions import Call, Field
from cepheid.algebra.patterns import Atom, Join, Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Program, Rule, Stream, Table
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.events import Duration
from cepheid.languages.etalis.classes import variables_of
from cepheid.languages.etalis.computed_arguments import computed_in
from cepheid.languages.etalis.parsing import parse
from cepheid.languages.etalis.pattern_printing import PatternPrinter
from cepheid.languages.etalis.policies import LONGER
from cepheid.languages.etalis.words import shown_constant, shown_word
from cepheid.languages.shared.expressible import not_expressible

_WIDTH: Final = 110
Attributes = Mapping[str, Sequence[str]]


def show(program: Program) -> str:
    """Return a text that means this program, or raise where the language has none.

    >>> print(show(parse("e(X) <- a(X) seq b(X, 3) where (X > 2).")))
    e(X) <- a(X) SEQ b(X, 3) WHERE (X > 2).
    """
    if program.pipes:
        raise refuse("pipes")
    attributes = attributes_of(program)
    lines = [*_declarations(program), *_events(attributes), *_facts(program.tables)]
    written = "\n".join([*lines, *_rules(program.rules, attributes)])
    try:
        again = parse(written)
    except CepheidError:
        raise refuse("something that its operators do not mean") from None
    if again != program:
        raise refuse("something that its operators do not mean")
    return written


def refuse(what: str) -> CepheidError:
    """Return the error for something that cannot be written."""
    return not_expressible("etalis", what)


def attributes_of(program: Program) -> dict[str, tuple[str, ...]]:
    """Return the attributes of every event: those that its rules give it, else those that are read of it."""
    found: dict[str, dict[str, None]] = {}
    for rule in program.rules:
        types = {node.name: kind for node in walk(rule.pattern) if isinstance(node, Atom) for kind in node.types}
        for kind in types.values():
            found.setdefault(kind, {})
        for node in walk((rule.pattern, rule.fields)):
            if isinstance(node, Field) and node.part in types:
                found[types[node.part]][node.name] = None
    derived = {rule.emits: tuple(rule.fields) for rule in program.rules}
    return {**{kind: _in_order(list(names)) for kind, names in found.items()}, **derived}


def _in_order(names: Sequence[str]) -> tuple[str, ...]:
    numbers = [int(name[3:]) for name in names if re.fullmatch(r"arg[1-9]\d{0,2}", name)]
    if len(numbers) == len(names):
        return _numbered(max(numbers, default=0))
    return tuple(sorted(names))


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(f"arg{number}" for number in range(1, count + 1))


def _declarations(program: Program) -> Iterator[str]:
    if program.tick != 1:
        yield f"tick {Duration(program.tick)}."
    for stream in program.streams:
        yield from _stream(stream)


def _stream(stream: Stream) -> Iterator[str]:
    name, arrival = shown_word(stream.name), stream.arrival
    if stream.sources:
        raise refuse("several sources of one event")
    if arrival is not None and arrival.spaced:
        yield f"rate {name} every {Duration(arrival.per)}."
    elif arrival is not None:
        yield f"rate {name} {arrival.count}/{str(Duration(arrival.per)).removeprefix('1 ')}."
    if stream.disorder or (arrival is None and stream.keys is None):
        yield f"disorder {name} {Duration(stream.disorder)}."
    if stream.keys is not None:
        yield f"keys {name} {stream.keys}."


def _events(attributes: Attributes) -> Iterator[str]:
    for kind in sorted(attributes):
        if tuple(attributes[kind]) != _numbered(len(attributes[kind])):
            yield f"event {shown_word(kind)}({', '.join(map(shown_word, attributes[kind]))})."


def _facts(tables: Mapping[str, Table]) -> Iterator[str]:
    for name, table in tables.items():
        if "(" in name:
            continue  # another way to look up a table, which is found again by its use
        if table.columns != _numbered(len(table.columns)) or not table.rows:
            columns = ", ".join(map(shown_word, table.columns))
            yield f"table {shown_word(name)}({columns}){'' if table.rows else ' empty'}."
        for row in table.rows:
            cells = [shown_constant(cell) for cell in row]
            if None in cells:
                raise refuse("a fact about something that cannot be written")
            yield f"{shown_word(name)}({', '.join(str(cell) for cell in cells)})."


def _rules(rules: Sequence[Rule], attributes: Attributes) -> Iterator[str]:
    unlabelled: list[str] = []
    for rule in rules:
        again = unlabelled.count(rule.emits)
        is_usual = rule.name == (rule.emits if not again else f"{rule.emits}#{again + 1}")
        unlabelled += [rule.emits] if is_usual else []
        yield _rule(rule, "" if is_usual else f"{shown_word(rule.name)} rule: ", attributes)


def _rule(rule: Rule, label: str, attributes: Attributes) -> str:
    variables = variables_of(rule, attributes)
    printer = PatternPrinter(variables, attributes, refuse, computed_in(rule.pattern, variables))
    values = ", ".join(printer.value(value) for value in rule.fields.values())
    head = f"{label}{shown_word(rule.emits)}" + (f"({values})" if values else "")
    body = f"{printer.shown(rule.pattern)}{_policy(rule)}."
    line = f"{head} <- {body}"
    return line if len(line) <= _WIDTH else f"{head} <-\n    {body}"


def _policy(rule: Rule) -> str:
    """Return the policy of a rule; all its joins have the same one."""
    joins = [node.policy for node in walk(rule.pattern) if isinstance(node, Join)]
    policy = next((one for one in joins if len(one.tie) > 1), next(iter(joins), None))
    if policy is None:
        runs = [node for node in walk(rule.pattern) if isinstance(node, Repeat)]
        return " policy chronological" if any(run.choice is Choice.NEXT for run in runs) else ""
    if policy.choice is Choice.ALL:
        return ""
    return f" policy {policy.choice.value}" + _tie(policy.tie)


def _tie(tie: Sequence[object]) -> str:
    match tie:
        case (Call("coalesce", (Field(name=attribute), *_)), _):
            return f" tie greatest {shown_word(attribute)}"
        case (only,) if only == LONGER:
            return " tie longer"
        case _:
            return ""
