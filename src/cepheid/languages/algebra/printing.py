"""From program to text, so that the text means the same program; what the algebra cannot say is refused."""

from collections.abc import Iterator
from typing import Final

from cepheid.algebra.expressions import Field, IsBound
from cepheid.algebra.patterns import Atom, Distinct
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Program, Rule, Stream
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.events import Duration
from cepheid.languages.algebra.lowering import BARE_NAME
from cepheid.languages.algebra.naming import names_of
from cepheid.languages.algebra.parsing import parse
from cepheid.languages.algebra.pattern_printing import Words, printed
from cepheid.languages.shared.expressible import not_expressible
from cepheid.languages.shared.names import shown_name
from cepheid.languages.shared.term_printing import TermPrinter

_WIDTH: Final = 100


def show(program: Program) -> str:
    """Return the text of a program; it reads back as the same program.

    >>> print(show(parse("Alarm = ((Button; Button) within 2) - (Pressure or Temperature)")))
    Alarm = (Button ; Button) within 2 s - (Pressure | Temperature)
    """
    text = "\n".join([*_declarations(program), *_definitions(program)])
    try:
        is_same = parse(text) == program
    except CepheidError:
        is_same = False
    if not is_same:
        raise _refuse("something that its operators do not mean")
    return text


def _refuse(what: str) -> CepheidError:
    return not_expressible("algebra", what)


def _declarations(program: Program) -> Iterator[str]:
    if program.tick != 1:
        yield f"tick {Duration(program.tick)}"
    choices = {node.choice for node in walk(program.rules) if isinstance(node, Policy)}
    if Choice.LATEST_START not in choices:
        yield "policy all"
    for stream in program.streams:
        yield from _stream(stream)


def _stream(stream: Stream) -> Iterator[str]:
    name, arrival = Words(frozenset()).shown(stream.name), stream.arrival
    if arrival is not None and arrival.spaced:
        yield f"rate {name} every {Duration(arrival.per)}"
    elif arrival is not None:
        yield f"rate {name} {arrival.count}/{str(Duration(arrival.per)).removeprefix('1 ')}"
    if stream.disorder or (arrival is None and stream.keys is None):
        yield f"disorder {name} {Duration(stream.disorder)}"
    if stream.keys is not None:
        yield f"keys {name} {stream.keys}"


def _definitions(program: Program) -> Iterator[str]:
    words = Words(frozenset(rule.name for rule in program.rules))
    is_bare = [rule.name for rule in program.rules] == [BARE_NAME]
    for rule in program.rules:
        yield _laid_out("" if is_bare else f"{words.shown(rule.name)} =", _clauses(rule, words))


def _laid_out(head: str, clauses: list[str]) -> str:
    line = " ".join([head, *clauses]).strip()
    if len(line) <= _WIDTH:
        return line
    return "\n".join([head, *(f"    {clause}" for clause in clauses)]).removeprefix("\n")


def _clauses(rule: Rule, words: Words) -> list[str]:
    """Return the operands of a definition, each with the operator before it, and what follows them."""
    pattern = rule.pattern.pattern if isinstance(rule.pattern, Distinct) else rule.pattern
    clauses = list(printed(pattern, words, _labels(rule), _refuse).clauses)
    keys = [words.shown(key.name) for key in rule.per if isinstance(key, Field)]
    if keys:
        clauses.append(f"by {', '.join(keys)}")
    if rule.fields:
        values = TermPrinter(_refuse)
        fields = (f"{shown_name(name)} = {values.shown(value)}" for name, value in rule.fields.items())
        clauses.append(f"emits {', '.join(fields)}")
    return clauses


def _labels(rule: Rule) -> frozenset[str]:
    """Return the names that have to be written: those that are read, and those that no event would get by itself."""
    atoms = [node for node in walk(rule.pattern) if isinstance(node, Atom)]
    written = _read_names(rule) & {atom.name for atom in atoms}
    while True:
        types = [("".join(sorted(atom.types)), atom.name if atom.name in written else None) for atom in atoms]
        given = names_of(types)
        differing = [atom.name for atom, name in zip(atoms, given, strict=True) if atom.name != name]
        if not differing:
            return frozenset(written)
        written.add(differing[0])


def _read_names(rule: Rule) -> set[str]:
    read: set[str] = set()
    for node in walk(rule.fields):
        match node:
            case Field(part=name) | Endpoint(part=name) | IsBound(name=name):
                read.add(name)
    return read
