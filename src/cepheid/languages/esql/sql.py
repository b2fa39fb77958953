"""A SELECT as a statement for a database, which answers what needs all rows at once.

Expressions are total, as everywhere else: what overflows or is divided by zero is null.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.printing import show
from cepheid.languages.esql.grammars.syntax import Form, Number, Part, Text, Word
from cepheid.languages.esql.selects import AGGREGATES, JOINS, Item, Select, select_of
from cepheid.languages.shared.findings import head, refusal

__all__ = ["Statement", "statement_of"]

_INFIX: Final = {
    "or": "OR",
    "and": "AND",
    "equal": "=",
    "unequal": "<>",
    "less": "<",
    "at_most": "<=",
    "greater": ">",
    "at_least": ">=",
    "like": "LIKE",
}
_ARITHMETIC: Final = {"add": "+", "subtract": "-", "multiply": "*"}
_JOINS: Final = {"join": "JOIN", "left_join": "LEFT JOIN", "right_join": "RIGHT JOIN", "full_join": "FULL JOIN"}
_DIRECTIONS: Final = {
    "ascending": "",
    "descending": " DESC",
    "ascending_nulls_first": " NULLS FIRST",
    "ascending_nulls_last": " NULLS LAST",
    "descending_nulls_first": " DESC NULLS FIRST",
    "descending_nulls_last": " DESC NULLS LAST",
}
_FUNCTIONS: Final[Mapping[str, str]] = {
    "abs": "abs",
    "sqrt": "sqrt",
    "exp": "exp",
    "log": "ln",
    "floor": "floor",
    "ceil": "ceil",
    "round": "round_even",
    "lower": "lower",
    "upper": "upper",
    "length": "length",
    "coalesce": "coalesce",
    "contains": "contains",
    "starts_with": "starts_with",
    "ends_with": "ends_with",
    "min": "least",
    "max": "greatest",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A text for the database, what it reads by names of their own, and whether it answers with values, not tuples."""

    text: str
    leaves: Mapping[str, Part]
    gives_values: bool
    form: Form = field(repr=False)


def statement_of(form: Form, grammar: Grammar) -> Statement:
    """Return the statement of a SELECT; whatever it selects from that is no SELECT is a leaf."""
    writer = _Writer(grammar)
    text = writer.select(select_of(form))
    return Statement(text, writer.leaves, select_of(form).gives_values, form)


@dataclass(slots=True)
class _Writer:
    grammar: Grammar
    leaves: dict[str, Part] = field(default_factory=dict)

    def select(self, select: Select) -> str:
        items = ", ".join(map(self._item, select.items))
        froms = ", ".join(map(self._from, select.froms))
        pieces = [f"SELECT {'DISTINCT ' if select.distinct else ''}{items} FROM {froms}"]
        for name, clause in select.clauses.items():
            pieces.append(_CLAUSES[name](self, clause))
        return " ".join(pieces)

    def _item(self, item: Item) -> str:
        if item.is_all:
            return "*" if item.of is None else f"{_name(item.of)}.*"
        name = item.name or show(self.grammar, item.form, "<function>")
        return f"{self.expression(item.form)} AS {_name(name)}"

    def _from(self, part: Part) -> str:
        match part:
            case Form("join_using", _, (left, right, names)):
                assert isinstance(names, tuple)
                using = ", ".join(_name(name.text) for name in names if isinstance(name, Word))
                return f"{self._from(left)} JOIN {self._from(right)} USING ({using})"
            case Form("cross_join", _, (left, right)):
                return f"{self._from(left)} CROSS JOIN {self._from(right)}"
            case Form(name, _, (left, right, condition)) if name in JOINS:
                return f"{self._from(left)} {_JOINS[name]} {self._from(right)} ON {self.expression(condition)}"
            case Form("as" | "as_table", _, (form, Word(name))):
                return f"{self._source(form)} AS {_name(name)}"
            case Form("table" | "input", _, (Word(name),)):
                return f"{self._source(part)} AS {_name(name)}"
            case _:
                return self._source(part)

    def _source(self, part: Part) -> str:
        match part:
            case Form("select" | "select_with"):
                return f"({self.select(select_of(part))})"
            case Form("where", _, (source, condition)):
                return f"(SELECT * FROM {self._from(source)} WHERE {self.expression(condition)})"
            case Word(name):
                return self._leaf(Form("table", "<processor>", (Word(name),)))
            case _:
                return self._leaf(part)

    def _leaf(self, part: Part) -> str:
        name = next((name for name, leaf in self.leaves.items() if leaf == part), f"leaf {len(self.leaves)}")
        self.leaves[name] = part
        return _name(name)

    def expression(self, part: Part) -> str:
        """Return an expression of the database, in parentheses wherever it has several words."""
        match part:
            case Number(value):
                return f"({value})" if isinstance(value, int) else f"CAST('{value}' AS DOUBLE)"
            case Text(value):
                return _text(value)
            case Form("attribute", _, (Word(name),)):
                return _name(name)
            case Form("qualified", _, (Word(source), Word(name))):
                return f"{_name(source)}.{_name(name)}"
            case Form("call_all", _, (Word(name),)) if name.upper() == "COUNT":
                return "COUNT(*)"
            case Form("call" | "call_distinct", _, (Word(name), tuple(arguments))):
                return self._call(part, name, arguments, distinct=part.name == "call_distinct")
            case Form("true" | "false" | "unknown"):
                return {"true": "TRUE", "false": "FALSE"}.get(part.name, "NULL")
            case Form(name) if name in _OTHERS:
                return _OTHERS[name](self, *part.parts)
            case Form(name, _, (left, right)) if name in _INFIX:
                return f"({self.expression(left)} {_INFIX[name]} {self.expression(right)})"
            case Form(name, _, (left, right)) if name in _ARITHMETIC:
                return f"TRY({self.expression(left)} {_ARITHMETIC[name]} {self.expression(right)})"
            case _:
                raise _not_in_sql(part)

    def _call(self, form: Form, name: str, arguments: tuple[Part, ...], *, distinct: bool) -> str:
        known = name.lower() if name.upper() in AGGREGATES else _FUNCTIONS.get(name.lower())
        if known is None or (len(arguments) != 1 and name.upper() in AGGREGATES):
            raise _not_in_sql(form)
        listed = ", ".join(map(self.expression, arguments))
        called = f"{known}({'DISTINCT ' if distinct else ''}{listed}{', 0' if known == 'round_even' else ''})"
        return called if name.upper() in AGGREGATES else f"TRY({called})"

    def case(self, items: Part, other: Part | None) -> str:
        assert isinstance(items, tuple)
        whens = []
        for item in items:
            assert isinstance(item, Form)
            condition, value = map(self.expression, item.parts)
            whens.append(f"WHEN {condition} THEN {value}")
        otherwise = "" if other is None else f" ELSE {self.expression(other)}"
        return f"(CASE {' '.join(whens)}{otherwise} END)"

    def among(self, item: Part, collection: Part) -> str:
        assert isinstance(collection, tuple)
        return f"({self.expression(item)} IN ({', '.join(map(self.expression, collection))}))"

    def order(self, items: Part) -> str:
        assert isinstance(items, tuple)
        found = [item for item in items if isinstance(item, Form)]
        return ", ".join(self.key(item.parts[0]) + _DIRECTIONS[item.name] for item in found)

    def key(self, part: Part) -> str:
        """Return what rows are grouped or ordered by; a whole number is the place of an item."""
        return str(part.value) if isinstance(part, Number) else self.expression(part)


