"""From program to text, so that the text means the same program; what PARTElang cannot say is refused.

Programs know nothing of templates, so these are written with the attributes that rules read and fill, of any type.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from cepheid.algebra.expressions import Field, Literal
from cepheid.algebra.patterns import Atom
from cepheid.algebra.programs import Arrival, Program, Rule, Stream, Table
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.events import Duration
from cepheid.languages.parte.parsing import parse
from cepheid.languages.parte.reactions import rule_names
from cepheid.languages.parte.rule_printing import RulePrinter, braced, is_action, is_report, shown_word
from cepheid.languages.parte.streams import source_names
from cepheid.languages.shared.expressible import not_expressible
from cepheid.languages.shared.term_printing import TermPrinter

Slots = dict[str, dict[str, None]]
"""The attributes of each template, in the order in which they were met."""

_REFUSED: Final = "something that its rules do not mean"


def show(program: Program) -> str:
    """Return the text of a program; it reads back as the same program.

    >>> print(show(parse('''template A { v : Integer } template B { v : Integer }
    ...     rule R where a : A { v >= 3 } then emit B at a.timestamp + 5 s with { v = a.v }''')))
    template A { v : Any }
    template B { v : Any }
    <BLANKLINE>
    rule R where
      a : A { v >= 3 }
    then
      emit B at a.timestamp + 5 s with { v = a.v }
    """
    if program.pipes:
        raise _refuse("pipes")
    text = "\n".join([*_declarations(program), *_rules(program)])
    try:
        is_same = parse(text) == program
    except CepheidError:
        is_same = False
    if not is_same:
        raise _refuse(_REFUSED)
    return text


def _refuse(what: str) -> CepheidError:
    return not_expressible("parte", what)


def _declarations(program: Program) -> Iterator[str]:
    if program.tick != 1:
        yield f"tick {Duration(program.tick)}"
    for name, table in program.tables.items():
        yield _table(name, table)
    for name, slots in _templates(program).items():
        yield f"template {shown_word(name)}{braced([f'{shown_word(slot)} : Any' for slot in slots])}"
    for stream in program.streams:
        yield " ".join(_stream(stream))


def _table(name: str, table: Table) -> str:
    columns = [shown_word(column) for column in table.columns]
    keys, rest = ", ".join(columns[: table.key_count]), ", ".join(columns[table.key_count :])
    gives = f" gives {rest}" if rest else ""
    return f"table {shown_word(name)}({keys}){gives} = {TermPrinter(_refuse).shown(Literal(table.rows))}"


def _templates(program: Program) -> Slots:
    """Return the templates that a program speaks of, with the attributes that it reads or fills."""
    slots: Slots = {stream.name: {} for stream in program.streams}
    for rule in program.rules:
        atoms = {node.name: node.types for node in walk(rule.pattern) if isinstance(node, Atom)}
        for types in atoms.values():
            slots |= {name: slots.get(name, {}) for name in sorted(types)}
        if not (is_action(rule) or is_report(rule)):
            slots.setdefault(rule.emits, {}).update(dict.fromkeys(rule.fields))
        for node in walk((rule.pattern, rule.fields)):
            if isinstance(node, Field) and node.part in atoms:
                for name in atoms[node.part]:
                    slots[name][node.name] = None
    return slots or {_free_name({rule.name for rule in program.rules}): {}}


def _free_name(taken: set[str]) -> str:
    """Return the name of a template that stands there because every text has one."""
    numbers = range(2, len(taken) + 2)
    return next(name for name in ("Event", *(f"Event{number}" for number in numbers)) if name not in taken)


def _stream(stream: Stream) -> Iterator[str]:
    yield f"source {shown_word(stream.name)}"
    if stream.arrival is not None:
        yield _arrival(stream.arrival)
    if stream.sources and stream.sources == source_names(stream.name, len(stream.sources)):
        yield f"from {len(stream.sources)} sources"
    elif stream.sources:
        yield f"from {', '.join(map(shown_word, stream.sources))}"
    if stream.disorder:
        yield f"disorder {Duration(stream.disorder)}"
    if stream.keys is not None:
        yield f"keys {stream.keys}"


def _arrival(arrival: Arrival) -> str:
    if not arrival.spaced:
        return f"{arrival.count} per {str(Duration(arrival.per)).removeprefix('1 ')}"
    if arrival.count == 1:
        return f"every {Duration(arrival.per)}"
    raise _refuse("several events that are spaced out")


def _rules(program: Program) -> Iterator[str]:
    for name, group in _groups(program.rules):
        yield ""
        yield RulePrinter(_refuse).rule(name, group)


def _groups(rules: Sequence[Rule]) -> Iterator[tuple[str, Sequence[Rule]]]:
    """Yield the rules of the text: those that one pattern with several reactions became are one again."""
    left = list(rules)
    while left:
        alike = next((number for number, rule in enumerate(left) if rule.pattern != left[0].pattern), len(left))
        base = left[0].name.removesuffix(f".{left[0].emits}")
        for count in range(alike, 0, -1):
            group = left[:count]
            if count == 1 or rule_names(base, [rule.emits for rule in group]) == [rule.name for rule in group]:
                yield left[0].name if count == 1 else base, group
                left = left[count:]
                break
