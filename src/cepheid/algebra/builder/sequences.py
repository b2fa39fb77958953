"""Sequences as users of Flink know them: contiguity, loops, groups, absences, and what comes after a match.

    failed, ok, logout, transfer = map(event, ("Failed", "Accepted", "Logout", "Transfer"))
    sequence(
        take(failed, times=(3, None)).greedy(),
        take(ok).strict().where(ok.user == failed.user),
        no(logout),
        take(transfer).any(),
        window="10 min",
        skip="past last",
    )

An event is a step too: it takes the first later record that fits.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from cepheid.algebra.builder.conditions import all_of
from cepheid.algebra.builder.events import EventPart
from cepheid.algebra.builder.leads import atom_of
from cepheid.algebra.builder.names import word_of
from cepheid.algebra.builder.patterns import Part
from cepheid.algebra.builder.terms import Term
from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.builder.windows import run_window
from cepheid.algebra.patterns import Atom
from cepheid.algebra.sequence_chains import AfterMatch
from cepheid.algebra.sequence_chains import sequence as lowered
from cepheid.algebra.sequences import SequenceMistake, SequenceStep, Taken, Untaken
from cepheid.diagnostics import CepheidError, Diagnostic, close_match

Times: TypeAlias = int | tuple[int, int | None]
SKIPS: Final[Mapping[str, AfterMatch]] = {"past last": AfterMatch("past"), "to next": AfterMatch("next")}

HINTS: Final[Mapping[str, str]] = {
    "empty": 'add a step: `sequence(event("A"))`',
    "begins-with-not": "begin with an event",
    "all-optional": "leave one `.optional()` away",
    "dangling-not": "put it at the end, or leave `.optional()` away",
    "open-not": 'add a window: `sequence(a, no(b), window="10 min")`',
    "greedy-end": "add the step that ends it, or leave `.greedy()` away",
    "greedy-group": "leave `.greedy()` away",
    "greedy-with": "leave one of the two away",
    "one-record": "say how many: `take(a, times=(2, None))`",
    "no-times": "say how many: `take(a, times=(1, 3))`",
    "too-long": "count less, or take them with `repeat(a, least=1000)`",
    "no-variable": "name an event before it: `take(b).where(b.price > a.price)`",
    "later-step": "put the condition at the later of the two: `take(b).where(b.price > a.price)`",
    "no-such-step": 'name an event that is taken, or write `skip="past last"`',
}


@dataclass(frozen=True, slots=True, eq=False)
class SequenceItem:
    """A step of a sequence: what is taken, how often, and how it follows what is before it."""

    _step: SequenceStep

    def strict(self) -> "SequenceItem":
        """It is the very next record."""
        return self._changed(contiguity="strict")

    def any(self) -> "SequenceItem":
        """Every later record that fits is taken, each in a match of its own."""
        return self._changed(contiguity="any")

    def optional(self) -> "SequenceItem":
        """It may be left out."""
        return self._changed(is_optional=True)

    def consecutive(self) -> "SequenceItem":
        """Each time follows right after the one before."""
        return self._changed(inner="strict")

    def combinations(self) -> "SequenceItem":
        """Each time takes any later record that fits."""
        return self._changed(inner="any")

    def greedy(self) -> "SequenceItem":
        """While it can be taken once more, nothing else follows."""
        return self._changed(is_greedy=True)

    def until(self, event: EventPart) -> "SequenceItem":
        """It is not taken again after such a record."""
        return self._changed(until=atom_of(event))

    def where(self, *conditions: Term) -> "SequenceItem":
        """Conditions that may read the steps before."""
        step = self._step
        if isinstance(step, Untaken):
            atom = replace(step.atom, where=all_of(conditions, step.atom.where))
            return replace(self, _step=replace(step, atom=atom))
        if not isinstance(step.item, Atom):
            raise _of_a_group()
        return self._changed(item=replace(step.item, where=all_of(conditions, step.item.where)))

    def _changed(self, **changes: object) -> "SequenceItem":
        if isinstance(self._step, Untaken):
            raise _of_an_absence()
        return replace(self, _step=replace(self._step, **changes))  # type: ignore[arg-type]  # of its fields


def take(*items: EventPart | SequenceItem, times: Times = 1) -> SequenceItem:
    """Take an event, or several steps as a group, so many times: a number, or from one to another or to None."""
    least, most = (times, times) if isinstance(times, int) else times
    if len(items) == 1 and isinstance(items[0], EventPart):
        return SequenceItem(Taken(atom_of(items[0]), None, "next", least, most))
    return SequenceItem(Taken(tuple(map(_step, items)), None, "next", least, most))


def no(event: EventPart) -> SequenceItem:
    """No such record before the next step; at the end: none before the window closes."""
    return SequenceItem(Untaken(atom_of(event)))


def sequence(
    *steps: EventPart | SequenceItem,
    window: Length | None = None,
    records: int | None = None,
    skip: str | None = None,
    skip_to_first: EventPart | None = None,
    skip_to_last: EventPart | None = None,
) -> Part:
    """Records step by step, each step the first later one that fits, unless it says otherwise.

    `window` and `records` bound it from its first record to its last. After a match, `skip` goes on "past last" or
    "to next", or at the first or the last record of a step.
    """
    taken = [_step(one) for one in steps]
    after = _after(skip, skip_to_first, skip_to_last)
    words = _words(atom.name for step in taken for atom in _atoms(step))
    with _in_python():
        return Part(lowered(taken, run_window(None if window is None else ticks(window), records), None, after, words))


def _step(item: EventPart | SequenceItem) -> SequenceStep:
    return Taken(atom_of(item)) if isinstance(item, EventPart) else item._step


def _after(skip: str | None, first: EventPart | None, last: EventPart | None) -> AfterMatch | None:
    said = [one for one in (skip, first, last) if one is not None]
    if len(said) > 1:
        message, hint = "only one of the ways to go on after a match can hold", "leave all but one of them away"
        raise CepheidError(Diagnostic("bad-sequence", message, hints=(hint,)))
    if first is not None or last is not None:
        part = first if first is not None else last
        assert part is not None
        return AfterMatch("first" if first is not None else "last", part._name)
    return None if skip is None else skipped(skip)


def skipped(skip: str) -> AfterMatch:
    """Return where it goes on after a match."""
    if skip not in SKIPS:
        meant = close_match(skip, SKIPS) or "past last"
        message = f"nobody knows where `{skip}` goes on after a match"
        raise CepheidError(Diagnostic("bad-sequence", message, hints=(f'write `skip="{meant}"`',)))
    return SKIPS[skip]


def _atoms(step: SequenceStep) -> Iterator[Atom]:
    if isinstance(step, Taken) and not isinstance(step.item, Atom):
        yield from (atom for one in step.item for atom in _atoms(one))
    else:
        yield step.atom if isinstance(step, Untaken) else step.item  # type: ignore[misc]  # a group was before


def _words(names: Iterator[str]) -> dict[str, str]:
    """Return a pleasant word for every name."""
    found: dict[str, str] = {}
    for name in names:
        if name not in found:
            word, taken = word_of(name), set(found.values())
            free = (one for one in (word, *(f"{word}{number}" for number in range(2, len(taken) + 3))))
            found[name] = next(one for one in free if one not in taken)
    return found


@contextmanager
def _in_python() -> Iterator[None]:
    try:
        yield
    except SequenceMistake as error:
        raise CepheidError(Diagnostic("bad-sequence", error.message, hints=(HINTS[error.kind],))) from None


def _of_a_group() -> CepheidError:
    hint = "put the condition on one of its steps: `take(take(a).where(a.x > 1), b)`"
    return CepheidError(Diagnostic("bad-sequence", "a group of steps has no conditions of its own", hints=(hint,)))


def _of_an_absence() -> CepheidError:
    message, hint = "what is absent is taken no number of times, and in no way", "write `no(a)` alone"
    return CepheidError(Diagnostic("bad-sequence", message, hints=(hint,)))
