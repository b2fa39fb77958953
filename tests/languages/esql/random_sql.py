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
    """Expressions over the columns of sources with these names."""

    random: Random
    sources: tuple[str, ...]

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
        ]

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
            f"({one} IN ({two}, {three}))",
            f"({one} NOT IN ({two}, NULL))",
            f"({one} IS NULL)",
            f"({one} IS NOT NULL)",
            f"(NOT {left})",
            f"({left} AND {right})",
            f"({left} OR {right})",
            f"({self.of('text', depth)} LIKE '{self.random.choice(('a%', '%b%', '_', 'x__', '%'))}')",
        ]


def random_select(random: Random, *, whole: bool) -> str:
    """A SELECT; one that is not whole needs no row but the one it looks at."""
    if whole and random.random() < 0.4:
        return _grouped(random)
    froms, sources = _froms(random, whole=whole)
    expressions = Expressions(random, sources)
    kinds = [random.choice(list(COLUMNS.values())) for _ in range(random.randrange(1, 4))]
    items = ", ".join(f"{expressions.of(kind)} AS k{place}" for place, kind in enumerate(kinds))
    distinct = "DISTINCT " if random.random() < 0.3 else ""
    where = f" WHERE {expressions.of('truth')}" if random.random() < 0.7 else ""
    order = (
        f" ORDER BY {', '.join(f'k{place}' for place in range(len(kinds)))}" if whole and random.random() < 0.5 else ""
    )
    limit = f" LIMIT {random.randrange(6)}" if order or (not whole and not distinct and random.random() < 0.2) else ""
    return f"SELECT {distinct}{items} FROM {froms}{where}{order}{limit}"


def _froms(random: Random, *, whole: bool) -> tuple[str, tuple[str, ...]]:
    if not whole:
        return random.choice((("t", ("t",)), ("t AS x", ("x",)), ("t y", ("y",))))
    condition = Expressions(random, ("x", "y"))
    kind = random.choice(("JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT OUTER JOIN", "FULL JOIN", "CROSS JOIN", ","))
    on = "" if kind in ("CROSS JOIN", ",") else f" ON x.a = y.{random.choice('ab')}"
    extra = f" AND {condition.of('truth', 1)}" if kind in ("JOIN", "INNER JOIN") and random.random() < 0.5 else ""
    joined = (f"t AS x {kind} u AS y{on}{extra}", ("x", "y"))
    sub = (f"(SELECT a, b, c, d, f FROM t WHERE {Expressions(random, ('t',)).of('truth', 1)}) AS x", ("x",))
    return random.choice((("t", ("t",)), joined, joined, sub))


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
        f"MIN({number})",
        f"MAX({number})",
    )
    told = ", ".join(f"{one} AS k{place}" for place, one in enumerate(random.sample(aggregates, 2), 1))
    where = f" WHERE {expressions.of('truth')}" if random.random() < 0.5 else ""
    if random.random() < 0.2:
        return f"SELECT {told} FROM {froms}{where}"
    having = f" HAVING COUNT(*) > {random.randrange(3)}" if random.random() < 0.4 else ""
    order = " ORDER BY k0" if random.random() < 0.5 else ""
    return f"SELECT {key} AS k0, {told} FROM {froms}{where} GROUP BY {key}{having}{order}"
