"""Expressions of a database: total, as expressions are everywhere else.

What overflows, is divided by zero or cannot be cast is null. A database tries no expression that has an aggregate or a
query in it, so there an overflow is an error of the whole statement.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.languages.esql.casting import kind_named
from cepheid.languages.esql.grammars.syntax import Form, Number, Part, Text, Word
from cepheid.languages.esql.selects import AGGREGATES, QUERIES, is_aggregate
from cepheid.languages.shared.findings import head, refusal

__all__ = ["Expressions", "quoted"]

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
    "not_like": "NOT LIKE",
    "distinct_from": "IS DISTINCT FROM",
    "not_distinct_from": "IS NOT DISTINCT FROM",
    "concat": "||",
}
_ARITHMETIC: Final = {"add": "+", "subtract": "-", "multiply": "*"}
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
    "ln": "ln",
    "floor": "floor",
    "ceil": "ceil",
    "ceiling": "ceil",
    "round": "round_even",
    "lower": "lower",
    "upper": "upper",
    "length": "length",
    "coalesce": "coalesce",
    "nullif": "nullif",
    "substr": "substr",
    "substring": "substring",
    "concat": "concat",
    "contains": "contains",
    "starts_with": "starts_with",
    "ends_with": "ends_with",
    "min": "least",
    "max": "greatest",
    "least": "least",
    "greatest": "greatest",
    "pow": "pow",
    "power": "pow",
}
_TYPES: Final = {"integer": "BIGINT", "number": "DOUBLE", "text": "VARCHAR", "truth": "BOOLEAN"}
_DEFINED: Final = {"sqrt": "{} >= 0", "ln": "{} > 0"}
"""Where functions have a value that a database does not try."""


@dataclass(frozen=True, slots=True)
class Expressions:
    """Writes expressions; `query` writes a query that stands inside of one."""

    query: Callable[[Part], str]

    def of(self, part: Part) -> str:
        """Return an expression of the database, in parentheses wherever it has several words."""
        match part:
            case Number(value):
                return f"({value})" if isinstance(value, int) else f"CAST('{value}' AS DOUBLE)"
            case Text(value):
                return "'" + value.replace("'", "''") + "'"
            case Form("attribute", _, (Word(name),)):
                return quoted(name)
            case Form("qualified", _, (Word(source), Word(name))):
                return f"{quoted(source)}.{quoted(name)}"
            case Form("call_all", _, (Word(name),)) if name.upper() == "COUNT":
                return "COUNT(*)"
            case Form("call" | "call_distinct", _, (Word(name), tuple(arguments))):
                return self._call(part, name, arguments, distinct=part.name == "call_distinct")
            case Form("true" | "false" | "unknown"):
                return {"true": "TRUE", "false": "FALSE"}.get(part.name, "NULL")
            case Form(name) if name in _OTHERS:
                return _OTHERS[name](self, *part.parts)
            case Form(name, _, (left, right)) if name in _INFIX:
                return f"({self.of(left)} {_INFIX[name]} {self.of(right)})"
            case Form(name, _, (left, right)) if name in _ARITHMETIC:
                return _tried(part, f"({self.of(left)} {_ARITHMETIC[name]} {self.of(right)})")
            case Form("cast", _, (one, Word(name))):
                return f"TRY_CAST({self.of(one)} AS {_TYPES[kind_named(part, name)]})"
            case _:
                raise _not_in_sql(part)

    def listed(self, part: Part) -> str:
        return ", ".join(map(self.of, part if isinstance(part, tuple) else (part,)))

    def _call(self, form: Form, name: str, arguments: tuple[Part, ...], *, distinct: bool) -> str:
        aggregates = name.upper() in AGGREGATES
        known = name.lower() if aggregates else _FUNCTIONS.get(name.lower())
        if known is None or (len(arguments) != 1 and aggregates):
            raise _not_in_sql(form)
        if known == "round_even" and len(arguments) == 1:
            arguments = (*arguments, Number(0))
        called = f"{known}({'DISTINCT ' if distinct else ''}{self.listed(arguments)})"
        return called if aggregates else self.defined(form, known, called, arguments[0])

    def defined(self, form: Form, name: str, called: str, argument: Part) -> str:
        """Return a call that is null where it has no value."""
        tried = _tried(form, called)
        if tried == called and name in _DEFINED:
            return f"(CASE WHEN {_DEFINED[name].format(self.of(argument))} THEN {called} END)"
        return tried

    def case(self, of: Part | None, items: Part, other: Part | None) -> str:
        assert isinstance(items, tuple)
        whens = []
        for item in items:
            assert isinstance(item, Form)
            condition, value = map(self.of, item.parts)
            whens.append(f"WHEN {condition} THEN {value}")
        begin = "" if of is None else f" {self.of(of)}"
        otherwise = "" if other is None else f" ELSE {self.of(other)}"
        return f"(CASE{begin} {' '.join(whens)}{otherwise} END)"

    def order(self, items: Part) -> str:
        assert isinstance(items, tuple)
        found = [item for item in items if isinstance(item, Form)]
        return ", ".join(self.key(item.parts[0]) + _DIRECTIONS[item.name] for item in found)

    def key(self, part: Part) -> str:
        """Return what rows are grouped or ordered by; a whole number is the place of an item."""
        return str(part.value) if isinstance(part, Number) else self.of(part)


_OTHERS: Final[Mapping[str, Callable[..., str]]] = {
    "not": lambda to, one: f"(NOT {to.of(one)})",
    "is_null": lambda to, one: f"({to.of(one)} IS NULL)",
    "is_not_null": lambda to, one: f"({to.of(one)} IS NOT NULL)",
    "between": lambda to, one, low, high: "({} BETWEEN {} AND {})".format(*map(to.of, (one, low, high))),
    "not_between": lambda to, one, low, high: "({} NOT BETWEEN {} AND {})".format(*map(to.of, (one, low, high))),
    "among": lambda to, one, items: f"({to.of(one)} IN ({to.listed(items)}))",
    "not_among": lambda to, one, items: f"({to.of(one)} NOT IN ({to.listed(items)}))",
    "among_query": lambda to, one, query: f"({to.of(one)} IN ({to.query(query)}))",
    "not_among_query": lambda to, one, query: f"({to.of(one)} NOT IN ({to.query(query)}))",
    "exists": lambda to, query: f"EXISTS ({to.query(query)})",
    "scalar": lambda to, query: f"({to.query(query)})",
    "divide": lambda to, one, two: f"({to.of(one)} / NULLIF({to.of(two)}, 0))",
    "modulo": lambda to, one, two: _tried((one, two), f"({to.of(one)} % NULLIF({to.of(two)}, 0))"),
    "whole": lambda to, one, two: f"floor({to.of(one)} / NULLIF({to.of(two)}, 0))",
    "negative": lambda to, one: _tried(one, f"(-({to.of(one)}))"),
    "root": lambda to, one: to.defined(one, "sqrt", f"sqrt({to.of(one)})", one),
    "power": lambda to, one, two: _tried((one, two), f"pow({to.of(one)}, {to.of(two)})"),
    "absolute": lambda to, one: _tried(one, f"abs({to.of(one)})"),
    "number_of": lambda to, one: f"TRY_CAST({to.of(one)} AS DOUBLE)",
    "trimmed": lambda to, one: f"trim({to.of(one)})",
    "constant_function": lambda to, one: to.of(one),
    "case": lambda to, items: to.case(None, items, None),
    "case_else": lambda to, items, other: to.case(None, items, other),
    "case_of": lambda to, of, items: to.case(of, items, None),
    "case_of_else": lambda to, of, items, other: to.case(of, items, other),
}


def _tried(part: Part, text: str) -> str:
    """Return an expression that is null instead of failing, where a database can try it."""
    return text if is_aggregate(part) or _has_query(part) else f"TRY({text})"


def _has_query(part: Part) -> bool:
    match part:
        case Form(name, _, parts):
            return name in QUERIES or name == "exists" or any(map(_has_query, parts))
        case tuple():
            return any(map(_has_query, part))
        case _:
            return False


def quoted(name: str) -> str:
    """Return a name that is nothing but a name."""
    return '"' + name.replace('"', '""') + '"'


def _not_in_sql(part: Part) -> CepheidError:
    message, hint = "a table has no such function", "use it over a trace: `SELECT value FROM @trades`"
    place = part.span if isinstance(part, Form) else None
    if place is None:
        return CepheidError(Diagnostic("unknown-function", message, hints=(hint,)))
    return refusal("unknown-function", message, head(place), "not known to SQL", hint)
