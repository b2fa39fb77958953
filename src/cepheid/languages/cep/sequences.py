"""Sequences step by step, with what may stand between them: what a user of Flink calls contiguity.

    sequence within 10 min { 3 of f: Failed, strict ok: Accepted[user == f.user], not Logout, any t: Transfer }

A step takes a record. `next`, which need not be said: the first later record that fits. `strict`: the very next one.
`any`: every later record that fits. `2..3 of` takes several, the first that fits each time, or with `consecutive` one
right after the other, and none after a record that fits `until`. `optional` may be left out. `not`: no such record
before the next step, or, at the end, before the window closes.

All of it becomes chains: a state for every number of records that a step has taken, and a copy of it for everything
that must not stand before the record after it. What begins with `any` is a chain of its own, joined to what is before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.expressions import Expr, Field, Variable
from cepheid.algebra.patterns import Atom, Chain, Distinct, Either, Join, Pattern, Step, Unless
from cepheid.algebra.relations import Difference, Relation, after, end, start
from cepheid.algebra.text.show_patterns import ABSENT, PATTERN, RUN, join_window, neighbours
from cepheid.algebra.traversal import transform, walk
from cepheid.diagnostics import Span
from cepheid.languages.cep.clauses import Clauses
from cepheid.languages.cep.mistakes import mistake

ANY_RECORD = Atom("$between", frozenset())


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that takes `least` to `most` records."""

    atom: Atom
    span: Span
    contiguity: str = "next"
    least: int = 1
    most: int | None = 1
    is_optional: bool = False
    is_consecutive: bool = False
    until: Atom | None = None

    @property
    def may_be_left_out(self) -> bool:
        return self.is_optional or self.least == 0

    @property
    def states(self) -> int:
        """How many numbers of records are told apart."""
        return self.most if self.most is not None else max(self.least, 1)


@dataclass(frozen=True, slots=True)
class Untaken:
    """No such record before the next step."""

    atom: Atom
    span: Span


State = tuple[int, int]
"""The number of a step, and how many records it has taken."""


def lowered(steps: Sequence[Taken | Untaken], said: Clauses, span: Span) -> Pattern:
    """Return the pattern of a sequence."""
    *front, last = steps
    closing = last if isinstance(last, Untaken) else None
    segments = list(_segments(front if closing else steps, span))
    for segment in segments:
        _check(segment, [step for other in segments if other is not segment for step in _taken(other)])
    chains = tuple(_Segment(segment, said.relation("window", window=RUN), span).pattern() for segment in segments)
    found: Pattern = chains[0]
    if len(chains) > 1:
        relation = neighbours("then", len(chains)) + said.relation(window=join_window("then", len(chains)))
        found = Distinct(Join(chains, relation, span=span), span=span)
    return found if closing is None else _without_end(found, closing, said, span)


def _taken(segment: Sequence[Taken | Untaken]) -> list[Taken]:
    return [step for step in segment if isinstance(step, Taken)]


def _segments(steps: Sequence[Taken | Untaken], span: Span) -> Iterator[list[Taken | Untaken]]:
    """Yield the steps up to each one that takes any record."""
    if not any(isinstance(step, Taken) for step in steps):
        raise mistake("a sequence takes at least one record", span, "nothing is taken here", "add a step: `a: A`")
    if isinstance(steps[0], Untaken):
        label, hint = "nothing comes before it", "begin with a step that takes a record"
        raise mistake("a sequence cannot begin with `not`", steps[0].span, label, hint)
    found: list[Taken | Untaken] = []
    for step in steps:
        if found and isinstance(step, Taken) and step.contiguity == "any":
            yield found
            found = []
        found.append(step)
    yield found


def _check(segment: Sequence[Taken | Untaken], elsewhere: Sequence[Taken]) -> None:
    """Raise for what cannot be said on one side of an `any`."""
    first, last = segment[0], segment[-1]
    if isinstance(last, Untaken):
        label, hint = "an `any` follows", "say it with `unless`: `(a then b) unless c between a and b`"
        raise mistake("`not` cannot stand before `any`", last.span, label, hint)
    if all(step.may_be_left_out for step in _taken(segment)):
        label, hint = "all that stands here may be left out", "leave one `optional` away"
        raise mistake("a sequence takes at least one record", first.span, label, hint)
    for at, step in enumerate(segment):
        if isinstance(step, Untaken) and all(later.may_be_left_out for later in _taken(segment[at:])):
            label, hint = "what comes after it may be left out", "put it at the end, or leave `optional` away"
            raise mistake("nothing says until when this is absent", step.span, label, hint)
    if isinstance(first, Taken) and first.contiguity == "any" and (first.may_be_left_out or first.most != 1):
        hint = "take several with `repeat r: 2..* of a choose all`"
        raise mistake("`any` takes one record", first.span, "it takes several, or none", hint)
    foreign = {step.atom.name for step in elsewhere}
    for step in segment:
        if any(isinstance(node, Field) and node.part in foreign for node in walk(step.atom.where)):
            label, hint = "it is on the other side of `any`", "put the condition after the sequence: `where b.x > a.x`"
            raise mistake("this reads a step that is looked for apart", step.span, label, hint)


