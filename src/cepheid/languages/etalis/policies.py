"""Which candidates of a binary operator count: what a policy of the text means to the joins of a rule.

    policy recent.      policy chronological tie longer.      e <- a SEQ b policy recent tie greatest volume.

Among candidates that end together, under chronological those that start together, the shorter one is taken, or the
longer one, or the one with the greatest value of an attribute.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Field, Moment
from cepheid.algebra.patterns import Atom, Pattern
from cepheid.algebra.policies import ALL, Choice, Policy
from cepheid.algebra.relations import end, start
from cepheid.algebra.traversal import walk
from cepheid.algebra.validation import visible
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Span, close_match
from cepheid.languages.etalis.syntax import PolicyText
from cepheid.languages.shared.findings import listed, refusal

POLICIES: Final[Mapping[str, Choice]] = {
    "unrestricted": Choice.ALL,
    "recent": Choice.RECENT,
    "chronological": Choice.CHRONOLOGICAL,
}

CANDIDATE: Final = "$candidate"
SHORTER: Final = Call("-", (Moment(start(CANDIDATE)), Moment(end(CANDIDATE))))
LONGER: Final = Call("-", (Moment(end(CANDIDATE)), Moment(start(CANDIDATE))))
TIES: Final = ("shorter", "longer", "greatest")


@dataclass(frozen=True, slots=True)
class Consumption:
    """A choice, and how ties are broken; `attribute` is that of `greatest`."""

    choice: Choice
    tie: str = "shorter"
    attribute: str | None = None

    def of(self, parts: Sequence[Pattern], attributes: Mapping[str, tuple[str, ...]]) -> Policy:
        """Return the policy of a join of `parts`; `attributes` are those of every event."""
        if self.choice is Choice.ALL:
            return ALL
        return Policy(self.choice, tie=self._tie(parts, attributes))

    def _tie(self, parts: Sequence[Pattern], attributes: Mapping[str, tuple[str, ...]]) -> tuple[Expr, ...]:
        if self.tie != "greatest" or self.attribute is None:
            return (LONGER if self.tie == "longer" else SHORTER,)
        fields = [
            Field(atom.name, self.attribute)
            for part in parts
            for atom in walk(part)
            if isinstance(atom, Atom) and atom.name in visible(part) and self._has(atom, attributes)
        ]
        return (Call("coalesce", tuple(fields)), SHORTER) if fields else (SHORTER,)

    def _has(self, atom: Atom, attributes: Mapping[str, tuple[str, ...]]) -> bool:
        return any(self.attribute in attributes.get(name, ()) for name in atom.types)


UNRESTRICTED: Final = Consumption(Choice.ALL)


def consumption_of(text: PolicyText, attributes: Mapping[str, tuple[str, ...]]) -> Consumption:
    """Return what a policy of the text says, or raise where there is no such policy."""
    choice = _known(text.choice.name, text.choice.span)
    if text.tie is None:
        return Consumption(choice)
    if choice is Choice.ALL:
        message, hint = "`unrestricted` takes every candidate, so there are no ties", "leave `tie` out"
        raise refusal("misplaced-choice", message, text.tie.span, "nothing to decide", hint)
    if text.tie.name not in TIES or (text.tie.name == "greatest") != (text.attribute is not None):
        message, label = f"`{text.tie.name}` does not say how a tie is broken", "not a way to decide"
        hint = "write `tie shorter`, `tie longer` or `tie greatest volume`"
        raise refusal("unknown-choice", message, text.tie.span, label, hint)
    if text.attribute is not None:
        _check_attribute(text, attributes)
    return Consumption(choice, text.tie.name, None if text.attribute is None else text.attribute.name)


def consumption_named(name: str) -> Consumption:
    """Return the policy that a caller names."""
    return Consumption(_known(name, None))


def _known(name: str, span: Span | None) -> Choice:
    if name in POLICIES:
        return POLICIES[name]
    labels = () if span is None else (Label(span, f"the policies are {listed(POLICIES)}"),)
    hint = f"did you mean `policy {close_match(name, POLICIES) or 'unrestricted'}`?"
    raise CepheidError(Diagnostic("unknown-choice", f"there is no policy `{name}`", labels, (hint,)))


def _check_attribute(text: PolicyText, attributes: Mapping[str, tuple[str, ...]]) -> None:
    assert text.attribute is not None
    known = sorted({name for names in attributes.values() for name in names})
    if text.attribute.name not in known:
        closest = close_match(text.attribute.name, known)
        hint = f"did you mean `{closest}`?" if closest else "declare it: `event stock(symbol, price, volume).`"
        message, label = f"no event has an attribute `{text.attribute.name}`", "not an attribute"
        raise refusal("unknown-attribute", message, text.attribute.span, label, hint)
