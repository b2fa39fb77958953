"""Patterns of the algebra as they are written in ETALIS."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, Literal, Lookup, conjuncts
from cepheid.algebra.patterns import Atom, Either, Instant, Join, Pattern, Repeat, Restrict, Unless
from cepheid.events import Duration, format_time
from cepheid.languages.etalis.classes import Variables
from cepheid.languages.etalis.leading_constants import leading_constants
from cepheid.languages.etalis.operators import operator_of
from cepheid.languages.etalis.syntax import Operator
from cepheid.languages.etalis.words import ANONYMOUS, shown_constant, shown_word
from cepheid.languages.shared.term_printing import TermPrinter

Refuse = Callable[[str], Exception]


@dataclass(frozen=True, slots=True)
class PatternPrinter:
    """Writes the pattern and the head of one rule; `attributes` are those of every event.

    `computed` are the attributes that must equal something computed of other events.
    """

    variables: Variables
    attributes: Mapping[str, Sequence[str]]
    refuse: Refuse
    computed: Mapping[Field, Expr] = field(default_factory=dict)

    def shown(self, pattern: Pattern) -> str:
        """Return a pattern as it is written."""
        match pattern:
            case Atom():
                return self._atom(pattern)
            case Instant(_, Call("at", (Literal(int() as time),))):
                return str(Duration(time)) if time >= 0 else format_time(time)
            case Either((left, right)):
                return f"{self._left(left, Operator.OR)} OR {self._operand(right)}"
            case Join():
                return self._join(pattern)
            case Restrict():
                return self._restrict(pattern)
            case Unless(Join((first, last)) as pair, absent):
                _, limits = self._operator(pair)
                written = f"NOT({self.shown(absent)}).[{self.shown(first)}, {self.shown(last)}]"
                return _limited(written, limits)
            case Repeat():
                return self._repeat(pattern)
            case _:
                raise self.refuse(f"a pattern of the kind `{type(pattern).__name__}`")

    def value(self, expression: Expr) -> str:
        """Return an expression as it is written."""
        return self._terms.shown(expression)

    @property
    def _terms(self) -> TermPrinter:
        return TermPrinter(self.refuse, signs={"%": "mod"}, leaf=self._leaf)

    def _leaf(self, expression: Expr, terms: TermPrinter) -> str | None:
        variable = self.variables.name(expression)
        if variable is not None:
            return variable
        match expression:
            case Field(part, name) if part in self.variables.repeats:
                return self._aggregate(self.variables.repeats[part].folds.get(name), terms)
            case Field():
                raise self.refuse("an attribute that no event has")
            case Lookup(table, keys, None):
                return self._lookup(table, [terms.shown(key) for key in keys])
            case _:
                return None

    def _aggregate(self, fold: Expr | None, terms: TermPrinter) -> str:
        if not isinstance(fold, Aggregate):
            raise self.refuse("a value of a repetition that is no aggregate")
        argument = "" if fold.argument is None else terms.shown(fold.argument)
        return f"{fold.function}({argument})"

    def _lookup(self, table: str, keys: Sequence[str]) -> str:
        name, bracket, mode = table.partition("(")
        if not bracket:
            return f"{shown_word(name)}({', '.join(keys)})"
        given = iter(keys)
        cells = [next(given, ANONYMOUS) if sign == "+" else ANONYMOUS for sign in mode.removesuffix(")").split(",")]
        return f"{shown_word(name)}({', '.join(cells)})"

    def _atom(self, atom: Atom) -> str:
        if len(atom.types) != 1:
            raise self.refuse("an event of several types, or of any")
        [kind] = atom.types
        attributes = self.attributes[kind]
        constants, conditions = leading_constants(atom, attributes)
        cells = [self._cell(Field(atom.name, name), constants) for name in attributes]
        written = shown_word(kind) + (f"({', '.join(cells)})" if cells else "")
        return self._where(written, conditions)

    def _cell(self, slot: Field, constants: Mapping[str, object]) -> str:
        if slot in self.computed:
            return self.value(self.computed[slot])
        variable = self.variables.name(slot)
        if slot.name not in constants:
            return variable or ANONYMOUS
        value = constants[slot.name]
        written = shown_constant(value)  # type: ignore[arg-type]  # a value of a literal
        if written is None:
            raise self.refuse(f"the constant `{value}`")
        return written

    def _where(self, written: str, conditions: Sequence[Expr]) -> str:
        if not conditions:
            return written
        return f"{written} WHERE ({', '.join(self.value(condition) for condition in conditions)})"

    def _operator(self, join: Join) -> tuple[Operator, tuple[int, ...]]:
        found = operator_of(join.relation)
        if found is None or len(join.parts) != 2:
            raise self.refuse("a relation that no operator means")
        return found

    def _join(self, join: Join) -> str:
        operator, limits = self._operator(join)
        left, right = join.parts
        written = f"{self._left(left, operator)} {operator.value} {self._operand(right)}"
        return self._where(_limited(written, limits), conjuncts(join.where))

    def _left(self, pattern: Pattern, operator: Operator) -> str:
        """Return a left side, in parentheses unless the same operator goes on."""
        match pattern:
            case Join(where=None):
                own, limits = self._operator(pattern)
                return self.shown(pattern) if own is operator and not limits else self._operand(pattern)
            case _:
                return self._operand(pattern)

    def _operand(self, pattern: Pattern) -> str:
        written = self.shown(pattern)
        alone = isinstance(pattern, Instant | Repeat | Unless) or (
            isinstance(pattern, Atom) and " WHERE " not in written
        )
        return written if alone else f"({written})"

    def _restrict(self, restrict: Restrict) -> str:
        limits = tuple(one.high for one in restrict.relation if one.high is not None)
        written = self.shown(restrict.pattern)
        if isinstance(restrict.pattern, Repeat):
            return _limited(self._where(written, conjuncts(restrict.where)), limits)
        plain = isinstance(restrict.pattern, Unless | Atom) and " WHERE " not in written
        written = written if plain or limits else f"({written})"
        return self._where(_limited(written, limits), conjuncts(restrict.where))

    def _repeat(self, repeat: Repeat) -> str:
        item = self.shown(repeat.item)
        written = f"star({item})" if repeat.most is None else f"ntimes({item}, {repeat.most})"
        return _limited(written, tuple(one.high for one in repeat.window if one.high is not None))


def _limited(written: str, limits: Sequence[int]) -> str:
    for longest in limits:
        written = f"({written}).{Duration(longest)}"
    return written
