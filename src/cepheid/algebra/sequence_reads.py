"""What the conditions of a sequence read: only steps that can have taken a record before.

Whatever else they read would be null in every run, and the sequence would find nothing without a word.
"""

from collections.abc import Iterator, Mapping, Set

from cepheid.algebra.expressions import Field, Moment, Variable
from cepheid.algebra.patterns import Atom
from cepheid.algebra.sequences import Net, SequenceMistake
from cepheid.algebra.traversal import walk


def check_reads(net: Net, words: Mapping[str, str]) -> None:
    """Raise for a condition that reads a step which cannot come before it, or a variable, of which there are none."""
    bits = {name: 1 << number for number, name in enumerate(dict.fromkeys(spot.atom.name for spot in net.spots))}
    known: dict[Atom, int] = {}
    for spot, before in zip(net.spots, _taken_before(net, bits), strict=True):
        known[spot.atom] = known.get(spot.atom, 0) | before
        for atom in (absent for edge in spot.edges for absent in edge.absent):
            known[atom] = known.get(atom, 0) | before | bits[spot.atom.name]
    for atom, before in known.items():
        if atom.where is not None:
            _check(atom, {name for name, bit in bits.items() if bit & before}, words)


def _taken_before(net: Net, bits: Mapping[str, int]) -> list[int]:
    """Return, for every spot, the steps that can have taken a record before it, as a sum of bits."""
    found, changes = [0] * len(net.spots), True
    while changes:
        changes = False
        for number, spot in enumerate(net.spots):
            own = found[number] | bits[spot.atom.name]
            for edge in spot.edges:
                changes = changes or own | found[edge.target] != found[edge.target]
                found[edge.target] |= own
    return found


def _check(atom: Atom, before: Set[str], words: Mapping[str, str]) -> None:
    for node in walk(atom.where):
        if isinstance(node, Variable):
            message = f"a sequence has no variables, so that `{node.name}` is none"
            raise SequenceMistake("no-variable", message, "it is read here", atom.span)
    for part in _parts(atom):
        if part != atom.name and part not in before:
            own, read = words.get(atom.name, atom.name), words.get(part, part)
            message = f"`{read}` has taken nothing when `{own}` is looked for"
            raise SequenceMistake("later-step", message, f"`{read}` is read here", atom.span)


def _parts(atom: Atom) -> Iterator[str]:
    for node in walk(atom.where):
        if isinstance(node, Field):
            yield node.part
        elif isinstance(node, Moment):
            yield node.endpoint.part
