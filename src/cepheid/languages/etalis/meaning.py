"""What terms mean: expressions of the algebra, once it is known what their variables stand for."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Lookup, Variable
from cepheid.algebra.functions import function_named, function_names
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.programs import Table
from cepheid.diagnostics import CepheidError, close_match
from cepheid.languages.etalis.walking import variables
from cepheid.languages.etalis.words import ANONYMOUS
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.term_meaning import check_call
from cepheid.languages.shared.terms import Constant, Name, Operation, Term

AGGREGATES: Final = frozenset(["count", "sum", "avg", "min", "max", "first", "last"])

Total = tuple[str, Expr | None]
"""An aggregate: its function, and what it is of, over variables as they are written."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An argument of an event that is computed, as in `b(X + 1)`: the attribute must equal the term."""

    attribute: Field
    term: Term


class Loose(Enum):
    """Why a variable that occurs in a pattern has no value outside: what is said about it, and a way out."""

    IN_ONE_ALTERNATIVE = ("is bound in one alternative only", "bind `{name}` in every alternative, or leave it out")
    ABSENT_ONLY = ("occurs only in something that is absent", "bind `{name}` in something that is there: `a({name})`")
    VARIES = ("differs from item to item", "take them together: `max({name})`")

    @property
    def said(self) -> str:
        return self.value[0]

    def way_out(self, name: str) -> str:
        return self.value[1].format(name=name)


@dataclass(frozen=True, slots=True)
class Lowered:
    """A pattern and what can be read of its matches.

    `bound` says what variables stand for, `totals` what aggregates stand for; `loose` are the variables that occur in
    it and have no value outside, each with the reason. `asked` are arguments that are computed of variables which are
    bound elsewhere.
    """

    pattern: Pattern
    bound: Mapping[str, Expr] = field(default_factory=dict)
    loose: Mapping[str, Loose] = field(default_factory=dict)
    totals: Mapping[Total, Expr] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()

    def of(self, pattern: Pattern) -> "Lowered":
        """Return the same with another pattern."""
        return replace(self, pattern=pattern)


@dataclass(slots=True)
class Knowledge:
    """Background knowledge, and the ways in which it is looked up."""

    tables: dict[str, Table]

    def looked_up(self, call: Operation, keys: tuple[Expr | None, ...]) -> Lookup:
        """Return whether there is a row with these cells; None is any cell."""
        table = self.tables[call.function]
        if None not in keys:
            return Lookup(call.function, tuple(key for key in keys if key is not None))
        name = f"{call.function}({','.join('_' if key is None else '+' for key in keys)})"
        places = sorted(range(len(keys)), key=lambda place: keys[place] is None)
        columns = tuple(table.columns[place] for place in places)
        given = tuple(key for key in keys if key is not None)
        rows = tuple(dict.fromkeys(tuple(row[place] for place in places) for row in table.rows))
        self.tables[name] = Table(columns, rows, len(given))
        return Lookup(name, given)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Makes expressions of terms that are read of a match; `code` and `what` are for variables without a value."""

    lowered: Lowered
    knowledge: Knowledge
    background: frozenset[str]
    code: str = "unsafe-condition"
    what: str = "its pattern"

    def of(self, term: Term) -> Expr:
        """Return the expression that a term is."""
        match term:
            case Constant(value):
                return Literal(value)
            case Name():
                return self._variable(term)
            case Operation(function, arguments) if function in self.background:
                return self.knowledge.looked_up(term, tuple(map(self._key, arguments)))
            case Operation() if is_aggregate(term):
                return self._total(term)
            case Operation(function, arguments):
                self._check_call(term)
                return Call(function, tuple(map(self.of, arguments)))
            case _:
                raise AssertionError(f"not a term of this language: {term!r}")

    def _check_call(self, call: Operation) -> None:
        if function_named(call.function) is None:
            closest = close_match(call.function, [*self.background, *function_names()])
            told = f"{call.function}({', '.join('abcdefgh'[: len(call.arguments)])})"
            hint = f"did you mean `{closest}`?" if closest else f"state facts of it: `{told}.`"
            message, label = f"there is no fact and no function `{call.function}`", "not known"
            raise refusal("unknown-function", message, call.place, label, hint)
        check_call(call)

    def _key(self, term: Term) -> Expr | None:
        return None if isinstance(term, Name) and term.name == ANONYMOUS else self.of(term)

    def _variable(self, name: Name) -> Expr:
        if name.name in self.lowered.bound:
            return self.lowered.bound[name.name]
        raise self._unbound(name)

    def _unbound(self, name: Name) -> CepheidError:
        known = list(self.lowered.bound)
        if name.name == ANONYMOUS:
            message, hint = "`_` stands for anything, so it has no value", "give it a name, there and here: `X`"
            return refusal(self.code, message, name.span, "no value", hint)
        if name.name in self.lowered.loose:
            reason = self.lowered.loose[name.name]
            return refusal(self.code, f"`{name.name}` {reason.said}", name.span, "no value", reason.way_out(name.name))
        message = f"`{name.name}` is not bound by {self.what}"
        closest = close_match(name.name, known)
        hint = f"did you mean `{closest}`?" if closest else f"bound are {listed(known)}"
        if not known:
            hint = f"put it among the arguments of an event: `a({name.name})`"
        return refusal(self.code, message, name.span, "no value", hint)

    def _total(self, call: Operation) -> Expr:
        key = total_of(call)
        if key in self.lowered.totals:
            return self.lowered.totals[key]
        message = f"`{call.function}` is over the items of a repetition, and there is none here"
        if call.arguments and any(variables(call.arguments[0])):
            message += f" with {listed(dict.fromkeys(name.name for name in variables(call.arguments[0])))}"
        hint = f"repeat an event: `ntimes(a(X), 3) WHERE ({call.function}(X) > 5)`"
        raise refusal("aggregate-outside-folds", message, call.span, "nothing is repeated", hint)


def is_aggregate(term: Term) -> bool:
    """Is this an aggregate over the items of a repetition? With several arguments it is a function of those."""
    if not isinstance(term, Operation) or term.function not in AGGREGATES:
        return False
    return len(term.arguments) == 1 or (term.function == "count" and not term.arguments)


def total_of(call: Operation) -> Total:
    """Return what an aggregate is known by."""
    return call.function, symbolic(call.arguments[0]) if call.arguments else None


def symbolic(term: Term) -> Expr:
    """Return a term as an expression whose variables are what they are called."""
    match term:
        case Constant(value):
            return Literal(value)
        case Name(name):
            return Variable(name)
        case Operation(function, arguments):
            return Call(function, tuple(map(symbolic, arguments)))
        case _:
            raise AssertionError(f"not a term of this language: {term!r}")
