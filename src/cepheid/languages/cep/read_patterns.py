"""Read patterns: parts with what stands between them, then clauses."""

from collections.abc import Mapping, Sequence

from lark import Token, v_args
from lark.tree import Meta

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Skip,
    Step,
    Suppress,
    Unless,
)
from cepheid.algebra.policies import ALL, Choice, Policy
from cepheid.algebra.sequence_chains import AfterMatch, past_last, sequence, to_next
from cepheid.algebra.sequences import SequenceStep, Taken, Untaken
from cepheid.algebra.text.show_patterns import RESTRICTED, RUN, join_window, neighbours
from cepheid.diagnostics import Span
from cepheid.languages.cep.clauses import Clause, Clauses
from cepheid.languages.cep.lone_names import of_part
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.cep.read_lengths import LengthReader
from cepheid.languages.cep.read_relations import interval_named
from cepheid.languages.cep.sequences import in_own_words

Times = tuple[int, int | None]
Steps = tuple[SequenceStep, ...]
NamedStep = tuple[str, Step, Span]


@v_args(inline=True, meta=True)
class PatternReader(LengthReader):
    """The rules of the grammar that make patterns."""

    def atom(self, meta: Meta, name: str, types: frozenset[str] | None, where: Expr | None) -> Pattern:
        named = frozenset({name}) if types is None else types
        return Atom(name, named, of_part(where, name), span=self.place(meta))

    @v_args(inline=True)
    def types(self, *names: str) -> frozenset[str]:
        return frozenset(names)

    def instant(self, meta: Meta, name: str, schedule: Expr) -> Pattern:
        return Instant(name, self.scheduled(schedule), span=self.place(meta))

    def distinct(self, meta: Meta, pattern: Pattern) -> Pattern:
        return Distinct(pattern, span=self.place(meta))

    def distinct_by(self, meta: Meta, by: tuple[Expr, ...], pattern: Pattern) -> Pattern:
        return Distinct(pattern, by, span=self.place(meta))

    @v_args(inline=True)
    def connective(self, token: Token) -> Token:
        return token

    def connected(self, meta: Meta, *pieces: Pattern | Token | Clause) -> Pattern:
        parts = tuple(piece for piece in pieces if isinstance(piece, Pattern))
        word = interval_named(self._one_word([piece for piece in pieces if isinstance(piece, Token)]))
        clauses = [piece for piece in pieces if isinstance(piece, Clause)]
        if word == "or":
            Clauses("a choice of alternatives", clauses).only()
            return Either(parts, span=self.place(meta))
        return self._join(meta, parts, word, clauses)

    def join(self, meta: Meta, *pieces: Pattern | Clause) -> Pattern:
        parts = tuple(piece for piece in pieces if isinstance(piece, Pattern))
        return self._join(meta, parts, "and", [piece for piece in pieces if isinstance(piece, Clause)])

    def either(self, meta: Meta, *branches: Pattern) -> Pattern:
        return Either(branches, span=self.place(meta))

    def limited(self, meta: Meta, pattern: Pattern, *clauses: Clause) -> Pattern:
        if clauses[0].word == "suppress":
            return self._suppressed(meta, pattern, clauses)
        if any(clause.word == "choose" for clause in clauses):
            chosen = Clauses("a choice among the matches of one pattern", clauses).only("choose")
            return Select(pattern, chosen.policy(ALL), span=self.place(meta))
        said = Clauses("one pattern", clauses).only("within", "relation", "where")
        relation = said.relation("relation", window=RESTRICTED)
        return Restrict(pattern, relation, said.expression("where"), span=self.place(meta))

    def _suppressed(self, meta: Meta, pattern: Pattern, clauses: Sequence[Clause]) -> Pattern:
        [said] = Clauses("a suppression", clauses).only("suppress").clauses
        assert said.apart is not None
        return Suppress(pattern, said.apart, said.by, span=self.place(meta))

    def unless(self, meta: Meta, pattern: Pattern, absent: Pattern, *clauses: Clause) -> Pattern:
        said = Clauses("an absence", clauses).only("inside", "between", "relation", "on", "where")
        relation = said.relation("inside", "between", "relation")
        equal, where = said.equal(pattern, absent), said.expression("where")
        return Unless(pattern, absent, relation, equal, where, span=self.place(meta))

    def repeat(self, meta: Meta, name: str, times: Times, item: Pattern, *clauses: Clause) -> Pattern:
        said = Clauses("a repetition", clauses).only("gap", "link", "within", "window", "choose", "with")
        policy = said.policy(Policy(Choice.NEXT))
        if policy.tie:
            raise mistake("a repetition has no ties to break", self.place(meta), "`tie` means nothing here")
        return Repeat(
            name,
            item,
            *times,
            gap=said.relation("gap"),
            link=said.expression("link"),
            window=said.relation("window", window=RUN),
            choice=policy.choice,
            per=policy.per,
            folds=said.entries("with"),
            span=self.place(meta),
        )

    @v_args(inline=True)
    def times(self, least: Token, most: Token | None = None) -> Times:
        return self.number_of(least), self.number_of(least if most is None else most)

    @v_args(inline=True)
    def times_or_more(self, least: Token) -> Times:
        return self.number_of(least), None

    def collect(self, meta: Meta, name: str, item: Pattern, anchor: Pattern, *clauses: Clause) -> Pattern:
        said = Clauses("a collection", clauses).only("relation", "on", "where", "with")
        return Collect(
            name,
            anchor,
            item,
            said.relation("relation"),
            said.equal(anchor, item),
            said.expression("where"),
            said.entries("with"),
            span=self.place(meta),
        )

    def chain(self, meta: Meta, first: str, *pieces: Clause | NamedStep) -> Pattern:
        clauses = [piece for piece in pieces if isinstance(piece, Clause)]
        said = Clauses("a chain", clauses).only("let", "within", "window", "merged", "observing")
        observing = said.named("observing")
        return Chain(
            _steps([piece for piece in pieces if not isinstance(piece, Clause)]),
            first,
            said.entries("let"),
            said.relation("window", window=RUN),
            said.named("merged") is None,
            observing.names if observing else None,
            span=self.place(meta),
        )

    def sequence(self, meta: Meta, *pieces: Clause | SequenceStep) -> Pattern:
        said = Clauses("a sequence", [piece for piece in pieces if isinstance(piece, Clause)])
        said = said.only("within", "window", "skip")
        steps = [piece for piece in pieces if not isinstance(piece, Clause)]
        skip = said.named("skip")
        with in_own_words(self.place(meta)):
            window = said.relation("window", window=RUN)
            return sequence(steps, window, self.place(meta), skip.skip if skip else None)

    def taken(
        self,
        meta: Meta,
        contiguity: str | None,
        optional: Token | None,
        times: Times | None,
        item: Atom | Steps,
        *said: str | Atom | None,
    ) -> Taken:
        least, most = times or (1, 1)
        until = next((one for one in said if isinstance(one, Atom)), None)
        words = [one for one in said if isinstance(one, str)]
        place = self.place(meta)
        if "consecutive" in words and "combinations" in words:
            label, hint = "only one of the two holds", "leave `combinations` away"
            raise mistake("`consecutive` and `combinations` say different things", place, label, hint)
        inner = "strict" if "consecutive" in words else "any" if "combinations" in words else "next"
        how = (contiguity or "next", least, most, optional is not None, inner, "greedy" in words, until)
        return Taken(item, place, *how)

    @v_args(inline=True)
    def group(self, *steps: SequenceStep) -> Steps:
        return steps

    @v_args(inline=True)
    def looping(self, token: Token) -> str:
        return str(token)

    def skip(self, meta: Meta, skip: AfterMatch, pattern: Pattern) -> Pattern:
        if skip.part is not None:
            label, hint = (
                "the steps of a sequence are meant",
                f"write `sequence skip to {skip.to} {skip.part} {{ a: A, b: B }}`",
            )
            raise mistake("this can be said of a sequence only", self.place(meta), label, hint)
        return Skip(pattern, past_last() if skip.to == "past" else to_next(), span=self.place(meta))

    def skip_to(self, meta: Meta, to: Expr, per: tuple[Expr, ...] | None, pattern: Pattern) -> Pattern:
        return Skip(pattern, to, per or (), span=self.place(meta))

    def untaken(self, meta: Meta, atom: Atom) -> Untaken:
        return Untaken(atom, self.place(meta))

    @v_args(inline=True)
    def contiguity(self, token: Token) -> str:
        return str(token)

    def step(self, meta: Meta, name: str, every: Token | None, lead: Atom, *clauses: Clause) -> NamedStep:
        said = Clauses("a step", clauses).only("let", "avoid", "then")
        avoid, follow = said.named("avoid"), said.named("then")
        avoided, follows = avoid.atom if avoid else None, follow.names if follow else ()
        step = Step(lead, said.entries("let"), avoided, follows, every is not None)
        return name, step, self.place(meta)

    def _join(self, meta: Meta, parts: tuple[Pattern, ...], word: str, clauses: list[Clause]) -> Pattern:
        said = Clauses("a join", clauses).only("within", "relation", "on", "if", "choose", "where")
        between = () if word == "and" else neighbours(word, len(parts))
        relation = between + said.relation("relation", window=join_window(word, len(parts)))
        candidate, policy, where = said.expression("if"), said.policy(ALL), said.expression("where")
        return Join(parts, relation, said.equal(*parts), candidate, policy, where, span=self.place(meta))

    def _one_word(self, words: list[Token]) -> str:
        """Return the word that stands between all parts."""
        for word in words:
            if word != words[0]:
                hint = "say with parentheses what belongs together"
                label = f"`{words[0]}` stands before it"
                raise mistake(f"`{words[0]}` and `{word}` stand side by side", self.place_of(word), label, hint)
        return str(words[0])


def _steps(steps: list[NamedStep]) -> Mapping[str, Step]:
    named: dict[str, Step] = {}
    for name, step, span in steps:
        if name in named:
            raise mistake(f"two steps are called `{name}`", span, "this is the second one")
        named[name] = step
    return named
