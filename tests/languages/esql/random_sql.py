"""Random queries that are SQL as well as eSQL, over random tables with nulls."""

from dataclasses import dataclass
from random import Random
from typing import Any

Row = dict[str, Any]
COLUMNS = {"a": "int", "b": "int", "c": "text", "d": "real", "f": "truth"}


def random_rows(random: Random, number: int) -> list[Row]:
    """Rows with nulls in every column."""
    return [{name: _cell(random, kind) for name, kind in COLUMNS.items()} for _ in range(number)]


def _cell(random: Random, kind: str) -> Any:
    if random.random() < 0.25:
        return None
    choices = {"int": (-3, -1, 0, 1, 2, 7), "text": ("", "a", "ab", "Abc", "x_y"), "real": (-1.5, 0.0, 0.5, 2.0)}
    return random.choice(choices.get(kind, (True, False)))


@dataclass(frozen=True)
class Expressions:
    """Expressions over the columns of sources with these names.

    `asks` lets queries over the table `u` stand in them; those that read a row around them only where it is `whole`.
    """

    random: Random
    sources: tuple[str, ...]
    asks: bool = False
    whole: bool = False

    def of(self, kind: str, depth: int = 2) -> str:
        if depth <= 0 or self.random.random() < 0.3:
            return self._leaf(kind)
        inner = depth - 1
        choices = getattr(self, f"_{kind}")(inner)
        return str(self.random.choice(choices))

    def _leaf(self, kind: str) -> str:
        if self.random.random() < 0.7:
            name = self.random.choice([name for name, one in COLUMNS.items() if one == kind])
            return f"{self.random.choice(self.sources)}.{name}"
        literals = {"int": "2", "text": "'ab'", "real": "0.5", "truth": "TRUE"}
        return literals[kind]

    def _int(self, depth: int) -> list[str]:
        one, two = self.of("int", depth), self.of("int", depth)
        sign = self.random.choice("+-*")
        return [
            f"({one} {sign} {two})",
            f"({one} % 3)",
            f"-({one})",
            f"abs({one})",
            f"coalesce({one}, {two})",
            f"length({self.of('text', depth)})",
            f"CASE WHEN {self.of('truth', depth)} THEN {one} ELSE {two} END",
            f"CASE {one} WHEN 1 THEN {two} WHEN 2 THEN 5 END",
            f"nullif({one}, {two})",
            f"CAST({self.of('truth', depth)} AS INTEGER)",
            *self._scalar("a", "b"),
        ]

    def _scalar(self, *columns: str) -> list[str]:
        if not self.asks:
            return []
        name, outer = self.random.choice(columns), self.random.choice(self.sources)
        where = f"o.b = {outer}.b" if self.whole else "o.b > 0"
        return [f"(SELECT {self.random.choice(('MAX', 'MIN', 'COUNT'))}(o.{name}) FROM u AS o WHERE {where})"]

    def _real(self, depth: int) -> list[str]:
        one, two = self.of("real", depth), self.of("real", depth)
        return [
            f"({one} + {two})",
            f"({one} * {two})",
            f"({self.of('int', depth)} / 2)",
            f"floor({one})",
            f"coalesce({one}, {two})",
        ]

    def _text(self, depth: int) -> list[str]:
        one, two = self.of("text", depth), self.of("text", depth)
        return [
            f"lower({one})",
            f"upper({one})",
            f"({one} || {two})",
            f"({one} || {self.of('int', depth)} || '!')",
            f"substr({one}, 2, 1)",
            f"trim({one} || ' ')",
            f"CAST({self.of('int', depth)} AS VARCHAR)",
            f"coalesce({one}, {two})",
            f"CASE WHEN {self.of('truth', depth)} THEN {one} END",
        ]

    def _truth(self, depth: int) -> list[str]:
        kind = self.random.choice(("int", "text", "real", "int"))
        one, two, three = (self.of(kind, depth) for _ in range(3))
        sign = self.random.choice(("=", "<>", "<", "<=", ">", ">="))
        left, right = self.of("truth", depth), self.of("truth", depth)
        return [
            f"({one} {sign} {two})",
            f"({one} {sign} {two})",
            f"({one} BETWEEN {two} AND {three})",
            f"({one} NOT BETWEEN {two} AND {three})",
            f"({one} IS DISTINCT FROM {two})",
            f"({one} IS NOT DISTINCT FROM {two})",
            f"({one} IN ({two}, {three}))",
            f"({one} NOT IN ({two}, NULL))",
            f"({one} IS NULL)",
            f"({one} IS NOT NULL)",
            f"(NOT {left})",
            f"({left} AND {right})",
            f"({left} OR {right})",
            f"({self.of('text', depth)} LIKE '{self.random.choice(('a%', '%b%', '_', 'x__', '%'))}')",
            f"({self.of('text', depth)} NOT LIKE '{self.random.choice(('a%', '%b%', '_', 'x__', '%'))}')",
            *self._queries(depth),
        ]

    def _queries(self, depth: int) -> list[str]:
        if not self.asks:
            return []
        kind = self.random.choice(("int", "text"))
        name = "a" if kind == "int" else "c"
        inner = Expressions(self.random, ("o", *(self.sources if self.whole else ())))
        query = f"SELECT o.{name} FROM u AS o WHERE {inner.of('truth', 1)}"
        return [
            f"({self.of(kind, depth)} IN ({query}))",
            f"({self.of(kind, depth)} NOT IN ({query}))",
            f"(EXISTS ({query}))",
        ]


