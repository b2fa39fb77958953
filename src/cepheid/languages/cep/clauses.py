"""Clauses as they were read, before it is known what they are clauses of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Atom, Equalities, Pattern
from cepheid.algebra.policies import Policy
from cepheid.algebra.relations import Axis, Relation, Ticks
from cepheid.algebra.sequence_chains import AfterMatch
from cepheid.algebra.text.show_relations import Window
from cepheid.diagnostics import CepheidError, Span
from cepheid.languages.cep.keys import Key, equalities
from cepheid.languages.cep.mistakes import mistake

_OF_ANYTHING = frozenset({"within", "relation", "where", "choose", "suppress"})
_REPEATABLE = frozenset({"within", "relation", "window", "gap"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with its word, its place, and that one of the other fields that it says."""

    word: str
    span: Span
    relation: Relation = ()
    window: tuple[Ticks, Axis] | None = None
    expression: Expr | None = None
    keys: tuple[Key, ...] = ()
    policy: Policy | None = None
    entries: Mapping[str, Expr] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    atom: Atom | None = None
    skip: AfterMatch | None = None
    apart: Ticks | None = None
    by: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Clauses:
    """The clauses of one construct; `owner` is what a person calls it."""

    owner: str
    clauses: Sequence[Clause]

    def only(self, *words: str) -> "Clauses":
        """Return the same clauses; one that is not among `words`, or that stands here twice, is a mistake."""
        seen: set[str] = set()
        for clause in self.clauses:
            if clause.word not in words:
                raise _out_of_place(clause, self.owner, words)
            if clause.word in seen - _REPEATABLE:
                raise mistake(f"`{clause.word}` stands here twice", clause.span, f"{self.owner} has one already")
            seen.add(clause.word)
        return self

    def named(self, word: str) -> Clause | None:
        return next((clause for clause in self.clauses if clause.word == word), None)

    def expression(self, word: str) -> Expr | None:
        clause = self.named(word)
        return clause.expression if clause else None

    def entries(self, word: str) -> Mapping[str, Expr]:
        clause = self.named(word)
        return clause.entries if clause else {}

    def equal(self, *parts: Pattern) -> Equalities:
        """Return what must be equal between these parts."""
        clause = self.named("on")
        return equalities(clause.keys, parts) if clause else ()

    def policy(self, usual: Policy) -> Policy:
        clause = self.named("choose")
        return clause.policy if clause and clause.policy else usual

    def relation(self, *words: str, window: Window | None = None) -> Relation:
        """Return what the clauses with these words say together, in their order; `window` says what `within` means."""
        found: Relation = ()
        for clause in self.clauses:
            if clause.window and window:
                found += window(*clause.window)
            elif clause.word in words:
                found += clause.relation
        return found


def _out_of_place(clause: Clause, owner: str, words: tuple[str, ...]) -> CepheidError:
    label = f"{owner} takes {_listed(words)}" if words else f"{owner} takes no clauses"
    return mistake(f"`{clause.word}` cannot stand here", clause.span, label, *_way_out(clause, owner))


def _way_out(clause: Clause, owner: str) -> tuple[str, ...]:
    """Return where a clause could stand, or what says the same here."""
    if clause.word == "within" and owner == "an absence":
        length = clause.span.text.removeprefix("within").strip()
        return (f"say when it is absent: `relation 0 s <= start($absent) - end($pattern) <= {length}`",)
    if clause.word == "on":
        return (f"look at each key separately, at the end of the rule: `{clause.span.text.replace('on', 'by', 1)}`",)
    return ("put what stands before it in parentheses",) if clause.word in _OF_ANYTHING else ()


def _listed(words: tuple[str, ...]) -> str:
    *first, last = (f"`{word}`" for word in words)
    return f"{', '.join(first)} and {last}" if first else last
