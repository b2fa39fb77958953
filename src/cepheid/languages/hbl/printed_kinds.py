"""Which values of a chain are times, found in its expressions, so that they are written as they would be read."""

from collections.abc import Iterator, Mapping
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal, Moment, Variable
from cepheid.algebra.patterns import Atom, Chain
from cepheid.algebra.relations import Axis
from cepheid.languages.hbl.kinds import COMPARING, JOINING, Kind

Kinds = dict[str, Kind]

LEVELLING: Final = JOINING | {"+", "-", "%"}


def kinds_of(chain: Chain) -> Kinds:
    """Return what each variable of a chain is: a time if it is set to one, a length if it stands beside one."""
    kinds: Kinds = {}
    while True:
        grown = dict(kinds)
        for name, value in settings(chain):
            grown[name] = max(grown.get(name, Kind.PLAIN), kind_of(value, kinds))
        for expression in _expressions(chain):
            _note_lengths(expression, grown)
        if grown == kinds:
            return kinds
        kinds = grown


def settings(chain: Chain) -> Iterator[tuple[str, Expr]]:
    """Yield all that a chain sets its variables to."""
    yield from chain.initially.items()
    for step in chain.steps.values():
        yield from step.lets.items()


def kind_of(expression: Expr, kinds: Mapping[str, Kind]) -> Kind:
    """Return what the value of an expression is, as far as that can be told from itself."""
    match expression:
        case Moment(endpoint):
            return Kind.TIME if endpoint.axis is Axis.TIME else Kind.PLAIN
        case Variable(name):
            return kinds.get(name, Kind.PLAIN)
        case Call("if", (_, one, two)):
            return max(kind_of(one, kinds), kind_of(two, kinds))
        case Call("-", (left, right)) if kind_of(left, kinds) is kind_of(right, kinds) is Kind.TIME:
            return Kind.LENGTH
        case Call("%", operands) if beside_time(operands, kinds):
            return Kind.LENGTH
        case Call("*" | "/" as sign, (left, right)):
            return _product(sign, kind_of(left, kinds), kind_of(right, kinds))
        case Call(function, operands) if function in LEVELLING:
            return max((kind_of(one, kinds) for one in operands), default=Kind.PLAIN)
        case _:
            return Kind.PLAIN


def beside_time(operands: tuple[Expr, ...], kinds: Mapping[str, Kind]) -> bool:
    """Say whether one of some operands is a time or a length, so that all of them are in ticks."""
    return any(kind_of(one, kinds) is not Kind.PLAIN for one in operands)


def _product(sign: str, left: Kind, right: Kind) -> Kind:
    lengths = [left, right].count(Kind.LENGTH)
    is_length = lengths == 1 and (left is Kind.LENGTH or sign == "*") and Kind.TIME not in (left, right)
    return Kind.LENGTH if is_length else Kind.PLAIN


def _note_lengths(expression: Expr, kinds: Kinds) -> None:
    """Note the variables that stand beside a time: a plain number would be counted in units there."""
    if not isinstance(expression, Call):
        return
    operands = expression.arguments[1:] if expression.function == "if" else expression.arguments
    levels = expression.function in LEVELLING | COMPARING | {"if"}
    if levels and beside_time(operands, kinds):
        for one in operands:
            if isinstance(one, Variable):
                kinds[one.name] = max(kinds.get(one.name, Kind.PLAIN), Kind.LENGTH)
    for one in expression.arguments:
        _note_lengths(one, kinds)


def _expressions(chain: Chain) -> Iterator[Expr]:
    yield from (value for _, value in settings(chain))
    atoms: list[Atom | None] = []
    for step in chain.steps.values():
        atoms += [step.lead, step.avoid]
    yield from (atom.where for atom in atoms if atom is not None and atom.where is not None)


def is_number(expression: Expr) -> bool:
    """Say whether an expression is a whole number as it stands."""
    return (
        isinstance(expression, Literal) and isinstance(expression.value, int) and not isinstance(expression.value, bool)
    )
