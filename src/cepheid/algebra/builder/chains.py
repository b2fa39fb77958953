"""Chains: greedy automata over single records, with variables, alternatives, recursion and records to avoid.

    spawn, current = event("spawn"), variable("current")
    chain(
        step(spawn[spawn.exe == "Outlook.exe"], name="main").letting(current=spawn.pid).then("drop", "child"),
        step(spawn[spawn.parent == current], name="child").letting(current=spawn.pid).then("drop", "child"),
        step(spawn[(spawn.parent == current) & (spawn.exe == "powershell.exe")], name="drop"),
        window="10 min",
    )

A step without `then` is followed by the next one, and the last one reports. One event may lead several steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.builder.events import EventPart
from cepheid.algebra.builder.leads import atom_of
from cepheid.algebra.builder.names import word_of
from cepheid.algebra.builder.patterns import Part
from cepheid.algebra.builder.terms import Operand, expression_of
from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.builder.windows import run_window
from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.diagnostics import CepheidError, Diagnostic


@dataclass(frozen=True, slots=True, eq=False)
class ChainStep:
    """One step of a chain: a record to wait for, what to remember of it, and what comes next."""

    _lead: Atom
    _name: str | None = None
    _lets: Mapping[str, Expr] = field(default_factory=dict)
    _avoid: Atom | None = None
    _follow: tuple[str, ...] | None = None
    _every: bool = False

    def letting(self, **values: Operand) -> "ChainStep":
        """Set variables, one after the other, to values of this record and of the variables so far."""
        new = {name: expression_of(value) for name, value in values.items()}
        return replace(self, _lets={**self._lets, **new})

    def avoiding(self, event: EventPart) -> "ChainStep":
        """Give up where such a record comes before the next step."""
        return replace(self, _avoid=atom_of(event))

    def then(self, *names: str) -> "ChainStep":
        """Go on with each of the steps of these names."""
        return replace(self, _follow=names)

    def reporting(self) -> "ChainStep":
        """The chain is complete here."""
        return replace(self, _follow=())


def step(lead: EventPart, *, name: str | None = None, every: bool = False) -> ChainStep:
    """Wait for the first record that is such an event, or for `every` one; its conditions may read variables."""
    return ChainStep(atom_of(lead), name, _every=every)


def chain(
    *steps: ChainStep | EventPart,
    window: Length | None = None,
    records: int | None = None,
    initially: Mapping[str, Operand] | None = None,
    evidence: bool = True,
    observed: Sequence[str] | None = None,
) -> Part:
    """A chain that begins with the first of the steps.

    `window` and `records` bound it from its first record to its last. Without `evidence`, runs that end together and
    agree on the `observed` variables (all of them, unless named) are one match.
    """
    taken = [step(one) if isinstance(one, EventPart) else one for one in steps]
    if not taken:
        raise _no_steps()
    names = _names(taken)
    draft = Chain(
        {name: _step(one, names[place + 1 :]) for place, (name, one) in enumerate(zip(names, taken, strict=True))},
        names[0],
        {name: expression_of(value) for name, value in (initially or {}).items()},
        run_window(None if window is None else ticks(window), records),
        evidence,
        None if observed is None else tuple(observed),
    )
    return Part(draft)


def _step(one: ChainStep, later: Sequence[str]) -> Step:
    follow = tuple(later[:1]) if one._follow is None else one._follow
    return Step(one._lead, one._lets, one._avoid, follow, one._every)


def _names(steps: Sequence[ChainStep]) -> list[str]:
    """Return the names of the steps; one without a name is called after its event."""
    given = [one._name for one in steps if one._name is not None]
    if len(set(given)) < len(given):
        raise _same_step(next(name for name in given if given.count(name) > 1))
    names: list[str] = []
    for one in steps:
        names.append(one._name if one._name is not None else _free(word_of(one._lead.name), {*given, *names}))
    return names


def _free(word: str, taken: set[str]) -> str:
    numbered = (f"{word}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (word, *numbered) if name not in taken)


def _no_steps() -> CepheidError:
    return CepheidError(Diagnostic("no-parts", "a chain needs a step", hints=('write `chain(event("login"))`',)))


def _same_step(name: str) -> CepheidError:
    hint = f'give one of them another name: `step(a, name="{name}2")`'
    return CepheidError(Diagnostic("duplicate-step", f"two steps are called `{name}`", hints=(hint,)))