def _without_end(pattern: Pattern, closing: Untaken, said: Clauses, span: Span) -> Pattern:
    """Return a pattern that nothing of the kind follows before the window closes."""
    window = said.relation("window", window=RUN)
    highest = next((difference.high for difference in window if difference.high is not None), None)
    if highest is None:
        label, hint = "nothing says how long to wait", "add a window: `sequence within 10 min { ... }`"
        raise mistake("a `not` at the end needs a window", closing.span, label, hint)
    axis = window[0].later.axis
    until = Difference(end(ABSENT, axis), start(PATTERN, axis), high=highest)
    where = closing.atom.where
    reads_others = any(isinstance(node, Field) and node.part != closing.atom.name for node in walk(where))
    absent = replace(closing.atom, where=None) if reads_others else closing.atom
    relation: Relation = (after(ABSENT, PATTERN), until)
    return Unless(pattern, absent, relation, where=where if reads_others else None, span=span)


@dataclass(frozen=True, slots=True)
class _Segment:
    """Steps that one chain goes through."""

    steps: Sequence[Taken | Untaken]
    window: Relation
    span: Span

    @property
    def taken(self) -> list[Taken]:
        return _taken(self.steps)

    def pattern(self) -> Pattern:
        """Return a chain for everything that the sequence can begin with."""
        firsts = [name for state in self._firsts() for name in self._copies(state)]
        states = self._chain_steps()
        chains = [self._chain(name, states) for name in firsts]
        return chains[0] if len(chains) == 1 else Distinct(Either(tuple(chains), span=self.span), span=self.span)

    def _chain(self, first: str, states: dict[str, Step]) -> Chain:
        # Whichever way a run went over its records, and whatever it remembered: it is one match.
        return Chain(_reached(first, states), first, window=self.window, observed=(), span=self.span)

    def _firsts(self) -> list[State]:
        return [(index, 1) for index in self._next_steps(-1)]

    def _next_steps(self, index: int) -> Iterator[int]:
        """Yield the steps that can come after one: the next, and those after steps that are left out."""
        for later in range(index + 1, len(self.taken)):
            yield later
            if not self.taken[later].may_be_left_out:
                return

    def _can_end(self, state: State) -> bool:
        index, count = state
        enough = count >= self.taken[index].least
        return enough and all(step.may_be_left_out for step in self.taken[index + 1 :])

    def _transitions(self, state: State) -> Iterator[tuple[State, Atom | None]]:
        """Yield what can come after a state, and what must not stand before it."""
        index, count = state
        step = self.taken[index]
        if count < step.states or step.most is None:
            yield (index, min(count + 1, step.states)), ANY_RECORD if step.is_consecutive else step.until
        if count >= step.least:
            for later in self._next_steps(index):
                yield (later, 1), self._between(index, later)

    def _between(self, index: int, later: int) -> Atom | None:
        if self.taken[later].contiguity == "strict":
            return ANY_RECORD
        first, last = (self.steps.index(self.taken[at]) for at in (index, later))
        absent = [step for step in self.steps[first:last] if isinstance(step, Untaken)]
        if len(absent) > 1:
            label, hint = "another `not` stands before it", "name both types in one: `not x: {A, B}`"
            raise mistake("two things are absent at once", absent[1].span, label, hint)
        return absent[0].atom if absent else None

    def _copies(self, state: State) -> dict[str, tuple[Atom | None, list[State]]]:
        """Return the copies of a state by their names: one for each thing that must not stand after its record."""
        follows: dict[Atom | None, list[State]] = {}
        for target, absent in self._transitions(state):
            follows.setdefault(absent, []).append(target)
        named = f"{self.taken[state[0]].atom.name} {state[1]}"
        copies = [*follows.items(), *([(None, [])] if self._can_end(state) else [])]
        return {f"{named}.{number}": copy for number, copy in enumerate(copies, start=1)}

    def _chain_steps(self) -> dict[str, Step]:
        found: dict[str, Step] = {}
        for index, step in enumerate(self.taken):
            for count in range(1, step.states + 1):
                for name, (absent, targets) in self._copies((index, count)).items():
                    follow = tuple(one for target in targets for one in self._copies(target))
                    avoid = None if absent is None else self._read(absent)
                    found[name] = Step(self._read(step.atom), self._lets(step.atom.name), avoid, follow)
        return found

    def _read(self, atom: Atom) -> Atom:
        """Return an atom that reads the steps before it as variables."""

        def remembered(node: object) -> object:
            own = not isinstance(node, Field) or node.part == atom.name
            return node if own else Variable(f"{node.part}.{node.name}")  # type: ignore[attr-defined]  # a field

        where: Expr | None = transform(atom.where, remembered)
        return replace(atom, where=where)

    def _lets(self, part: str) -> dict[str, Expr]:
        """Return what later steps read of this one."""
        fields = [
            node
            for step in self.steps
            for node in walk((step.atom.where, getattr(step, "until", None)))
            if isinstance(node, Field) and node.part == part and step.atom.name != part
        ]
        return {f"{node.part}.{node.name}": node for node in fields}


def _reached(first: str, states: dict[str, Step]) -> dict[str, Step]:
    """Return the states that can be reached from one, that one first."""
    found, waiting = {first: states[first]}, [first]
    while waiting:
        for name in states[waiting.pop()].follow:
            if name not in found:
                found[name] = states[name]
                waiting.append(name)
    return found
