"""What is declared about the input when a query is compiled: how often events come, and how late."""

from collections.abc import Mapping
from dataclasses import replace

from cepheid.algebra.builder import declare
from cepheid.algebra.patterns import Atom
from cepheid.algebra.programs import Program, Stream
from cepheid.algebra.relations import Ticks
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.inputs import input_types
from cepheid.api.places import label_at
from cepheid.diagnostics import Diagnostic, Label, Severity, close_match

_EVERY = "every "


def declared(program: Program, rates: Mapping[str, str], disorder: Ticks | None) -> Program:
    """Return the program with what is declared about its input, beside what it says itself."""
    streams = {stream.name: stream for stream in program.streams}
    for name, rate in rates.items():
        arrival = _rate(name, rate).arrival
        streams[name] = replace(streams.get(name, Stream(name)), arrival=arrival)
    if disorder is not None:
        for name in sorted(input_types(program) | set(streams)):
            stream = streams.get(name, Stream(name))
            streams[name] = replace(stream, disorder=max(stream.disorder, disorder))
    return replace(program, streams=tuple(streams.values()))


def rates_of_nothing(program: Program, rates: Mapping[str, str]) -> list[Diagnostic]:
    """Return a warning for every rate of a type that the query does not name."""
    types = input_types(program)
    return [_unknown_type(name, types) for name in rates if name not in types]


def _rate(name: str, rate: str) -> Stream:
    text = rate.strip()
    if text.startswith(_EVERY):
        return declare(name, every=text.removeprefix(_EVERY).strip())
    return declare(name, rate=text)


def _unknown_type(name: str, types: frozenset[str]) -> Diagnostic:
    closest = close_match(name, types)
    hint = f"did you mean `{closest}`?" if closest else f"the query reads {_listed(types)}"
    message = f"a rate is given for `{name}`, which the query does not read"
    return Diagnostic("unknown-type", message, hints=(hint,), severity=Severity.WARNING)


def unseen_types(program: Program, seen: Mapping[str, int]) -> list[Diagnostic]:
    """Return a warning for every type that the query reads and the input has not, where that looks like a mistake."""
    types = input_types(program)
    missing, other = sorted(types - set(seen)), [name for name in seen if name not in types]
    if seen and types and len(missing) == len(types):
        return [replace(_nothing_read(types, other), labels=_labels(program, missing[0]))]
    closest = {name: close_match(name, other) for name in missing}
    return [_unseen(name, found, _labels(program, name)) for name, found in closest.items() if found is not None]


def _nothing_read(types: frozenset[str], seen: list[str]) -> Diagnostic:
    message = f"the query reads {_listed(types)}, and the input has none of that"
    near = [(name, close_match(name, seen)) for name in sorted(types)]
    hints = tuple(f"did you mean `{found}` by `{name}`?" for name, found in near if found is not None)
    notes = (f"the input has {_listed(frozenset(seen))}",)
    return Diagnostic("unknown-type", message, hints=hints, notes=notes, severity=Severity.WARNING)


def _unseen(name: str, closest: str, labels: tuple[Label, ...]) -> Diagnostic:
    message, hints = f"the query reads `{name}`, and the input has none", (f"did you mean `{closest}`?",)
    return Diagnostic("unknown-type", message, labels, hints=hints, severity=Severity.WARNING)


def _labels(program: Program, type_: str) -> tuple[Label, ...]:
    """Return where a rule reads a type first."""
    atoms = (node for rule in program.rules for node in walk(rule.pattern) if isinstance(node, Atom))
    span = next((atom.span for atom in atoms if type_ in atom.types), None)
    return label_at([span], type_, otherwise=span)


def _listed(names: frozenset[str]) -> str:
    shown = [f"`{name}`" for name in sorted(names)]
    return ", ".join(shown[:8]) + (" and more" if len(shown) > 8 else "") if shown else "nothing"
