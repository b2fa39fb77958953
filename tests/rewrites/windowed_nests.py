"""Random nests under a window: joins in joins with a choice each, keys, conditions, absences, branches and runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment
from cepheid.algebra.intervals import between, inside, then
from cepheid.algebra.keyed import key_of_pattern, keyed
from cepheid.algebra.patterns import Atom, Collect, Distinct, Either, Join, Pattern, Repeat, Restrict, Select, Unless
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import end, length, start
from cepheid.algebra.traversal import named_parts
from cepheid.testing.cases import Draw

TYPES: Final = ("A", "B", "C")
SHORTER: Final = Call("-", (Moment(start("$candidate")), Moment(end("$candidate"))))
LONGER: Final = Call("-", (Moment(end("$candidate")), Moment(start("$candidate"))))
CHOICES: Final = tuple(Choice)
MOVING: Final = (Choice.LATEST_START, Choice.RECENT, Choice.NEXT)


def windowed_nest(draw: Draw, types: Sequence[str] = TYPES) -> Pattern:
    """Return a nest under a window, sometimes for each value of a key."""
    made = windowed(draw, _Nests(draw, types).nest(draw.pick([2, 2, 3])))
    return keyed(made, ["key"]) if draw.chance(30) else made


def windowed(draw: Draw, pattern: Pattern) -> Restrict:
    return Restrict(pattern, (length("$pattern", "$pattern", draw.integer(1, 6)),))


@dataclass(frozen=True, slots=True)
class _Nests:
    """Makes nests; most joins of one nest choose in the same way."""

    draw: Draw
    types: Sequence[str]
    names: "count[int]" = field(default_factory=count)
    usual: list[Choice] = field(default_factory=list)

    def nest(self, depth: int) -> Pattern:
        if not self.usual:
            self.usual.append(
                self.draw.weighted({Choice.LATEST_START: 3, Choice.RECENT: 5, Choice.NEXT: 3, Choice.ALL: 1})
            )
        if depth == 0:
            return self._leaf()
        kind = self.draw.weighted(
            {"join": 14, "absence": 2, "chosen": 2, "either": 1, "run": 1, "distinct": 1, "asked": 1}
        )
        match kind:
            case "join":
                return self._join(depth)
            case "absence":
                return self._unless(depth)
            case "chosen":
                return self._chosen(self.nest(depth - 1))
            case "either":
                return self._chosen(Either((self.nest(depth - 1), self._leaf())))
            case "run":
                return self._run(depth)
            case "distinct":
                return Distinct(self.nest(depth - 1))
            case _:
                return self._asked(self.nest(depth - 1))

    def _leaf(self) -> Pattern:
        atom = Atom(self._name(), frozenset(self.draw.some(self.types, 1, 2)))
        return Select(atom, Policy(Choice.LATEST_START)) if self.draw.chance(20) else atom

    def _name(self) -> str:
        return f"n{next(self.names)}"

    def _join(self, depth: int) -> Join:
        below = (self.nest(depth - 1), self.nest(0) if self.draw.chance(60) else self.nest(depth - 1))
        parts = below if self.draw.chance(75) else below[::-1]
        choice = self.usual[0] if self.draw.chance(75) else self.draw.pick(CHOICES)
        tie = self.draw.pick([(), (), (SHORTER,), (LONGER,)]) if choice is Choice.RECENT else ()
        join = Join(parts, self.draw.weighted({then(): 8, (): 3}), policy=Policy(choice, tie=tie))
        if self.draw.chance(15):
            join = replace(join, candidate=self._compared(join))
        if self.draw.chance(15):
            join = replace(join, where=self._compared(join))
        keys = [key for part in parts if (key := key_of_pattern(part, "key")) is not None]
        return replace(join, equal=((keys[0], keys[1]),)) if len(keys) == 2 and self.draw.chance(15) else join

    def _compared(self, pattern: Pattern) -> Expr:
        names = list(named_parts(pattern))
        one, other = self.draw.pick(names), self.draw.pick(names)
        return Call("<=", (Field(one, "value"), Literal(1) if one == other else Field(other, "value")))

    def _chosen(self, pattern: Pattern) -> Select:
        return Select(pattern, Policy(Choice.LATEST_START))

    def _asked(self, pattern: Pattern) -> Restrict:
        return Restrict(pattern, where=self._compared(pattern))

    def _unless(self, depth: int) -> Unless:
        pattern, absent = self.nest(depth - 1), self.nest(self.draw.integer(0, 1))
        relation = self.draw.weighted({inside("$absent", "$pattern"): 3, then("$absent", "$pattern"): 1})
        if isinstance(pattern, Join) and self.draw.chance(40):
            first, last = (list(named_parts(part)) for part in pattern.parts)
            if first and last:
                relation = between("$absent", first[0], last[0])
        return Unless(pattern, absent, relation)

    def _run(self, depth: int) -> Pattern:
        item = self.nest(0) if self.draw.chance(70) else self.nest(depth - 1)
        if self.draw.chance(25):
            return Collect(self._name(), item, self.nest(0), inside("$item", "$anchor"))
        choice = self.draw.pick([Choice.ALL, Choice.NEXT])
        return Repeat(self._name(), item, 1, 3, choice=choice)
