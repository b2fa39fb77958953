"""Sequences step by step, with what may stand between them: what a user of Flink calls contiguity.

    sequence within 10 min { 3 of f: Failed, strict ok: Accepted[user == f.user], not Logout, any t: Transfer }

A step takes a record, or a group of steps. `next`, which need not be said: the first later record that fits. `strict`:
the very next one. `any`: every later record that fits. It may be taken several times, where the same three say how one
time follows the other, and not again after a record that fits `until`. `greedy`: while it can be taken again, nothing
else follows. An optional step may be left out. `Untaken`: no such record before the next step.

Here this becomes a net: spots that take records, and between them edges that say how one follows the other. Every time
that a step can be taken is a spot of its own, but for the last of those that have no end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.expressions import Field, Moment
from cepheid.algebra.patterns import Atom
from cepheid.algebra.traversal import transform
from cepheid.diagnostics import Span

MOST_SPOTS = 500


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that takes something `least` to `most` times; `inner` says how one time follows the other."""

    item: "Atom | tuple[SequenceStep, ...]"
    span: Span | None = None
    contiguity: str = "next"
    least: int = 1
    most: int | None = 1
    is_optional: bool = False
    inner: str = "next"
    is_greedy: bool = False
    until: Atom | None = None

    @property
    def may_be_left_out(self) -> bool:
        return self.is_optional or self.least == 0


@dataclass(frozen=True, slots=True)
class Untaken:
    """No such record before the next step."""

    atom: Atom
    span: Span | None = None


SequenceStep = Taken | Untaken


class SequenceMistake(Exception):  # noqa: N818  # it becomes an error in the words of a language
    """What cannot be said: `kind` is a name for it, by which a language finds its hint."""

    def __init__(self, kind: str, message: str, label: str, span: Span | None) -> None:
        super().__init__(message)
        self.kind, self.message, self.label, self.span = kind, message, label, span


@dataclass(frozen=True, slots=True)
class Edge:
    """The way to a spot: what must not stand on it, or right at its start, and what the spot must be `unlike`."""

    target: int
    contiguity: str
    absent: tuple[Atom, ...] = ()
    adjacent: tuple[Atom, ...] = ()
    unlike: tuple[Atom, ...] = ()


@dataclass(slots=True)
class Spot:
    """A record that is taken, with the ways on; or the sequence `ends` here."""

    atom: Atom
    edges: list[Edge] = field(default_factory=list)
    ends: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    spot: int
    contiguity: str
    absent: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class _Exit:
    spot: int
    absent: tuple[Atom, ...] = ()
    adjacent: tuple[Atom, ...] = ()
    unlike: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class _Fragment:
    entries: tuple[_Entry, ...]
    exits: tuple[_Exit, ...]
    may_be_left_out: bool


