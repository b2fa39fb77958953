"""Patterns that users compose.

    a, b = event("A"), event("B")
    (a >> b).within("1 s").on(a.user == b.user).where(b.value > a.value)

Every method returns a new pattern and leaves the old one as it was.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from cepheid.algebra import intervals
from cepheid.algebra.builder.absence import Placement, place_of_absence
from cepheid.algebra.builder.conditions import (
    Conditions,
    all_of,
    distances,
    equalities,
    parts_read,
    terms,
)
from cepheid.algebra.builder.drafts import Keyed, settled
from cepheid.algebra.builder.joins import chosen, crossing, join_of, joined
from cepheid.algebra.builder.names import canonical, readable
from cepheid.algebra.builder.records import Extent, Readable
from cepheid.algebra.builder.terms import Term
from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.builder.windows import at_least, related, within
from cepheid.algebra.patterns import Distinct, Either, Join, Pattern, Restrict, Skip, Suppress, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL
from cepheid.algebra.query_sizes import MOST_PARTS, too_large
from cepheid.algebra.relations import Axis, Relation
from cepheid.algebra.sequence_chains import past_last, to_next
from cepheid.diagnostics import CepheidError, Diagnostic

Hulls: TypeAlias = Callable[[Sequence[Extent]], Term | Sequence[Term]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Part:
    """A pattern, and a part of larger ones."""

    _draft: Pattern
    _keys: tuple[str, ...] = ()

    def __rshift__(self, other: "Part") -> "Part":
        """First this, and strictly later the other."""
        return then(self, other)

    def __and__(self, other: "Part") -> "Part":
        """Both, in any order."""
        return both(self, other)

    def __or__(self, other: "Part") -> "Part":
        """One or the other."""
        return either(self, other)

    def within(self, longest: Length | None = None, *, records: int | None = None) -> Self:
        """From the first start to the last end it is at most `longest`, or at most so many records."""
        draft = self._draft if longest is None else within(self._draft, ticks(longest))
        return self._with(draft if records is None else within(draft, records - 1, Axis.POSITION))

    def at_least(self, shortest: Length) -> Self:
        """From the first start to the last end it is `shortest` or longer."""
        return self._with(at_least(self._draft, ticks(shortest)))

    def relate(self, *differences: Term | Hulls) -> Self:
        """Bound distances of endpoints, as in `(b.start - a.end) <= "5 s"`.

        A function is handed the extents of a join's parts: `lambda parts: parts[0].end < parts[1].end`.
        """
        relation = self._relation(differences)
        if HULL in parts_read(relation) and not isinstance(self._draft, Restrict):
            return self._with(Restrict(self._draft, relation))
        return self._with(related(self._draft, relation))

    def on(self, *equal: Term) -> Self:
        """Join on equalities between parts, as in `a.user == b.user`."""
        join = join_of(self._draft, "on")
        return self._with(replace(join, equal=(*join.equal, *crossing(join, equalities(equal)))))

    def given(self, *conditions: Term) -> Self:
        """Conditions on who may be chosen: they come before the choice of a join, `where` comes after it."""
        join = join_of(self._draft, "given")
        return self._with(replace(join, candidate=all_of(conditions, join.candidate)))

    def where(self, *conditions: Term) -> Self:
        """Conditions on what was found; `hull` is the whole of it."""
        condition = all_of(conditions)
        if isinstance(self._draft, Restrict) or (isinstance(self._draft, Join) and HULL not in parts_read(condition)):
            return self._with(replace(self._draft, where=all_of(conditions, self._draft.where)))
        return self._with(Restrict(self._draft, where=condition))

    def choose(self, choice: str | Choice, *, per: Conditions | None = None, tie: Conditions | None = None) -> Self:
        """Which candidates count: all, latest-start, recent, chronological, next or strict."""
        return self._with(chosen(self._draft, choice, terms(per), terms(tie)))

    def unless(
        self,
        absent: "Part",
        *,
        between: tuple[Readable, Readable] | None = None,
        after: Length | None = None,
        before: Length | None = None,
        relation: Placement | None = None,
        on: Conditions | None = None,
        where: Conditions | None = None,
    ) -> Self:
        """Only where there is no `absent`: inside, or strictly between two parts, or soon after, or shortly before."""
        place = place_of_absence(between, after, before, relation)
        equal, condition = equalities(terms(on)), all_of(terms(where))
        draft = Unless(draft_of(self), draft_of(absent), place, equal, condition)
        return replace(self, _draft=draft, _keys=())

    def by(self, *names: str) -> Self:
        """Separately for every value of these fields, which all events of a match then share.

        Of a whole query this holds for absences, choices and positions too. A pattern inside another one keeps its
        keys to itself: `a.by("user").unless(x)` is blocked by any `x`, `a.unless(x).by("user")` by those of the user.
        """
        return replace(self, _keys=(*self._keys, *names))

    def distinct(self, *, by: Conditions | None = None) -> Self:
        """One match per value of `by`, the first; without it, one per start, end and set of events."""
        keys = None if by is None else tuple(term.expression for term in terms(by))
        return self._with(Distinct(self._draft, keys))

    def suppress(self, span: Length, *, by: Conditions | None = None) -> Self:
        """Of matches of one key the first alone, and the next one that ends more than `span` after one that passed."""
        keys = tuple(term.expression for term in terms(by))
        return self._with(Suppress(self._draft, ticks(span), keys))

    def skip_past_last(self) -> Self:
        """Matches one after the other: after each, look for the next one from the record after its last one."""
        return self._with(Skip(self._draft, past_last()))

    def skip_to_next(self) -> Self:
        """Matches one after the other: after each, look for the next one from the record after its first one."""
        return self._with(Skip(self._draft, to_next()))

    def after(self, other: "Part") -> "Part":
        """The other ends strictly before this starts."""
        return related_pair(self, other, intervals.after())

    def meets(self, other: "Part") -> "Part":
        """The other starts when this ends."""
        return related_pair(self, other, intervals.meets())

    def met_by(self, other: "Part") -> "Part":
        """The other ends when this starts."""
        return related_pair(self, other, intervals.met_by())

    def overlaps(self, other: "Part") -> "Part":
        """The other starts inside this and outlasts it."""
        return related_pair(self, other, intervals.overlaps())

    def overlapped_by(self, other: "Part") -> "Part":
        """The other starts first and ends inside this one."""
        return related_pair(self, other, intervals.overlapped_by())

    def starts(self, other: "Part") -> "Part":
        """Both start together, and this ends first."""
        return related_pair(self, other, intervals.starts())

    def started_by(self, other: "Part") -> "Part":
        """Both start together, and the other ends first."""
        return related_pair(self, other, intervals.started_by())

    def finishes(self, other: "Part") -> "Part":
        """Both end together, and this starts last."""
        return related_pair(self, other, intervals.finishes())

    def finished_by(self, other: "Part") -> "Part":
        """Both end together, and the other starts last."""
        return related_pair(self, other, intervals.finished_by())

    def during(self, other: "Part") -> "Part":
        """The other starts before this and ends after it."""
        return related_pair(self, other, intervals.during())

    def contains(self, other: "Part") -> "Part":
        """The other lies strictly inside this one."""
        return related_pair(self, other, intervals.contains())

    def equals(self, other: "Part") -> "Part":
        """Both start together and end together."""
        return related_pair(self, other, intervals.equals())

    def par(self, other: "Part") -> "Part":
        """Both last, and some of their time is the same."""
        return related_pair(self, other, intervals.par())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __str__(self) -> str:
        return readable(settled(draft_of(self)))

    def _with(self, draft: Pattern) -> Self:
        return replace(self, _draft=draft)

    def _relation(self, differences: Iterable[Term | Hulls]) -> Relation:
        count = len(self._draft.parts) if isinstance(self._draft, Join) else 0
        hulls = [Extent(f"${index}") for index in range(count)]
        given = [terms(one if isinstance(one, Term) else one(hulls)) for one in differences]
        return distances(term for some in given for term in some)


def then(*parts: Part) -> Part:
    """All parts, each strictly after the one before."""
    neighbours = range(len(parts) - 1)
    relation = tuple(one for left in neighbours for one in intervals.then(f"${left}", f"${left + 1}"))
    return Part(joined(tuple(draft_of(part) for part in parts), relation))


def both(*parts: Part) -> Part:
    """All parts, in any order."""
    return Part(joined(tuple(draft_of(part) for part in parts)))


def either(*parts: Part) -> Part:
    """Any one of the parts; `a | b | c` is one alternative of three."""
    branches = tuple(branch for part in parts for branch in _branches(draft_of(part)))
    if len(branches) > MOST_PARTS:
        raise too_large(f"there are {len(branches):,} alternatives, and {MOST_PARTS} are the most", None)
    return Part(Either(branches))


def related_pair(left: Part, right: Part, relation: Relation) -> Part:
    """Both parts, in a relation of `$0` to `$1`."""
    return Part(joined((draft_of(left), draft_of(right)), relation))


def draft_of(part: Part) -> Pattern:
    """Return the pattern under construction; where it is keyed, it says so."""
    keys = checked(part)._keys
    return Keyed(part._draft, keys) if keys else part._draft


def checked(given: object) -> Part:
    """Return what was given as a pattern if it is one."""
    if isinstance(given, Part):
        return given
    raise _not_a_pattern(given)


def pattern_of(part: Part) -> Pattern:
    """Return the node of the algebra that a pattern stands for, with pleasant names."""
    return canonical(settled(draft_of(part)))


def _branches(draft: Pattern) -> tuple[Pattern, ...]:
    return draft.branches if isinstance(draft, Either) else (draft,)


def _not_a_pattern(given: object) -> CepheidError:
    hints = (
        'patterns are made of events: `event("login")`',
        'the matches of a query are events of its name: `event("Rise")`',
    )
    return CepheidError(Diagnostic("not-a-pattern", f"`{type(given).__name__}` is no pattern", hints=hints))
