"""Push windows inwards until nothing has to be remembered for longer than they last.

    (a ; b ; (c + d)) within 5 s   ==>   ((a ; b within 5 s) ; (c + d within 5 s)) within 5 s

Nothing in a match is longer than the match, so a window above it is one for all of its parts; and nothing longer than a
match lies inside it, so what is absent from short matches may as well be short. A choice takes a window where it never
prefers what is too long, see `analysis.choice_windows`. It has to be written below every choice, because there nobody
looks at what stands above. Under `latest-start`, a sequence whose right side is never longer than d can then forget all
but one of the left matches that ended more than d ago: whatever comes on the right starts after all of them.

Matches that are at most as long as the window allows stay the same, with their evidence; longer ones may go, and the
window takes them away anyway. After Carlson and Lisper, whose transformation of expressions this is.
"""

from dataclasses import dataclass, replace

from cepheid.algebra.patterns import (
    Chain,
    Collect,
    Distinct,
    Either,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Suppress,
    Unless,
)
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Ticks
from cepheid.analysis.closures.part_order import is_sequence
from cepheid.analysis.plans.choice_windows import takes_windows
from cepheid.analysis.plans.reaches import FREE
from cepheid.rewrites import windows
from cepheid.rewrites.choices import is_chosen
from cepheid.rewrites.lengths import (
    POINTS,
    EventLengths,
    is_within,
    join_window,
    longer,
    longest,
    point_test,
    shorter,
)
from cepheid.rewrites.narrow_absence import is_inside


@dataclass(frozen=True, slots=True)
class Bounded:
    """A pattern, how long its matches are at most, and the sequences in it whose memory nothing bounds."""

    pattern: Pattern
    longest: Ticks | None
    unbounded: tuple[Join, ...] = ()

    @property
    def is_bounded(self) -> bool:
        return not self.unbounded


@dataclass(frozen=True, slots=True)
class _Limit:
    """How long matches are that have to stay; `hidden`: a choice stands between here and the window that says so."""

    ticks: Ticks | None
    hidden: bool = False


_NO_LIMIT = _Limit(None)


def bounded_memory(pattern: Pattern, lengths: EventLengths = POINTS, within: Ticks | None = None) -> Bounded:
    """Return `pattern` with windows pushed inwards; only its matches of at most `within` have to stay the same."""
    return _pushed(pattern, lengths, _Limit(within))


def _pushed(pattern: Pattern, lengths: EventLengths, limit: _Limit) -> Bounded:
    match pattern:
        case Select(inner, policy):
            below = _pushed(inner, lengths, replace(limit, hidden=True))
            return replace(below, pattern=_chosen(pattern, below.pattern, policy))
        case Restrict():
            return _restrict(pattern, lengths, limit)
        case Unless():
            return _unless(pattern, lengths, limit)
        case Join():
            return _join(pattern, lengths, limit)
        case Either(branches):
            found = [_pushed(branch, lengths, limit) for branch in branches]
            either = replace(pattern, branches=tuple(branch.pattern for branch in found))
            return Bounded(either, longer(branch.longest for branch in found), _all_unbounded(*found))
        case _:
            return _group(pattern, lengths, limit)


def _chosen(choice: Select, below: Pattern, policy: Policy) -> Pattern:
    """Return the choice above what it chose from, unless that was a window that is gone.

    Around alternatives the window stays, however loose: without it the choice would decide ties by the branches.
    """
    if isinstance(choice.pattern, Restrict) and isinstance(below, Either):
        return replace(choice, pattern=replace(choice.pattern, pattern=below))
    already = isinstance(choice.pattern, Restrict) and not isinstance(below, Restrict)
    return below if already and is_chosen(below, policy) else replace(choice, pattern=below)


def _restrict(restrict: Restrict, lengths: EventLengths, limit: _Limit) -> Bounded:
    own, others = windows.split(restrict.relation)
    if own is None:
        below = _pushed(restrict.pattern, lengths, limit)
        return replace(below, pattern=replace(restrict, pattern=below.pattern))
    ticks = own if limit.ticks is None else min(own, limit.ticks)
    below = _pushed(restrict.pattern, lengths, _Limit(ticks))
    relation = (*(() if is_within(below.longest, ticks) else windows.window(ticks)), *others)
    keeps = bool(relation) or restrict.where is not None
    pattern = replace(restrict, pattern=below.pattern, relation=relation) if keeps else below.pattern
    return Bounded(pattern, shorter([below.longest, ticks]), below.unbounded)


