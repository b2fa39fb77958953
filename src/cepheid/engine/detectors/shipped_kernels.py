"""Kernels on their way to other machines: what was compiled here need not be compiled there.

Sources go along with the machine code. Where a processor is another one, the code is made anew from its source.
"""

import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from cepheid.algebra.patterns import Atom
from cepheid.algebra.traversal import walk
from cepheid.analysis import Plan
from cepheid.analysis.plans.inputs import fields_read
from cepheid.engine.detectors.tiered_detector import TieredDetector
from cepheid.engine.kernels.compiling.cache_files import put_into_cache
from cepheid.engine.kernels.compiling.compiled import files_in_cache, noting_kernels
from cepheid.events import Event, point

_AGAIN = 3


@dataclass(frozen=True, slots=True)
class ShippedKernels:
    """The files of kernels by name, packed."""

    files: tuple[tuple[str, bytes], ...] = ()

    def install(self) -> None:
        """Put the files where kernels are looked for; what finds no room there is compiled again."""
        with suppress(OSError):
            for name, content in self.files:
                put_into_cache(name, zlib.decompress(content))


def shipped_kernels(plans: Sequence[tuple[Plan, int]]) -> ShippedKernels:
    """Compile the kernels of plans, each with its disorder, by trying them on a few events; return their files."""
    with noting_kernels() as names:
        for plan, disorder in plans:
            _try(plan, disorder)
    return ShippedKernels(tuple((name, zlib.compress(content)) for name, content in files_in_cache(names)))


def _try(plan: Plan, disorder: int) -> None:
    detector = TieredDetector(plan, disorder=disorder)
    if detector.compiled is not None:
        events = _events(plan)
        for some in (events, events[::-1]):
            detector.compiled.push_all(some)
        detector.compiled.close()
        detector.compiled.run.tell_nothing()


def _events(plan: Plan) -> list[Event]:
    """Return some events of all types that a plan reads, and some of another."""
    atoms = [node for rule in plan.program.rules for node in walk(rule.pattern) if isinstance(node, Atom)]
    types = [*sorted(frozenset().union(*(atom.types for atom in atoms))), ""]
    fields = dict.fromkeys(fields_read(plan.program) or (), 1)
    return [point(name, number, number, fields) for number, name in enumerate(types * _AGAIN)]
