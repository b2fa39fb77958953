"""What variables are before the first record: `initially n = 0, next = n + 1`, one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cepheid.algebra.expressions import Expr, Literal
from cepheid.diagnostics import CepheidError
from cepheid.languages.hbl.kinds import Kind, Kinded, in_ticks
from cepheid.languages.hbl.meaning import Names
from cepheid.languages.hbl.syntax import Setting, Watchpoint
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.terms import Member, Name, Operation, Term


def initial_values(watchpoint: Watchpoint, names: Names) -> dict[str, Expr]:
    """Return what each variable is before the first record; one may be said by those before it."""
    known: dict[str, Kinded] = {}
    for setting in watchpoint.initially:
        name = setting.name.name
        found = _Before(names.variables, names.unit, setting=setting, known=known).kinded(setting.value)
        kind = names.variables[name]
        known[name] = found if kind is Kind.PLAIN else Kinded(in_ticks(found, names.unit).value, kind)
    return {name: one.value for name, one in known.items()}


@dataclass(frozen=True, slots=True)
class _Before(Names):
    """Names before the first record: there are only the variables that were set so far."""

    setting: Setting = field(kw_only=True)
    known: Mapping[str, Kinded] = field(kw_only=True)

    def kinded(self, term: Term) -> Kinded:
        match term:
            case Name(name) if name in self.known:
                return self.known[name]
            case Name(name) if name in self.variables:
                raise self._not_yet(term)
            case Name() | Member():
                raise self._no_record(term)
            case Operation("now" | "index" | "type", ()) | Operation("present" | "absent", (Name() | Member(),)):
                raise self._no_record(term)
            case Operation("bound", (Name(name),)) if name in self.variables:
                return Kinded(Literal(name in self.known))
            case _:
                return Names.kinded(self, term)

    def _not_yet(self, name: Name) -> CepheidError:
        message, label = f"`{name.name}` is not set yet", "variables are set one after the other"
        hint = f"set it before: `initially {name.name} = 0, {self.setting.name.name} = {name.name};`"
        return refusal("unknown-variable", message, name.span, label, hint)

    def _no_record(self, term: Term) -> CepheidError:
        message = f"`{term.span.text}` is read of a record, and `initially` comes before the first one"
        hint = f"set it in a step: `letting {self.setting.name.name} = {term.span.text}`"
        return refusal("unknown-part", message, term.span, "there is no record yet", hint)