def random_select(random: Random, *, whole: bool) -> str:
    """A SELECT; one that is not whole needs no row but the one it looks at, and those of the table `u`."""
    if whole and random.random() < 0.3:
        return _grouped(random)
    if random.random() < 0.2:
        return _together(random, whole=whole)
    froms, sources = _froms(random, whole=whole)
    expressions = Expressions(random, sources, asks=True, whole=whole)
    kinds = [random.choice(list(COLUMNS.values())) for _ in range(random.randrange(1, 4))]
    items = ", ".join(f"{expressions.of(kind)} AS k{place}" for place, kind in enumerate(kinds))
    distinct = "DISTINCT " if random.random() < 0.3 else ""
    where = f" WHERE {expressions.of('truth')}" if random.random() < 0.7 else ""
    order = (
        f" ORDER BY {', '.join(f'k{place}' for place in range(len(kinds)))}" if whole and random.random() < 0.5 else ""
    )
    limit = f" LIMIT {random.randrange(6)}" if order or (not whole and _is_cut(random, froms, distinct)) else ""
    return f"SELECT {distinct}{items} FROM {froms}{where}{order}{limit}"


def _is_cut(random: Random, froms: str, distinct: str) -> bool:
    """Whether there is a LIMIT: rows have an order only where they come one by one."""
    return "JOIN" not in froms and not distinct and random.random() < 0.2


def _together(random: Random, *, whole: bool) -> str:
    """Two or three SELECTs put together; over a stream, of the same one."""
    kinds = [random.choice(("int", "text", "real")) for _ in range(random.randrange(1, 3))]
    operators = ("UNION ALL", "UNION", "EXCEPT", "INTERSECT") if whole else ("UNION ALL", "UNION ALL", "UNION")
    chosen = [random.choice(operators) for _ in range(random.randrange(1, 3))]
    if not whole and len(chosen) > 1:
        chosen[0] = "UNION ALL"
    found = _one(random, kinds, "t")
    for operator in chosen:
        found += f" {operator} {_one(random, kinds, random.choice('tu') if whole else 't')}"
    if whole and random.random() < 0.4:
        found += f" ORDER BY {', '.join(f'k{place}' for place in range(len(kinds)))} LIMIT {random.randrange(1, 6)}"
    if whole and random.random() < 0.3:
        return f"WITH w AS ({found}) SELECT k0 AS k0, COUNT(*) AS k1 FROM w GROUP BY k0"
    return found