_CLAUSES: Final[Mapping[str, Callable[[_Writer, Form], str]]] = {
    "where_clause": lambda to, clause: f"WHERE {to.expression(clause.parts[0])}",
    "group_by": lambda to, clause: f"GROUP BY {', '.join(map(to.key, _parts(clause.parts[0])))}",
    "having": lambda to, clause: f"HAVING {to.expression(clause.parts[0])}",
    "order_by": lambda to, clause: f"ORDER BY {to.order(clause.parts[0])}",
    "limit": lambda to, clause: f"LIMIT {to.expression(clause.parts[0])}",
    "offset": lambda to, clause: f"OFFSET {to.expression(clause.parts[0])}",
}

_OTHERS: Final[Mapping[str, Callable[..., str]]] = {
    "not": lambda to, one: f"(NOT {to.expression(one)})",
    "is_null": lambda to, one: f"({to.expression(one)} IS NULL)",
    "is_not_null": lambda to, one: f"({to.expression(one)} IS NOT NULL)",
    "between": lambda to, one, low, high: "({} BETWEEN {} AND {})".format(*map(to.expression, (one, low, high))),
    "among": lambda to, one, items: to.among(one, items),
    "not_among": lambda to, one, items: f"(NOT {to.among(one, items)})",
    "divide": lambda to, one, two: f"({to.expression(one)} / NULLIF({to.expression(two)}, 0))",
    "modulo": lambda to, one, two: f"TRY({to.expression(one)} % NULLIF({to.expression(two)}, 0))",
    "whole": lambda to, one, two: f"floor({to.expression(one)} / NULLIF({to.expression(two)}, 0))",
    "negative": lambda to, one: f"TRY(-({to.expression(one)}))",
    "root": lambda to, one: f"TRY(sqrt({to.expression(one)}))",
    "power": lambda to, one, two: f"TRY(pow({to.expression(one)}, {to.expression(two)}))",
    "absolute": lambda to, one: f"TRY(abs({to.expression(one)}))",
    "number_of": lambda to, one: f"TRY_CAST({to.expression(one)} AS DOUBLE)",
    "constant_function": lambda to, one: to.expression(one),
    "case": lambda to, items: to.case(items, None),
    "case_else": lambda to, items, other: to.case(items, other),
}


def _parts(part: Part) -> tuple[Part, ...]:
    return part if isinstance(part, tuple) else (part,)


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _not_in_sql(part: Part) -> CepheidError:
    message, hint = "a table has no such function", "use it over a trace: `SELECT ... FROM @trades`"
    place = part.span if isinstance(part, Form) else None
    if place is None:
        return CepheidError(Diagnostic("unknown-function", message, hints=(hint,)))
    return refusal("unknown-function", message, head(place), "not known to SQL", hint)
