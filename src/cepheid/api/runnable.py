"""What a run needs of a query, and how it is done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cepheid.analysis import Certificate, Plan
from cepheid.connectors import Reject
from cepheid.engine import Engine, Excess
from cepheid.events import Templates


@dataclass(frozen=True, slots=True)
class Runnable:
    """What a run needs of a query; with a `disorder`, in ticks, its input is a stream of events of `templates`."""

    plan: Plan
    certificate: Certificate
    disorder: int | None
    templates: Templates | None = None
    max_jump: int | None = None
    max_matches: int | None = None


class Compiled(Protocol):
    """A query that was compiled, as far as a run looks at it."""

    @property
    def plan(self) -> Plan: ...
    @property
    def certificate(self) -> Certificate: ...
    @property
    def disorder(self) -> int | None: ...
    @property
    def templates(self) -> Templates | None: ...
    @property
    def max_jump(self) -> int | None: ...


def runnable(query: Compiled, max_matches: int | None) -> Runnable:
    """Return what a run needs of a query."""
    return Runnable(query.plan, query.certificate, query.disorder, query.templates, query.max_jump, max_matches)


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is done: what becomes of rejects, what matches say, and what runs the query."""

    strict: bool
    on_reject: Callable[[Reject], None] | None
    evidence: bool
    ids: bool
    sort_buffer: int
    on_excess: Excess
    heartbeat: str | None
    engine: Engine
    threads: int | None = None