def _one(random: Random, kinds: list[str], table: str) -> str:
    expressions = Expressions(random, (table,))
    items = ", ".join(f"{expressions.of(kind, 1)} AS k{place}" for place, kind in enumerate(kinds))
    return f"SELECT {items} FROM {table} WHERE {expressions.of('truth', 1)}"


def _froms(random: Random, *, whole: bool) -> tuple[str, tuple[str, ...]]:
    condition = Expressions(random, ("x", "y"))
    if not whole:
        kind = random.choice(("JOIN", "LEFT JOIN", "INNER JOIN"))
        on = f"ON x.a = y.{random.choice('ab')} AND {condition.of('truth', 1)}"
        inner = f"(SELECT a, b, c, d, f FROM t WHERE {Expressions(random, ('t',)).of('truth', 1)}) AS x"
        return random.choice(
            (
                ("t", ("t",)),
                ("t AS x", ("x",)),
                ("t y", ("y",)),
                (inner, ("x",)),
                (f"t AS x {kind} u AS y {on}", ("x", "y")),
                (f"u AS y JOIN t AS x {on}", ("x", "y")),
                (f"t AS x {kind} u AS y USING (a, {random.choice('bc')})", ("x", "y")),
                ("t AS x CROSS JOIN (SELECT a, b, c, d, f FROM u WHERE u.a > 0) AS y", ("x", "y")),
                (f"t AS x NATURAL {random.choice(('', 'LEFT '))}JOIN u AS y", ("x", "y")),
            )
        )
    kind = random.choice(("JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT OUTER JOIN", "FULL JOIN", "CROSS JOIN", ","))
    on = "" if kind in ("CROSS JOIN", ",") else f" ON x.a = y.{random.choice('ab')}"
    extra = f" AND {condition.of('truth', 1)}" if kind in ("JOIN", "INNER JOIN") and random.random() < 0.5 else ""
    joined = (f"t AS x {kind} u AS y{on}{extra}", ("x", "y"))
    using = (f"t AS x {random.choice(('LEFT', 'RIGHT', 'FULL', 'INNER'))} JOIN u AS y USING (a)", ("x", "y"))
    natural = ("t AS x NATURAL JOIN u AS y", ("x", "y"))
    sub = (f"(SELECT a, b, c, d, f FROM t WHERE {Expressions(random, ('t',)).of('truth', 1)}) AS x", ("x",))
    return random.choice((("t", ("t",)), joined, joined, sub, using, natural))


def _grouped(random: Random) -> str:
    froms, sources = _froms(random, whole=True)
    expressions = Expressions(random, sources)
    key = (
        f"coalesce({expressions.of('text', 1)}, {random.choice(sources)}.c)"
        if random.random() < 0.3
        else f"{sources[0]}.a"
    )
    number = expressions.of("int", 1)
    aggregates = (
        "COUNT(*)",
        f"COUNT({number})",
        f"COUNT(DISTINCT {number})",
        f"SUM({number})",
        f"MIN({number}) + 1",
        f"abs(MAX({number})) * 2",
    )
    told = ", ".join(f"{one} AS k{place}" for place, one in enumerate(random.sample(aggregates, 2), 1))
    where = f" WHERE {expressions.of('truth')}" if random.random() < 0.5 else ""
    if random.random() < 0.2:
        return f"SELECT {told} FROM {froms}{where}"
    having = f" HAVING COUNT(*) > {random.randrange(3)}" if random.random() < 0.4 else ""
    order = " ORDER BY k0" if random.random() < 0.5 else ""
    return f"SELECT {key} AS k0, {told} FROM {froms}{where} GROUP BY {key}{having}{order}"