def _unless(unless: Unless, lengths: EventLengths, limit: _Limit) -> Bounded:
    inner = _pushed(unless.pattern, lengths, limit)
    inside = shorter([limit.ticks, inner.longest]) if is_inside(unless) else None
    absent = _pushed(unless.absent, lengths, _Limit(inside, hidden=True))
    pattern = replace(unless, pattern=inner.pattern, absent=absent.pattern)
    return Bounded(pattern, inner.longest, _all_unbounded(inner, absent))


def _join(join: Join, lengths: EventLengths, limit: _Limit) -> Bounded:
    own = join_window(join, lengths)
    # Other choices may be decided by candidates that are too long, which then have to stay.
    ticks = shorter([own, limit.ticks]) if takes_windows(join, point_test(lengths)) else own
    hidden = join.policy.choice not in FREE
    parts = [_pushed(part, lengths, _Limit(ticks, hidden)) for part in join.parts]
    is_queue = join.policy.choice is Choice.LATEST_START and is_sequence(join)
    if is_queue:
        parts[1] = _cut(parts[1], ticks)
    found = replace(join, parts=tuple(part.pattern for part in parts))
    own_unbounded = (found,) if is_queue and parts[1].longest is None else ()
    bounded = Bounded(found, join_window(found, lengths), (*own_unbounded, *_all_unbounded(*parts)))
    return _cut(bounded, ticks) if limit.hidden else bounded


def _cut(part: Bounded, limit: Ticks | None) -> Bounded:
    """Return a part of a choice with the window that holds for it, if that is not clear already."""
    if limit is None or is_within(part.longest, limit):
        return part
    cut: Pattern = windows.within(part.pattern, limit)
    match part.pattern:
        case Select(policy=policy):
            cut = Select(cut, policy, span=cut.span)
        case Join(policy=Policy(Choice.LATEST_START, per), equal=equal):
            key = dict.fromkeys((*per, *(one for one, _ in equal)))
            cut = Select(cut, Policy(Choice.LATEST_START, tuple(key)), span=cut.span)
    return Bounded(cut, limit, part.unbounded)


def _group(pattern: Pattern, lengths: EventLengths, limit: _Limit) -> Bounded:
    """Return a node that sees many matches at once: only where each counts for itself may the long ones go."""
    match pattern:
        case Distinct(inner, by):
            below = _pushed(inner, lengths, replace(limit, hidden=True) if by is None else _NO_LIMIT)
            return replace(below, pattern=replace(pattern, pattern=below.pattern))
        case Suppress(inner):
            # What is too long for what stands above keeps others away all the same.
            below = _pushed(inner, lengths, _NO_LIMIT)
            return replace(below, pattern=replace(pattern, pattern=below.pattern))
        case Collect():
            anchor, item = _pushed(pattern.anchor, lengths, limit), _pushed(pattern.item, lengths, _NO_LIMIT)
            collected = replace(pattern, anchor=anchor.pattern, item=item.pattern)
            return Bounded(collected, anchor.longest, _all_unbounded(anchor, item))
        case Repeat():
            every = pattern.choice is Choice.ALL
            item = _pushed(pattern.item, lengths, replace(limit, hidden=True) if every else _NO_LIMIT)
            found = Bounded(replace(pattern, item=item.pattern), longest(pattern, lengths), item.unbounded)
            return _cut(found, limit.ticks) if every and limit.hidden else found
        case Chain():
            found = Bounded(pattern, longest(pattern, lengths))
            return _cut(found, limit.ticks) if limit.hidden else found
        case _:
            return Bounded(pattern, longest(pattern, lengths))


def _all_unbounded(*some: Bounded) -> tuple[Join, ...]:
    return tuple(join for found in some for join in found.unbounded)
