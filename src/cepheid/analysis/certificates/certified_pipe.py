"""What is certified about one pipe: what it holds, processor by processor."""

from dataclasses import dataclass

from cepheid.analysis.certificates.certified_rule import Promise, together
from cepheid.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class ProcessorCertificate:
    """What one processor holds: values, claims about values to come, or slices."""

    number: int
    kind: str
    about: str
    entries: Promise


@dataclass(frozen=True, slots=True)
class PipeCertificate:
    """What one pipe needs; `buffer` is what waits in front of it for its instant to be complete."""

    name: str
    processors: tuple[ProcessorCertificate, ...]
    buffer: Promise
    findings: tuple[Diagnostic, ...] = ()

    @property
    def bounded(self) -> bool:
        return self.state.bounded and self.buffer.bounded

    @property
    def state(self) -> Promise:
        return together([one.entries for one in self.processors])
