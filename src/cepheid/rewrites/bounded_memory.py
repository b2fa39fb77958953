"""Push windows inwards until sequences need to remember little.

    (a ; (b + c)) within 5 s   ==>   (a ; ((b + c) within 5 s)) within 5 s

Under `latest-start`, a sequence whose right side is never longer than d can forget all but one of the left matches
that ended more than d ago: whatever comes on the right starts after all of them. So a window above a sequence is worth
writing on its right side too, and that goes for windows that only follow from others: nothing longer than a match lies
inside it, so what is absent from short matches may as well be short.

Matches that are at most as long as the window allows stay the same, with their evidence; longer ones may go, and the
window takes them away anyway. After Carlson and Lisper, whose transformation of expressions this is.
"""

from dataclasses import dataclass, replace

from cepheid.algebra.patterns import Collect, Distinct, Either, Join, Pattern, Repeat, Restrict, Select, Unless
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Ticks
from cepheid.rewrites import windows
from cepheid.rewrites.choices import is_chosen
from cepheid.rewrites.lengths import POINTS, EventLengths, is_within, join_window, longer, longest, shorter
from cepheid.rewrites.narrow_absence import is_inside
from cepheid.rewrites.order import is_sequence


@dataclass(frozen=True, slots=True)
class Bounded:
    """A pattern, how long its matches are at most, and the sequences in it whose memory nothing bounds."""

    pattern: Pattern
    longest: Ticks | None
    unbounded: tuple[Join, ...] = ()

    @property
    def is_bounded(self) -> bool:
        return not self.unbounded


def bounded_memory(pattern: Pattern, lengths: EventLengths = POINTS, within: Ticks | None = None) -> Bounded:
    """Return `pattern` with windows pushed inwards; only its matches of at most `within` have to stay the same."""
    match pattern:
        case Select(inner, policy):
            below = bounded_memory(inner, lengths, within)
            return replace(below, pattern=_chosen(pattern, below.pattern, policy))
        case Restrict():
            return _restrict(pattern, lengths, within)
        case Unless():
            return _unless(pattern, lengths, within)
        case Join():
            return _join(pattern, lengths, within)
        case Either(branches):
            found = [bounded_memory(branch, lengths, within) for branch in branches]
            either = replace(pattern, branches=tuple(branch.pattern for branch in found))
            return Bounded(either, longer(branch.longest for branch in found), _all_unbounded(*found))
        case _:
            return _group(pattern, lengths, within)


def _chosen(choice: Select, below: Pattern, policy: Policy) -> Pattern:
    """Return the choice above what it chose from, unless that was a window that is gone.

    Around alternatives the window stays, however loose: without it the choice would decide ties by the branches.
    """
    if isinstance(choice.pattern, Restrict) and isinstance(below, Either):
        return replace(choice, pattern=replace(choice.pattern, pattern=below))
    already = isinstance(choice.pattern, Restrict) and not isinstance(below, Restrict)
    return below if already and is_chosen(below, policy) else replace(choice, pattern=below)


def _restrict(restrict: Restrict, lengths: EventLengths, within: Ticks | None) -> Bounded:
    own, others = windows.split(restrict.relation)
    limit = shorter([own, within])
    below = bounded_memory(restrict.pattern, lengths, limit)
    if own is None:
        return replace(below, pattern=replace(restrict, pattern=below.pattern))
    needed = () if is_within(below.longest, limit) or limit is None else windows.window(limit)
    relation = (*needed, *others)
    keeps = bool(relation) or restrict.where is not None
    pattern = replace(restrict, pattern=below.pattern, relation=relation) if keeps else below.pattern
    return Bounded(pattern, shorter([below.longest, limit]), below.unbounded)


def _unless(unless: Unless, lengths: EventLengths, within: Ticks | None) -> Bounded:
    inner = bounded_memory(unless.pattern, lengths, within)
    limit = shorter([within, inner.longest]) if is_inside(unless) else None
    absent = bounded_memory(unless.absent, lengths, limit)
    pattern = replace(unless, pattern=inner.pattern, absent=absent.pattern)
    return Bounded(pattern, inner.longest, _all_unbounded(inner, absent))


def _join(join: Join, lengths: EventLengths, within: Ticks | None) -> Bounded:
    own = join_window(join, lengths)
    # Other choices may be decided by candidates that are too long, which then have to stay.
    keeps_short = join.policy.choice in (Choice.ALL, Choice.STRICT, Choice.LATEST_START)
    limit = shorter([own, within]) if keeps_short else None
    parts = [bounded_memory(part, lengths, limit) for part in join.parts]
    is_queue = join.policy.choice is Choice.LATEST_START and is_sequence(join)
    if is_queue and not is_within(parts[1].longest, limit):
        parts[1] = _cut(parts[1], limit)
    found = replace(join, parts=tuple(part.pattern for part in parts))
    own_unbounded = (found,) if is_queue and parts[1].longest is None else ()
    return Bounded(found, join_window(found, lengths), (*own_unbounded, *_all_unbounded(*parts)))


def _cut(part: Bounded, limit: Ticks | None) -> Bounded:
    """Return the right side of a sequence with the window that holds for it."""
    if limit is None:
        return part
    cut: Pattern = windows.within(part.pattern, limit)
    match part.pattern:
        case Select(policy=policy):
            cut = Select(cut, policy, span=cut.span)
        case Join(policy=Policy(Choice.LATEST_START, per)):
            cut = Select(cut, Policy(Choice.LATEST_START, per), span=cut.span)
    return Bounded(cut, limit, part.unbounded)


def _group(pattern: Pattern, lengths: EventLengths, within: Ticks | None) -> Bounded:
    """Return a node that sees many matches at once: only where each counts for itself may the long ones go."""
    match pattern:
        case Distinct(inner, by):
            below = bounded_memory(inner, lengths, within if by is None else None)
            return replace(below, pattern=replace(pattern, pattern=below.pattern))
        case Collect():
            anchor, item = bounded_memory(pattern.anchor, lengths, within), bounded_memory(pattern.item, lengths)
            found = replace(pattern, anchor=anchor.pattern, item=item.pattern)
            return Bounded(found, anchor.longest, _all_unbounded(anchor, item))
        case Repeat():
            item = bounded_memory(pattern.item, lengths)
            return Bounded(replace(pattern, item=item.pattern), longest(pattern, lengths), item.unbounded)
        case _:
            return Bounded(pattern, longest(pattern, lengths))


def _all_unbounded(*some: Bounded) -> tuple[Join, ...]:
    return tuple(join for found in some for join in found.unbounded)
