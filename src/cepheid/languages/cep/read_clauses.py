"""Read the clauses of patterns and chains."""

from collections.abc import Mapping

from lark import Token, v_args
from lark.tree import Meta

from cepheid.algebra.expressions import Expr
from cepheid.algebra.intervals import between, inside
from cepheid.algebra.patterns import Atom
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Axis, Relation
from cepheid.algebra.sequence_chains import AfterMatch
from cepheid.algebra.text.show_patterns import ABSENT, PATTERN
from cepheid.diagnostics import Span
from cepheid.languages.cep.clauses import Clause
from cepheid.languages.cep.keys import Key
from cepheid.languages.cep.lengths import Length
from cepheid.languages.cep.lone_names import LoneName
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.cep.placed import PlacedReader

Entry = tuple[str, Expr, Span]


@v_args(inline=True, meta=True)
class ClauseReader(PlacedReader):
    """The rules of the grammar that make clauses."""

    def within(self, meta: Meta, longest: Length) -> Clause:
        return Clause("within", self.place(meta), window=(self.in_time(longest), Axis.TIME))

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

    def skip_clause(self, meta: Meta, skip: AfterMatch) -> Clause:
        return Clause("skip", self.place(meta), skip=skip)

    def suppress(self, meta: Meta, apart: Length, by: tuple[Expr, ...] | None) -> Clause:
        return Clause("suppress", self.place(meta), apart=self.in_time(apart), by=by or ())

    def skipping(self, meta: Meta, way: Token, part: str | None = None) -> AfterMatch:
        past, to = way.split()
        return AfterMatch("past" if past == "past" else to, part, self.place(meta))

    def on(self, meta: Meta, *keys: Key) -> Clause:
        return Clause("on", self.place(meta), keys=keys)

    def equality(self, meta: Meta, left: Expr, right: Expr | None) -> Key:
        if right is not None:
            return left, right
        if isinstance(left, LoneName):
            return left
        label = "one side of an equality"
        raise mistake("this is no key", self.place(meta), label, "write `on user`, or `on a.user == b.user`")

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
