"""What an alert says: values of variables, and of the first and the last record, which steps then note for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from cepheid.algebra.expressions import TYPE, Expr, Field, Moment, Variable
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Axis, end
from cepheid.diagnostics import CepheidError
from cepheid.languages.hbl.kinds import Kind, Kinded, in_units
from cepheid.languages.hbl.meaning import Names, unknown_variable
from cepheid.languages.hbl.syntax import Setting, Watchpoint
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.terms import Member, Name, Operation, Term

FIRST: Final = "first"
LAST: Final = "last"
EVIDENCE: Final = "evidence"
RECORDS: Final = "records"
_INDEX: Final = "index()"


@dataclass(frozen=True, slots=True)
class Told:
    """The values of an alert, what of the first and the last record is noted for it, and whether records count."""

    fields: dict[str, Expr]
    of_first: dict[str, Kinded] = field(default_factory=dict)
    of_last: dict[str, Kinded] = field(default_factory=dict)
    evidence: bool = False
    observed: tuple[str, ...] = ()


def told_of(watchpoint: Watchpoint, names: Names) -> Told:
    """Return what a watchpoint tells; without an alert every variable."""
    if not watchpoint.alerts:
        fields = {name: in_units(Kinded(Variable(name), kind), names.unit) for name, kind in names.variables.items()}
        return Told(fields, observed=tuple(names.variables))
    settings = watchpoint.alerts[0].settings
    values = [one for one in settings if not _asks_for_records(one)]
    _check_unique(values)
    reading = _AlertNames(names.variables, names.unit, noted={FIRST: {}, LAST: {}})
    fields = {one.name.name: in_units(reading.kinded(one.value), names.unit) for one in values}
    observed = tuple(dict.fromkeys(reading.read))
    return Told(fields, reading.noted[FIRST], reading.noted[LAST], len(values) < len(settings), observed)


def _asks_for_records(setting: Setting) -> bool:
    return setting.name.name == EVIDENCE and isinstance(setting.value, Name) and setting.value.name == RECORDS


def _check_unique(settings: list[Setting]) -> None:
    seen: set[str] = set()
    for setting in settings:
        if setting.name.name in seen:
            message, hint = f"an alert says `{setting.name.name}` twice", "leave one of the two out"
            raise refusal("duplicate-field", message, setting.name.span, "again", hint)
        seen.add(setting.name.name)


@dataclass(frozen=True, slots=True)
class _AlertNames(Names):
    """Names in an alert: variables alone stand for themselves, records are `first` and `last`."""

    noted: Mapping[str, dict[str, Kinded]] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    def kinded(self, term: Term) -> Kinded:
        match term:
            case Name() if term.name not in self.variables:
                raise self._no_variable(term)
            case Name(name):
                self.read.append(name)
            case Member(Name(part), name) if part in self.noted:
                return self._noted(part, name, Field("", name))
            case Operation("index", ()):
                return self._noted(LAST, _INDEX, Moment(end("", Axis.POSITION)))
            case Operation("now", ()):
                return Kinded(Moment(end(HULL)), Kind.TIME)
            case Operation("type", ()):
                return self._noted(LAST, TYPE, Field("", TYPE))
            case Operation("bound", (Name(name),)):
                self.read.append(name)
            case _:
                pass
        return Names.kinded(self, term)

    def _noted(self, part: str, name: str, value: Expr) -> Kinded:
        variable = f"{part}.{name}"
        self.noted[part][variable] = Kinded(value)
        self.read.append(variable)
        return Kinded(Variable(variable))

    def _member(self, part: Name, name: str) -> Expr:
        label, hint = "an alert sees the first and the last record", f"write `first.{name}` or `last.{name}`"
        raise refusal("unknown-part", f"`{part.name}` is no record of an alert", part.span, label, hint)

    def _field(self, field: Name | Member) -> Expr:
        if isinstance(field, Name):
            raise self._no_variable(field)
        return self.kinded(field).value

    def _no_variable(self, name: Name) -> CepheidError:
        if name.name == RECORDS:
            message, hint = "`records` is what `evidence` asks for", "write `evidence = records`"
            return refusal("unknown-variable", message, name.span, "no value", hint)
        error = unknown_variable(name, self.variables)
        [told] = error.diagnostics
        hint = f"for a field write `first.{name.name}` or `last.{name.name}`"
        return CepheidError(replace(told, hints=(*told.hints, hint)))
