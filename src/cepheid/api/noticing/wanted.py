"""What a query wants of the attributes of its events: that they are there, and can be compared as it does."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cepheid.algebra.expressions import TYPE, Call, Expr, Field, Literal, conjuncts
from cepheid.algebra.patterns import Atom, Join, Unless
from cepheid.algebra.programs import EVENT, Program, Rule
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import walk
from cepheid.api.places import Spans, found, spans_of
from cepheid.diagnostics import Span
from cepheid.events import Value

Attribute = tuple[str, str]
"""A type of events, and the name of a field."""

_COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">="})
_ASKED = frozenset({"is_null", "coalesce"})  # who asks so knows that there may be none


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a field of an event of some types, or a constant of a kind."""

    types: frozenset[str] = frozenset()
    name: str = ""
    constant: str | None = None
    text: str = ""

    @property
    def attributes(self) -> Iterator[Attribute]:
        return ((one, self.name) for one in sorted(self.types))

    @property
    def forms(self) -> tuple[str, ...]:
        """How a query may write it: with the part that it is of, or without."""
        return (self.text, self.name) if self.name else (self.text,)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides that are compared in a rule, where that is said, and whether it can be said otherwise there."""

    left: Side
    right: Side
    sign: str
    place: Span | None
    is_written: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """An event whose attribute is read, by the name that it has in its rule, and where the rule stands."""

    atom: Atom
    part: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class Wanted:
    """The attributes that a query reads, each with who reads it; those that are keys; and what it compares."""

    attributes: dict[Attribute, Reading]
    keys: frozenset[Attribute]
    comparisons: tuple[Comparison, ...]


@ByIdentity
def wanted_of(program: Program) -> Wanted:
    """Return what a program wants of the events of its input; of what its rules emit it knows everything."""
    derived = frozenset(rule.emits for rule in program.rules)
    attributes: dict[Attribute, Reading] = {}
    keys: set[Attribute] = set()
    comparisons: list[Comparison] = []
    for rule, spans in zip(program.rules, spans_of(program), strict=True):
        atoms = _atoms(rule, derived)
        for field in _fields(rule):
            if field.part in atoms and field.name != TYPE:
                reading = Reading(atoms[field.part], field.part, spans)
                attributes |= {(type_, field.name): reading for type_ in reading.atom.types}
        keys |= {one for side in _key_sides(rule, atoms) for one in side.attributes}
        comparisons += (_as_written(one, spans) for one in _comparisons(rule, atoms))
    return Wanted(attributes, frozenset(keys), tuple(comparisons))


def _atoms(rule: Rule, derived: frozenset[str]) -> dict[str, Atom]:
    """Return the parts of a rule that are events of the input, by their names; `$event` is any of them."""
    atoms = [node for node in walk(rule.pattern) if isinstance(node, Atom) and node.types and not node.types & derived]
    named = {atom.name: atom for atom in atoms}
    every = frozenset(type_ for atom in atoms for type_ in atom.types)
    return {**named, EVENT: Atom(EVENT, every)} if atoms and rule.per else named


def _fields(node: object) -> Iterator[Field]:
    """Yield the fields that are read, but for those that somebody asks whether they are there."""
    asked = {id(one) for call in walk(node) if isinstance(call, Call) and call.function in _ASKED for one in walk(call)}
    return (one for one in walk(node) if isinstance(one, Field) and id(one) not in asked)


def _key_sides(rule: Rule, atoms: dict[str, Atom]) -> Iterator[Side]:
    pairs = [pair for node in walk(rule.pattern) if isinstance(node, Join | Unless) for pair in _equalities(node)]
    for expression in (*rule.per, *(one for pair in pairs for one in pair)):
        side = _side(expression, atoms)
        if side is not None and side.name:
            yield side


def _equalities(node: Join | Unless) -> Iterator[tuple[Expr, Expr]]:
    """Yield what parts must agree on, also where a condition says so."""
    yield from node.equal
    conditions = (*conjuncts(node.candidate if isinstance(node, Join) else None), *conjuncts(node.where))
    for condition in conditions:
        match condition:
            case Call("==", (Field(one) as left, Field(other) as right)) if one != other:
                yield left, right


def _comparisons(rule: Rule, atoms: dict[str, Atom]) -> Iterator[Comparison]:
    """Yield what is compared: in conditions, and where parts must agree."""
    calls = [
        node for node in walk((rule.pattern, rule.fields)) if isinstance(node, Call) and node.function in _COMPARED
    ]
    pairs = [("==", *pair) for node in walk(rule.pattern) if isinstance(node, Join | Unless) for pair in node.equal]
    for sign, one, other in (*pairs, *((call.function, *call.arguments) for call in calls if len(call.arguments) == 2)):
        left, right = _side(one, atoms), _side(other, atoms)
        if left is not None and right is not None and (left.name or right.name):
            yield Comparison(left, right, sign, rule.pattern.span)


def _as_written(comparison: Comparison, spans: Spans) -> Comparison:
    """Return a comparison in the words of the query, which may leave out the part that an attribute is of."""
    left, right, sign = comparison.left, comparison.right, comparison.sign
    forms = {f"{one} {sign} {other}": (one, other) for one in left.forms for other in right.forms}
    place = found(spans, *forms)
    if place is None:
        names = [side.name for side in (left, right) if side.name]
        return replace(comparison, is_written=not spans or all(found(spans, name) for name in names))
    one, other = forms[place[0]]
    return Comparison(replace(left, text=one), replace(right, text=other), sign, place[1])


def _side(expression: Expr, atoms: dict[str, Atom]) -> Side | None:
    match expression:
        case Field(part, name) if part in atoms and name != TYPE:
            return Side(atoms[part].types, name, text=name if part == EVENT else f"{part}.{name}")
        case Literal(value) if value is not None:
            text = f'"{value}"' if isinstance(value, str) else str(value)
            return Side(constant=kind_of(value), text=text)
        case _:
            return None


def kind_of(value: Value) -> str:
    """Return the kind of a value that is not null, as messages call it; values of two kinds are never equal."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "text" if isinstance(value, str) else "a list" if isinstance(value, tuple) else "a record"
