"""A SELECT as a statement for a database, which answers what needs all rows at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.printing import show
from cepheid.languages.esql.grammars.syntax import Form, Part, Word
from cepheid.languages.esql.selects import JOINS, QUERIES, SETS, Item, Select, clauses_of, first_select, select_of
from cepheid.languages.esql.sql_expressions import Expressions, quoted

__all__ = ["Statement", "statement_of"]

_JOINS: Final = {
    "join": "JOIN",
    "left_join": "LEFT JOIN",
    "right_join": "RIGHT JOIN",
    "full_join": "FULL JOIN",
    "cross_join": "CROSS JOIN",
    "natural_join": "NATURAL JOIN",
    "natural_left_join": "NATURAL LEFT JOIN",
}
_SETS: Final = {
    "union_all": "UNION ALL",
    "union_distinct": "UNION",
    "except_all": "EXCEPT ALL",
    "except_distinct": "EXCEPT",
    "intersect_all": "INTERSECT ALL",
    "intersect_distinct": "INTERSECT",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A text for the database, what it reads by names of their own, and whether it answers with values, not tuples.

    `attributes` are the names that are said of each leaf alone, which it has even where it has no row. A `strict`
    statement knows no attribute that no table has.
    """

    text: str
    leaves: Mapping[str, Part]
    gives_values: bool
    form: Form = field(repr=False)
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    strict: bool = False


def statement_of(form: Form, grammar: Grammar, *, strict: bool = False) -> Statement:
    """Return the statement of a query; whatever it selects from that is no query is a leaf."""
    writer = _Writer(grammar)
    text = writer.query(form)
    said = {leaf: _said(form, names) for leaf, names in writer.names.items()}
    return Statement(text, writer.leaves, first_select(form).gives_values, form, said, strict)


def _said(part: Part, names: set[str]) -> tuple[str, ...]:
    """Return the attributes of what has one of these names."""
    match part:
        case Form("qualified", _, (Word(source), Word(name))):
            return (name,) if source in names else ()
        case Form(parts=parts):
            return tuple(dict.fromkeys(name for one in parts for name in _said(one, names)))
        case tuple():
            return tuple(dict.fromkeys(name for one in part for name in _said(one, names)))
        case _:
            return ()


@dataclass(slots=True)
class _Writer:
    grammar: Grammar
    leaves: dict[str, Part] = field(default_factory=dict)
    names: dict[str, set[str]] = field(default_factory=dict)

    @property
    def expressions(self) -> Expressions:
        return Expressions(self.query)

    def query(self, part: Part) -> str:
        """Return a query that is no part of an expression or of a FROM; of any other processor, all of it."""
        match part:
            case Form(name, _, (left, Form(operator), right, *clauses)) if name in SETS:
                cut = "".join(f" {one}" for one in self._clauses(clauses_of(clauses)))
                return f"({self.query(left)}) {_SETS[operator]} ({self.query(right)}){cut}"
            case Form(name) if name in QUERIES:
                return self._select(select_of(part))
            case _:
                return f"SELECT * FROM {self._from(part)}"

    def _select(self, select: Select) -> str:
        pieces = [f"SELECT {'DISTINCT ' if select.distinct else ''}{', '.join(map(self._item, select.items))}"]
        if select.froms:
            pieces.append(f"FROM {', '.join(map(self._from, select.froms))}")
        return " ".join([*pieces, *self._clauses(select.clauses)])

    def _clauses(self, clauses: Mapping[str, Form]) -> list[str]:
        return [_CLAUSES[name](self.expressions, clause) for name, clause in clauses.items()]

    def _item(self, item: Item) -> str:
        if item.is_all:
            return "*" if item.of is None else f"{quoted(item.of)}.*"
        name = item.name or show(self.grammar, item.form, "<function>")
        return f"{self.expressions.of(item.form)} AS {quoted(name)}"

    def _from(self, part: Part) -> str:
        match part:
            case Form(name, _, (left, right, tuple(names))) if name in JOINS:
                using = ", ".join(quoted(one.text) for one in names if isinstance(one, Word))
                return f"{self._from(left)} {_JOINS[name.removesuffix('_using')]} {self._from(right)} USING ({using})"
            case Form(name, _, (left, right)) if name in JOINS:
                return f"{self._from(left)} {_JOINS[name]} {self._from(right)}"
            case Form(name, _, (left, right, condition)) if name in JOINS:
                on = self.expressions.of(condition)
                return f"{self._from(left)} {_JOINS[name]} {self._from(right)} ON {on}"
            case Form("as" | "as_table", _, (form, Word(name))):
                return f"{self._source(form, name)} AS {quoted(name)}"
            case Form("table" | "input", _, (Word(name),)):
                return f"{self._source(part, name)} AS {quoted(name)}"
            case _:
                return self._source(part, None)

    def _source(self, part: Part, name: str | None) -> str:
        match part:
            case Form(form) if form in QUERIES:
                return f"({self.query(part)})"
            case Form("where", _, (source, condition)):
                return f"(SELECT * FROM {self._from(source)} WHERE {self.expressions.of(condition)})"
            case Word(table):
                return self._leaf(Form("table", "<processor>", (Word(table),)), name)
            case _:
                return self._leaf(part, name)

    def _leaf(self, part: Part, name: str | None) -> str:
        leaf = next((leaf for leaf, known in self.leaves.items() if known == part), f"leaf {len(self.leaves)}")
        self.leaves[leaf] = part
        self.names.setdefault(leaf, set()).update(() if name is None else (name,))
        return quoted(leaf)


_CLAUSES: Final[Mapping[str, Callable[[Expressions, Form], str]]] = {
    "where_clause": lambda to, clause: f"WHERE {to.of(clause.parts[0])}",
    "group_by": lambda to, clause: f"GROUP BY {', '.join(map(to.key, _parts(clause.parts[0])))}",
    "having": lambda to, clause: f"HAVING {to.of(clause.parts[0])}",
    "order_by": lambda to, clause: f"ORDER BY {to.order(clause.parts[0])}",
    "limit": lambda to, clause: f"LIMIT {to.of(clause.parts[0])}",
    "offset": lambda to, clause: f"OFFSET {to.of(clause.parts[0])}",
}


def _parts(part: Part) -> tuple[Part, ...]:
    return part if isinstance(part, tuple) else (part,)