class Net:
    """The spots of a sequence, and those that it can begin with."""

    def __init__(self, steps: Sequence[SequenceStep], span: Span | None) -> None:
        self.spots: list[Spot] = []
        if not any(isinstance(step, Taken) for step in steps):
            raise SequenceMistake("empty", "a sequence takes at least one record", "nothing is taken here", span)
        if isinstance(steps[0], Untaken):
            message = "a sequence cannot begin with `not`"
            raise SequenceMistake("begins-with-not", message, "nothing comes before it", steps[0].span)
        whole = self._steps(steps)
        if whole.may_be_left_out:
            label = "all that stands here may be left out"
            raise SequenceMistake("all-optional", "a sequence takes at least one record", label, steps[0].span or span)
        for one in whole.exits:
            self._end(one, steps, span)
        self.firsts = tuple(dict.fromkeys(entry.spot for entry in whole.entries))

    def _end(self, one: _Exit, steps: Sequence[SequenceStep], span: Span | None) -> None:
        if one.unlike or one.adjacent:
            greedy = next((step for step in steps if isinstance(step, Taken) and step.is_greedy), None)
            message = "nothing says when a greedy step has all it can get"
            place = span if greedy is None else greedy.span
            raise SequenceMistake("greedy-end", message, "nothing must follow it", place)
        if one.absent:
            place = next((step.span for step in steps if isinstance(step, Untaken) and step.atom in one.absent), span)
            message = "nothing says until when this is absent"
            raise SequenceMistake("dangling-not", message, "what comes after it may be left out", place)
        self.spots[one.spot].ends = True

    def _steps(self, steps: Sequence[SequenceStep]) -> _Fragment:
        entries: list[_Entry] = []
        exits: list[_Exit] = []
        absent: tuple[Atom, ...] = ()
        nothing_yet = True
        for step in steps:
            if isinstance(step, Untaken):
                exits = [replace(one, absent=(*one.absent, step.atom)) for one in exits]
                absent = (*absent, step.atom)
                continue
            found = self._taken(step)
            self._join(exits, found.entries)
            if nothing_yet:
                entries += [replace(one, absent=(*absent, *one.absent)) for one in found.entries]
            exits = [*(exits if found.may_be_left_out else ()), *found.exits]
            nothing_yet = nothing_yet and found.may_be_left_out
        return _Fragment(tuple(entries), tuple(exits), nothing_yet)

    def _taken(self, step: Taken) -> _Fragment:
        _check(step)
        times = step.most if step.most is not None else max(step.least, 1)
        entries: tuple[_Entry, ...] = ()
        before: tuple[_Exit, ...] = ()
        exits: list[_Exit] = []
        for time in range(1, times + 1):
            found = self._once(step)
            if time == 1:
                entries = tuple(_entered(one, step.contiguity) for one in found.entries)
            self._join(before, found.entries, step)
            if time >= step.least:
                full = time == times and step.most is not None
                exits += [one if full else _exhausted(one, step) for one in found.exits]
            before = found.exits
        if step.most is None:
            self._join(before, found.entries, step)
        return _Fragment(entries, tuple(exits), step.may_be_left_out)

    def _once(self, step: Taken) -> _Fragment:
        if isinstance(step.item, Atom):
            if len(self.spots) == MOST_SPOTS:
                message = f"a sequence counts to {MOST_SPOTS} at most"
                raise SequenceMistake("too-long", message, "this makes it longer", step.span)
            self.spots.append(Spot(step.item))
            number = len(self.spots) - 1
            return _Fragment((_Entry(number, "next"),), (_Exit(number),), may_be_left_out=False)
        found = self._steps(step.item)
        if found.may_be_left_out:
            label = "all that stands in the group may be left out"
            raise SequenceMistake("all-optional", "a group takes at least one record", label, step.span)
        return found

    def _join(self, exits: Sequence[_Exit], entries: Sequence[_Entry], again: Taken | None = None) -> None:
        """Lead from where something ends to where the next begins, or the same once more."""
        until = () if again is None or again.until is None else (again.until,)
        for one in exits:
            for entry in entries:
                how = _entered(entry, "next" if again is None else again.inner)
                absent = (*one.absent, *how.absent, *until)
                self.spots[one.spot].edges.append(Edge(how.spot, how.contiguity, absent, one.adjacent, one.unlike))


def _entered(entry: _Entry, contiguity: str) -> _Entry:
    """Return an entry as what stands around it says; what it says itself counts where that says nothing."""
    return entry if contiguity == "next" else replace(entry, contiguity=contiguity)


def _exhausted(one: _Exit, step: Taken) -> _Exit:
    """Return the way out of a step that could be taken once more: a greedy one is left only where it cannot be."""
    if not step.is_greedy:
        return one
    assert isinstance(step.item, Atom)
    if step.inner == "strict":
        return replace(one, adjacent=(*one.adjacent, step.item))
    return replace(one, absent=(*one.absent, step.item), unlike=(*one.unlike, step.item))


def _check(step: Taken) -> None:
    """Raise for words about several times where there is one, and for what greedy cannot be said of."""
    if step.most is not None and step.most < max(step.least, 1):
        raise SequenceMistake("no-times", "a step is taken at least once", "this is never taken", step.span)
    if step.most == 1 and (step.inner != "next" or step.until is not None or step.is_greedy):
        message = "this says how several records follow each other, and the step takes one"
        raise SequenceMistake("one-record", message, "it takes one record", step.span)
    if step.is_greedy and not isinstance(step.item, Atom):
        message = "a group cannot be greedy"
        raise SequenceMistake("greedy-group", message, "whether it can be taken again takes several records", step.span)
    if step.is_greedy and (step.until is not None or step.inner == "any"):
        word = "until" if step.until is not None else "combinations"
        message = f"`greedy` cannot stand with `{word}`"
        raise SequenceMistake("greedy-with", message, "what all it can get would be is not clear", step.span)


def renamed(atom: Atom, name: str) -> Atom:
    """Return an atom under another name."""

    def changed(node: object) -> object:
        if isinstance(node, Field) and node.part == atom.name:
            return replace(node, part=name)
        if isinstance(node, Moment) and node.endpoint.part == atom.name:
            return replace(node, endpoint=replace(node.endpoint, part=name))
        return node

    return replace(atom, name=name, where=transform(atom.where, changed))
