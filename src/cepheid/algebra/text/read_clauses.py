"""Read the clauses of patterns and chains."""

from collections.abc import Mapping

from lark import Token, v_args
from lark.tree import Meta

from cepheid.algebra.expressions import Expr
from cepheid.algebra.intervals import between, inside
from cepheid.algebra.patterns import Atom
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Axis, Relation, Ticks
from cepheid.algebra.text.clauses import Clause
from cepheid.algebra.text.mistakes import mistake
from cepheid.algebra.text.placed import PlacedReader
from cepheid.algebra.text.show_patterns import ABSENT, PATTERN
from cepheid.diagnostics import Span

Entry = tuple[str, Expr, Span]


@v_args(inline=True, meta=True)
class ClauseReader(PlacedReader):
    """The rules of the grammar that make clauses."""

    def within(self, meta: Meta, longest: Ticks) -> Clause:
        return Clause("within", self.place(meta), window=(longest, Axis.TIME))

    def within_records(self, meta: Meta, count: Token) -> Clause:
        return Clause("within", self.place(meta), window=(self.number_of(count) - 1, Axis.POSITION))

    def relation_clause(self, meta: Meta, relation: Relation) -> Clause:
        return Clause("relation", self.place(meta), relation=relation)

    def window(self, meta: Meta, relation: Relation) -> Clause:
        return Clause("window", self.place(meta), relation=relation)

    def gap(self, meta: Meta, relation: Relation) -> Clause:
        return Clause("gap", self.place(meta), relation=relation)

    def inside(self, meta: Meta) -> Clause:
        return Clause("inside", self.place(meta), relation=inside(ABSENT, PATTERN))

    def between(self, meta: Meta, left: str, right: str) -> Clause:
        return Clause("between", self.place(meta), relation=between(ABSENT, left, right))

    def on(self, meta: Meta, *equal: tuple[Expr, Expr]) -> Clause:
        return Clause("on", self.place(meta), equal=equal)

    @v_args(inline=True)
    def equality(self, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        return left, right

    def candidate(self, meta: Meta, condition: Expr) -> Clause:
        return Clause("if", self.place(meta), expression=condition)

    def link(self, meta: Meta, condition: Expr) -> Clause:
        return Clause("link", self.place(meta), expression=condition)

    def where(self, meta: Meta, condition: Expr) -> Clause:
        return Clause("where", self.place(meta), expression=condition)

    def choose(self, meta: Meta, policy: Policy) -> Clause:
        return Clause("choose", self.place(meta), policy=policy)

    @v_args(inline=True)
    def policy(self, choice: Choice, per: tuple[Expr, ...] | None, tie: tuple[Expr, ...] | None) -> Policy:
        return Policy(choice, per or (), tie or ())

    @v_args(inline=True)
    def choice(self, token: Token) -> Choice:
        return Choice(str(token))

    def folds(self, meta: Meta, entries: Mapping[str, Expr]) -> Clause:
        return Clause("with", self.place(meta), entries=entries)

    def let(self, meta: Meta, entries: Mapping[str, Expr]) -> Clause:
        return Clause("let", self.place(meta), entries=entries)

    def merged(self, meta: Meta) -> Clause:
        return Clause("merged", self.place(meta))

    def observing(self, meta: Meta, names: tuple[str, ...]) -> Clause:
        return Clause("observing", self.place(meta), names=names)

    def avoid(self, meta: Meta, atom: Atom) -> Clause:
        return Clause("avoid", self.place(meta), atom=atom)

    def follow(self, meta: Meta, *names: str) -> Clause:
        return Clause("then", self.place(meta), names=names)

    @v_args(inline=True)
    def entries(self, *entries: Entry) -> Mapping[str, Expr]:
        named: dict[str, Expr] = {}
        for name, expression, span in entries:
            if name in named:
                raise mistake(f"`{name}` is given twice", span, "this is the second one")
            named[name] = expression
        return named

    def entry(self, meta: Meta, name: str, expression: Expr) -> Entry:
        return name, expression, self.place(meta)
