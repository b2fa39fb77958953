"""From the net of a sequence to chains, which run: a state for every spot and for everything that must not follow it.

A chain avoids one thing on all ways on from a step, so that ways which avoid different things leave from copies of it.
A sequence that can begin with several records is one chain for each, and one match for each set of records.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from cepheid.algebra.expressions import TYPE, Call, Expr, Field, Literal, Moment, Variable, conjunction
from cepheid.algebra.patterns import Atom, Chain, Distinct, Either, Pattern, Skip, Step, Unless
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Axis, Difference, Endpoint, Relation, after, end, start
from cepheid.algebra.sequence_reads import check_reads
from cepheid.algebra.sequences import Edge, Net, SequenceMistake, SequenceStep, Untaken, renamed
from cepheid.algebra.traversal import transform, walk
from cepheid.diagnostics import Span

ABSENT = "$absent"
FIRST, PLACE = ".$first", ".$place"
"""What the variables end with that hold the position of the first record of a step, and of the last one."""
ANY_RECORD = Atom("$between", frozenset())
_NULL: Expr = Literal(None)


@dataclass(frozen=True, slots=True)
class AfterMatch:
    """Where to go on after a match: `past` its last record, at its `next` one, at the `first` or `last` of a part."""

    to: str
    part: str | None = None
    span: Span | None = None


def sequence(
    steps: Sequence[SequenceStep],
    window: Relation,
    span: Span | None = None,
    skip: AfterMatch | None = None,
    words: Mapping[str, str] | None = None,
) -> Pattern:
    """Return the pattern of a sequence; `window` is what holds from `$first` to `$last`.

    States and variables are named after the steps, or after the `words` for these.
    """
    closing = steps[-1] if len(steps) > 1 and isinstance(steps[-1], Untaken) else None
    net = Net(steps[:-1] if closing else steps, span)
    check_reads(net, words or {})
    noted = skip.part if skip is not None and skip.to == "first" else None
    chains = _Chains(net, window, noted, words or {}, span)
    found = chains.pattern()
    if closing is not None:
        found = _without_end(found, closing, window, span)
    return found if skip is None else Skip(found, _skipped_to(skip, chains), span=span)


def past_last() -> Expr:
    """Return where the records begin that come after a match."""
    return Call("+", (Moment(end(HULL, Axis.POSITION)), Literal(1)))


def to_next() -> Expr:
    """Return where the records begin that come after the first one of a match."""
    return Call("+", (Moment(start(HULL, Axis.POSITION)), Literal(1)))


def _skipped_to(skip: AfterMatch, chains: "_Chains") -> Expr:
    if skip.to in ("past", "next"):
        return past_last() if skip.to == "past" else to_next()
    assert skip.part is not None
    if all(spot.atom.name != skip.part for spot in chains.net.spots):
        message = f"no step of this sequence is called `{skip.part}`"
        raise SequenceMistake("no-such-step", message, "it is not one of the steps", skip.span)
    return chains.first_of(skip.part) if skip.to == "first" else Moment(start(skip.part, Axis.POSITION))


def _without_end(pattern: Pattern, closing: Untaken, window: Relation, span: Span | None) -> Pattern:
    """Return a pattern that nothing of the kind follows before the window closes."""
    limit = next((difference for difference in window if difference.high is not None), None)
    if limit is None:
        label = "nothing says how long to wait"
        raise SequenceMistake("open-not", "a `not` at the end needs a window", label, closing.span)
    axis = limit.later.axis
    until = Difference(end(ABSENT, axis), start(HULL, axis), high=limit.high)
    where = closing.atom.where
    reads_others = any(isinstance(node, Field) and node.part != closing.atom.name for node in walk(where))
    absent = replace(closing.atom, where=None) if reads_others else closing.atom
    relation: Relation = (after(ABSENT, HULL), until)
    return Unless(pattern, absent, relation, where=where if reads_others else None, span=span)


@dataclass(frozen=True, slots=True)
class _Way:
    """A spot that a run waits for, with what its record must not be, and whether every such record is taken."""

    spot: int
    every: bool = False
    unlike: tuple[Atom, ...] = ()


@dataclass(frozen=True)
class _Chains:
    """The chains of a net; `noted` is the step whose first record is remembered."""

    net: Net
    window: Relation
    noted: str | None
    words: Mapping[str, str]
    span: Span | None

    def pattern(self) -> Pattern:
        """Return a chain for everything that the sequence can begin with."""
        firsts = [name for spot in self.net.firsts for name in self._names(_Way(spot))]
        chains = [self._chain(name) for name in firsts]
        return chains[0] if len(chains) == 1 else Distinct(Either(tuple(chains), span=self.span), span=self.span)

    def _chain(self, first: str) -> Chain:
        # Whichever way a run went over its records, and whatever it remembered: it is one match.
        steps = self._reached(first)
        known = {name for step in steps.values() for name in step.lets}
        unset = {node.name for node in walk(steps) if isinstance(node, Variable) and node.name not in known}
        noted = set() if self.noted is None else {self.first_of(self.noted).name}
        initially = dict.fromkeys(sorted(unset | noted), _NULL)
        return Chain(steps, first, initially, self.window, observed=(), span=self.span)

    def _reached(self, first: str) -> dict[str, Step]:
        found: dict[str, Step] = {}
        waiting = [first]
        while waiting:
            name = waiting.pop(0)
            if name not in found:
                found[name] = self._states[name]
                waiting += found[name].follow
        return found

    @cached_property
    def _states(self) -> dict[str, Step]:
        """The states that can be reached, by their names."""
        found: dict[str, Step] = {}
        ways = [_Way(spot) for spot in self.net.firsts]
        seen = set(ways)
        while ways:
            way = ways.pop(0)
            for name, (avoid, targets) in self._names(way).items():
                follow = tuple(one for target in targets for one in self._names(target))
                found[name] = Step(self._lead(way), self._lets(way.spot), self._avoided(avoid), follow, way.every)
                new = [target for target in dict.fromkeys(targets) if target not in seen]
                seen.update(new)
                ways += new
        return found

    def _names(self, way: _Way) -> dict[str, tuple[Atom | None, list[_Way]]]:
        """Return the copies of a state by their names: one for each thing that must not stand after its record."""
        spot = self.net.spots[way.spot]
        follows: dict[Atom | None, list[_Way]] = {}
        for edge in spot.edges:
            beside = (self._beside(atom, spot.atom.name) for atom in edge.adjacent)
            target = _Way(edge.target, edge.contiguity == "any", (*edge.unlike, *beside))
            if self._can_be(target):
                follows.setdefault(self._absent(spot.atom.name, edge), []).append(target)
        copies = [*follows.items(), *([(None, [])] if spot.ends else [])]
        others = "".join(f" not {self._word(other.name)}" for other in way.unlike)
        named = f"{self._word(spot.atom.name)} {way.spot + 1}{' any' if way.every else ''}{others}"
        return {f"{named}.{number}": copy for number, copy in enumerate(copies, start=1)}

    def _absent(self, before: str, edge: Edge) -> Atom | None:
        """Return what must not stand before the record of an edge."""
        if edge.contiguity == "strict":
            return ANY_RECORD
        beside = [self._beside(atom, before) for atom in edge.adjacent]
        return one_of(tuple(dict.fromkeys((*edge.absent, *beside))))

    def _can_be(self, way: _Way) -> bool:
        """Say whether a record can be what a way leads to, although it must not be something else."""
        atom = self.net.spots[way.spot].atom
        return all(_fits(other, atom) != Literal(True) for other in way.unlike)

    def _lead(self, way: _Way) -> Atom:
        atom = self.net.spots[way.spot].atom
        fitting = [fits for other in way.unlike if (fits := _fits(other, atom)) is not None]
        unlike = [Call("not", (Call("coalesce", (one, Literal(False))),)) for one in fitting]
        own = () if atom.where is None else (atom.where,)
        return self._avoided(replace(atom, where=conjunction((*own, *unlike)))) or atom

    def _avoided(self, atom: Atom | None) -> Atom | None:
        """Return an atom that reads the steps before it as variables."""
        if atom is None:
            return None

        def remembered(node: object) -> object:
            other = _of_another(node, atom.name)
            return node if other is None else self._variable(*other)

        return replace(atom, where=transform(atom.where, remembered))

    def _lets(self, spot: int) -> dict[str, Expr]:
        """Return what is remembered of the record of a spot."""
        part = self.net.spots[spot].atom.name
        place: Expr = Moment(start(part, Axis.POSITION))
        found: dict[str, Expr] = dict(self._read.get(part, {}))
        if any(edge.adjacent for edge in self.net.spots[spot].edges):
            found[self._variable(part, PLACE[1:]).name] = place
        if part == self.noted:
            found[self.first_of(part).name] = Call("coalesce", (self.first_of(part), place))
        return found

    def _word(self, part: str) -> str:
        return self.words.get(part, part)

    def _variable(self, part: str, name: str) -> Variable:
        """Return the variable that remembers something of a step."""
        return Variable(f"{self._word(part)}.{name}")

    def first_of(self, part: str) -> Variable:
        """Return the variable that says where the first record of a step stands."""
        return self._variable(part, FIRST[1:])

    def _beside(self, atom: Atom, before: str) -> Atom:
        """Return an atom for the record right after that of another step."""
        place = Moment(start(atom.name, Axis.POSITION))
        beside = Call("==", (place, Call("+", (self._variable(before, PLACE[1:]), Literal(1)))))
        return replace(atom, where=conjunction((beside, *(() if atom.where is None else (atom.where,)))))

    @cached_property
    def _read(self) -> dict[str, dict[str, Expr]]:
        """What later steps read of each, by the names of variables."""
        found: dict[str, dict[str, Expr]] = {}
        for atom in self._atoms():
            for node in walk(atom.where):
                if (other := _of_another(node, atom.name)) is not None:
                    assert isinstance(node, Expr)
                    found.setdefault(other[0], {})[self._variable(*other).name] = node
        return found

    def _atoms(self) -> Iterator[Atom]:
        for spot in self.net.spots:
            yield spot.atom
            for edge in spot.edges:
                yield from (*edge.absent, *edge.adjacent)


def _of_another(node: object, own: str) -> tuple[str, str] | None:
    """Return the step that a node reads, other than its own, and what it reads of it."""
    match node:
        case Field(part, name) if part != own:
            return part, name
        case Moment(Endpoint(part, edge, axis)) if part != own:
            return part, f"${edge.value}" if axis is Axis.TIME else f"${axis.value} {edge.value}"
        case _:
            return None


def one_of(atoms: tuple[Atom, ...]) -> Atom | None:
    """Return an atom for each record that one of some atoms is for."""
    if len(atoms) < 2:
        return atoms[0] if atoms else None
    types = frozenset().union(*(atom.types for atom in atoms)) if all(atom.types for atom in atoms) else frozenset()
    whole = replace(atoms[0], types=types, where=None)
    wheres = [_fits(atom, whole) for atom in atoms]
    if any(one == Literal(True) for one in wheres):
        return whole
    different = [one for one in wheres if one is not None]
    return replace(whole, where=_disjunction(different))


def _fits(other: Atom, atom: Atom) -> Expr | None:
    """Return when a record that has a type of an atom fits another one as well; None: never."""
    if other.types and atom.types and not other.types & atom.types:
        return None
    own = renamed(other, atom.name).where
    kinds: list[Expr] = []
    if other.types and not (atom.types and atom.types <= other.types):
        is_of: list[Expr] = [Call("==", (Field(atom.name, TYPE), Literal(name))) for name in sorted(other.types)]
        kinds = [_disjunction(is_of)]
    found = conjunction((*kinds, *(() if own is None else (own,))))
    return Literal(True) if found is None else found


def _disjunction(conditions: Sequence[Expr]) -> Expr:
    joined = conditions[0]
    for condition in conditions[1:]:
        joined = Call("or", (joined, condition))
    return joined
