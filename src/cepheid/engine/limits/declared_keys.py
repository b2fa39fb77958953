"""The declared numbers of keys: how many values of an attribute have come, as far as a certificate counts on them."""

from collections.abc import Iterable, Mapping

from cepheid.algebra.programs import Program
from cepheid.analysis import Certificate
from cepheid.analysis.bounds.bounds import Bound, Keys, walk
from cepheid.diagnostics import Diagnostic, Severity
from cepheid.events import Event, values

Attribute = tuple[str, str]


class DeclaredKeys:
    """The values seen of every attribute whose number was declared and is part of a bound."""

    def __init__(self, program: Program, certificate: Certificate | None) -> None:
        declared = {stream.name: stream.keys for stream in program.streams if stream.keys is not None}
        counted = _counted_on(certificate) if certificate is not None else frozenset()
        self.most: Mapping[Attribute, int] = {one: declared[one[0]] for one in counted if one[0] in declared}
        self.seen: dict[Attribute, set[object]] = {one: set() for one in self.most}

    def one_too_many(self, event: Event) -> Attribute | None:
        """Return the attribute of which an event brings more values than were declared, None if there is none."""
        for kind, name in self.most:
            key = values.key_of(event.get(name)) if kind == event.type else None
            known = self.seen[kind, name]
            if key is not None and key not in known and len(known) >= self.most[kind, name]:
                return kind, name
        return None

    def take(self, event: Event) -> None:
        """Remember the values of an event, no more of them than were declared."""
        for (kind, name), known in self.seen.items():
            if kind == event.type and len(known) < self.most[kind, name]:
                key = values.key_of(event.get(name))
                if key is not None:
                    known.add(key)

    def state(self) -> object:
        return [[kind, name, list(known)] for (kind, name), known in self.seen.items()]

    def restore(self, state: Iterable[tuple[str, str, list[object]]]) -> None:
        for kind, name, known in state:
            if (kind, name) in self.seen:
                self.seen[kind, name] = set(known)

    def complaint(self, attribute: Attribute, severity: Severity) -> Diagnostic:
        kind, name = attribute
        message = f"`{kind}` events have more than {self.most[attribute]} values of `{name}`"
        hint = f"declare how many there are, for example `stream {kind} keys {2 * self.most[attribute]}`"
        note = "the bounds of this query were proved for what is declared"
        return Diagnostic("rate-exceeded", message, hints=(hint,), notes=(note,), severity=severity)


def _counted_on(certificate: Certificate) -> frozenset[Attribute]:
    return frozenset((kind, one.attribute) for one in _keys(certificate) for kind in one.types)


def _keys(certificate: Certificate) -> Iterable[Keys]:
    formulas: list[Bound] = [
        promise.formula
        for rule in certificate.rules
        for promise in (rule.entry_buffer, *(p for op in rule.operators for p in (op.entries, op.waiting)))
    ]
    formulas += [one.entries.formula for pipe in certificate.pipes for one in pipe.processors]
    formulas += [pipe.buffer.formula for pipe in certificate.pipes]
    return [node for formula in formulas for node in walk(formula) if isinstance(node, Keys)]
