"""What terms mean in a watchpoint: a name that it binds is a variable, every other one a field of the record.

A condition holds or does not: what is null does not hold, and `not c` holds wherever `c` does not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from cepheid.algebra.expressions import TYPE, Call, Expr, Field, IsBound, Literal, Moment, Variable
from cepheid.algebra.relations import Axis, end
from cepheid.diagnostics import CepheidError, close_match
from cepheid.languages.hbl.kinds import Kind, Kinded, combined
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.term_meaning import check_call
from cepheid.languages.shared.terms import Constant, Member, Name, Operation, Term

RECORD: Final = "record"


@dataclass(frozen=True, slots=True)
class Names:
    """What names stand for: the variables with their kinds, and the part that the record is."""

    variables: Mapping[str, Kind]
    unit: int
    part: str = RECORD

    def at(self, part: str) -> "Names":
        return replace(self, part=part)

    def condition(self, term: Term) -> Expr:
        """Return a condition on the record."""
        return self.kinded(term).value

    def kinded(self, term: Term) -> Kinded:
        """Return the value of a term, and whether it is a time."""
        match term:
            case Constant(value, span):
                has_unit = span.text.rstrip(" )")[-1:].isalpha()
                is_length = isinstance(value, int) and not isinstance(value, bool) and has_unit
                return Kinded(Literal(value), Kind.LENGTH if is_length else Kind.PLAIN)
            case Name(name):
                return self._named(name)
            case Member(part, name):
                return Kinded(self._member(part, name))
            case Operation("not", (operand,)):
                return Kinded(Call("not", (holding(self.kinded(operand).value),)))
            case Operation(function, arguments) if function in _ASKING:
                return self._asked(term, function, arguments)
            case Operation(function, arguments):
                check_call(term)
                return combined(function, [self.kinded(argument) for argument in arguments], self.unit)

    def _named(self, name: str) -> Kinded:
        if name in self.variables:
            return Kinded(Variable(name), self.variables[name])
        return Kinded(Field(self.part, name))

    def _member(self, part: Name, name: str) -> Expr:
        if part.name != RECORD:
            label, hint = "a watchpoint reads one record at a time", f"write `{name}`, or `record.{name}`"
            message = f"`{part.name}` is no record here"
            raise refusal("unknown-part", message, part.span, label, hint)
        return Field(self.part, name)

    def _asked(self, term: Operation, function: str, arguments: tuple[Term, ...]) -> Kinded:
        match function, arguments:
            case "now", ():
                return Kinded(Moment(end(self.part)), Kind.TIME)
            case "index", ():
                return Kinded(Moment(end(self.part, Axis.POSITION)))
            case "type", ():
                return Kinded(Field(self.part, TYPE))
            case "bound", (Name() as name,):
                return Kinded(IsBound(self._variable(name)))
            case "present" | "absent", (Name() | Member() as field,):
                is_null = Call("is_null", (self._field(field),))
                return Kinded(is_null if function == "absent" else Call("not", (is_null,)))
            case _:
                raise _miscalled(term, function)

    def _variable(self, name: Name) -> str:
        if name.name in self.variables:
            return name.name
        raise unknown_variable(name, self.variables)

    def _field(self, field: Name | Member) -> Expr:
        return Field(self.part, field.name) if isinstance(field, Name) else self._member(field.part, field.name)


_ASKING: Final = {
    "now": "now()",
    "index": "index()",
    "type": "type()",
    "bound": "bound(n)",
    "present": "present(pid)",
    "absent": "absent(pid)",
}
"""Functions of the record and of the variables, with how each is written."""


def unknown_variable(name: Name, variables: Mapping[str, Kind]) -> CepheidError:
    """Return the error for a name that nothing in the watchpoint binds."""
    closest = close_match(name.name, variables)
    known = f"the variables are {listed(variables)}" if variables else "no step binds a variable"
    hint = f"did you mean `{closest}`?" if closest else f"bind it in a step: `letting {name.name} = record.{name.name}`"
    return refusal("unknown-variable", f"there is no variable `{name.name}`", name.span, known, hint)


def _miscalled(term: Operation, function: str) -> CepheidError:
    takes = {"bound": "the name of a variable", "present": "the name of a field", "absent": "the name of a field"}
    message = f"`{function}` takes {takes.get(function, 'nothing')}"
    return refusal("argument-count", message, term.span, "called otherwise here", f"write `{_ASKING[function]}`")


def holding(condition: Expr) -> Expr:
    """Return a condition that is false where it is null."""
    match condition:
        case Call("not" | "is_null", _) | IsBound() | Literal(bool()):
            return condition
        case Call("and" | "or" as function, (left, right)):
            return Call(function, (holding(left), holding(right)))
        case _:
            return Call("coalesce", (condition, Literal(False)))
